import { createHash } from 'node:crypto';
import { fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { describeSpecialFile, nonBlockingReadFlags } from '../storage/regular-file.ts';
import { DiskSpaceChecker } from '../storage/room.ts';
import { spoolFile } from '../storage/spool.ts';
import { unpackInputFile } from './archive/unpack.ts';
import { createInputError, formatFilesHint, type InputFile, withInputErrors } from './plain-file.ts';
import { type SourceInput, withWaitNotice } from './source-format.ts';

/**
 * Finds the plain file of an input. Copies standard input and pipes into a file (mode 0600) of the spool
 * folder, and unpacks packed inputs there. Throws a FatalError('input') for a missing, unreadable or empty
 * file, a directory, and a damaged, malicious or ambiguous archive.
 */
export async function resolveInputFile(input: SourceInput, signal: AbortSignal): Promise<InputFile> {
  const file = await resolveRawInputFile(input, signal);
  const piped = file.path !== input.path;
  try {
    const plain = await unpackInputFile(file, input, signal);
    if (piped && plain.path !== file.path) await rm(file.path, { force: true });
    const { part, onBytesRead } = input;
    return { ...plain, ...(part && { part }), ...(onBytesRead && { onBytesRead }) };
  } catch (error) {
    if (piped) await rm(file.path, { force: true });
    throw error;
  }
}

/** Finds the file of an input without unpacking it; copies standard input and pipes into the spool folder. */
export async function resolveRawInputFile(
  { path, name = path === '-' ? 'standard input' : path, spoolDir, waiting }: SourceInput,
  signal: AbortSignal,
): Promise<InputFile> {
  const found = path === '-' ? null : await withInputErrors(path, stat(path));
  if (found?.isDirectory() === true)
    throw createInputError(
      name,
      'is a directory',
      `Use a file in it${formatFilesHint(path)}, or set "format: dump" if its files belong together.`,
    );
  const kept =
    found?.isFile() === true ? path : await spoolPipe({ path, name, spoolDir, waiting }, found, signal);
  const { size, mtimeMs } = kept === path && found !== null ? found : await stat(kept);
  if (size === 0) throw createInputError(name, 'is empty', 'Export it again, or use another file.');
  return { name, path: kept, bytes: size, changedAt: mtimeMs };
}

/** An input that can be read only once: its path (`-` for standard input) and its display name. */
interface PipedInput extends Pick<SourceInput, 'path' | 'spoolDir' | 'waiting'> {
  readonly name: string;
}

/**
 * Copies a pipe or standard input into the spool folder, and returns the copy's path, named by a hash of its content.
 * `found` are the stats of the path, null for standard input. Throws a FatalError('input') for a device, and if the
 * disk is full (`free` returns the free bytes).
 */
export async function spoolPipe(
  input: PipedInput,
  found: Stats | null,
  signal: AbortSignal,
  free?: (folder: string) => Promise<number>,
): Promise<string> {
  if (found === null ? isDevice(fstatSync(0)) : !found.isFIFO()) {
    const what = found === null ? 'a device' : describeSpecialFile(found);
    throw createInputError(
      input.name,
      `is ${what}, which has no end`,
      'Use a file, or a pipe that a program writes to.',
    );
  }
  try {
    return await spoolFile(
      input.spoolDir,
      async (copy) => `input-${await copyWhole(input, copy, signal, free)}`,
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** True if an input is a device that never ends; a terminal and the null device do end. */
function isDevice(found: Stats): boolean {
  if (!found.isCharacterDevice()) return found.isBlockDevice();
  return !process.stdin.isTTY && found.rdev !== nullDevice();
}

function nullDevice(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/** Copies the input, and returns the first 16 hexadecimal digits of its SHA-256. */
async function copyWhole(
  input: PipedInput,
  copy: FileHandle,
  signal: AbortSignal,
  free: ((folder: string) => Promise<number>) | undefined,
): Promise<string> {
  const { name, spoolDir } = input;
  const room = new DiskSpaceChecker(
    spoolDir,
    name,
    free,
    'comes through a pipe, and there is no disk space to store it',
  );
  await room.assert(0);
  const hash = createHash('sha256');
  const chunks = addAbortSignal(signal, streamOf(input.path))[Symbol.asyncIterator]();
  const whoWrites = input.path === '-' ? 'input' : `a program to write to ${name}`;
  try {
    for (;;) {
      const { value, done } = await withWaitNotice(
        input.waiting,
        `Waiting for ${whoWrites} …`,
        chunks.next(),
      );
      if (done === true) return hash.digest('hex').slice(0, 16);
      if (!Buffer.isBuffer(value))
        throw createInputError(name, 'is not read as bytes', 'Do not set an encoding on standard input.');
      hash.update(value);
      await room.kept(copy.writeFile(value));
      await room.written(value.length);
    }
  } finally {
    // Otherwise the writer of the pipe would wait for a reader that has stopped.
    await chunks.return?.();
  }
}

/**
 * Opens an input as a stream. Opening a pipe would block a thread until a writer opens it, and could not be
 * cancelled: so it is opened as a non-blocking socket.
 */
function streamOf(path: string): Readable {
  if (path === '-') return process.stdin;
  return new Socket({ fd: openSync(path, nonBlockingReadFlags), readable: true, writable: false });
}
