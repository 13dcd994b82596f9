import { createHash } from 'node:crypto';
import { fstatSync, openSync, type Stats, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Socket } from 'node:net';
import { addAbortSignal, type Readable } from 'node:stream';
import { openWithoutWaiting, specialKind } from '../storage/regular-file.ts';
import { Room } from '../storage/room.ts';
import { spooled } from '../storage/spool.ts';
import { refused } from './plain-file.ts';
import type { SourceInput } from './source-format.ts';
import { whileWaiting } from './waiting.ts';

/** An input that can be read only once: its path (`-` for standard input), and what people call it. */
interface PipedInput extends Pick<SourceInput, 'path' | 'spoolDir' | 'waiting'> {
  readonly name: string;
}

/**
 * Copies a pipe or standard input whole into the spool folder, and gives the copy's path; the copy is named by its content:
 * the same bytes piped in twice are one file. `found` is what lies at the path, null for standard input. Throws a
 * FatalError('input') for a device, and where the disk has no room (`free` asks how much there is).
 */
export async function spooledPipe(
  input: PipedInput,
  found: Stats | null,
  signal: AbortSignal,
  free?: (folder: string) => Promise<number>,
): Promise<string> {
  if (found === null ? isDevice(fstatSync(0)) : !found.isFIFO()) {
    const what = found === null ? 'a device' : specialKind(found);
    throw refused(
      input.name,
      `is ${what}, which has no end`,
      'Use a file, or a pipe that a program writes to.',
    );
  }
  try {
    return await spooled(
      input.spoolDir,
      async (copy) => `input-${await copyWhole(input, copy, signal, free)}`,
    );
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** A terminal ends when its user says so, and the null device at once. */
function isDevice(found: Stats): boolean {
  if (!found.isCharacterDevice()) return found.isBlockDevice();
  return !process.stdin.isTTY && found.rdev !== nullDevice();
}

function nullDevice(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev;
}

/** Copies the input whole, and gives the beginning of its hash. */
async function copyWhole(
  input: PipedInput,
  copy: FileHandle,
  signal: AbortSignal,
  free: ((folder: string) => Promise<number>) | undefined,
): Promise<string> {
  const { name, spoolDir } = input;
  const room = new Room(spoolDir, name, free, 'comes through a pipe, and there is no disk space to store it');
  await room.assert(0);
  const hash = createHash('sha256');
  const chunks = addAbortSignal(signal, streamOf(input.path))[Symbol.asyncIterator]();
  const whoWrites = input.path === '-' ? 'input' : `a program to write to ${name}`;
  try {
    for (;;) {
      const { value, done } = await whileWaiting(input.waiting, `Waiting for ${whoWrites} …`, chunks.next());
      if (done === true) return hash.digest('hex').slice(0, 16);
      if (!Buffer.isBuffer(value))
        throw refused(name, 'is not read as bytes', 'Do not set an encoding on standard input.');
      hash.update(value);
      await room.kept(copy.writeFile(value));
      await room.written(value.length);
    }
  } finally {
    // Whoever writes into the pipe must not wait for a reader that has gone.
    await chunks.return?.();
  }
}

/** A pipe is opened and read without a thread that would wait for its writer: nothing could end it. */
function streamOf(path: string): Readable {
  if (path === '-') return process.stdin;
  return new Socket({ fd: openSync(path, openWithoutWaiting), readable: true, writable: false });
}
