import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { FatalError } from '../model/fatal-error.ts';

/** Returns the kind of a file that is not regular, such as `a pipe`; undefined for a regular file. */
export function describeSpecialFile(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isDirectory()) return 'a directory';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}

/**
 * Opens a regular file for reading. Throws a FatalError('input') for anything else: a pipe without a writer would block
 * the process beyond the reach of signals, and a device has no end.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, nonBlockingReadFlags);
  try {
    const kind = describeSpecialFile(await handle.stat());
    if (kind === undefined) return handle;
    throw new FatalError('input', `${path} is ${kind}, not a file.`, {
      place: { file: path },
      next: 'Give the path of a file.',
    });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Returns the bytes of a regular file; throws a FatalError('input') for any other, and for one larger than `mostBytes`.
 */
export async function readRegularFile(path: string, mostBytes: number): Promise<Buffer> {
  const handle = await openRegularFile(path);
  try {
    const { size } = await handle.stat();
    if (size <= mostBytes) return await handle.readFile();
    throw new FatalError('input', `${path} has ${size} bytes; at most ${mostBytes} are read.`, {
      place: { file: path },
      next: 'Is it the right file? Choose another one.',
    });
  } finally {
    await handle.close();
  }
}

/** The flags of a read-only open that does not wait for a pipe's writer; Windows has no such flag and needs none. */
export const nonBlockingReadFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
