import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { extname } from 'node:path';
import { pino } from 'pino';

/** The limits of a rotating file: its maximum size, and how many earlier chunks are kept. */
export interface RotationLimits {
  readonly maxBytes: number;
  /** The number of earlier chunks to keep, at least 1. */
  readonly keep: number;
}

/** A file that lines are appended to; lines that no longer fit go to a new file. */
export interface RotatingFile {
  /** Queues a line and returns at once; it is written asynchronously. */
  write(line: string): void;
  /** Resolves when everything is in the file, or could not be written. */
  close(): Promise<void>;
}

type Destination = ReturnType<typeof pino.destination>;

/**
 * Opens `path` (0600) to append to it. A line that would make the file larger than `maxBytes` begins a new one:
 * `log.ndjson` is renamed `log.1.ndjson`, `log.1.ndjson` is renamed `log.2.ndjson`, and so on; the oldest beyond `keep`
 * is deleted. The first error is reported to `problem` and ends the writing; throws if the file cannot be opened at
 * all.
 */
export function openRotatingFile(
  path: string,
  rotation: RotationLimits,
  problem: (error: unknown) => void,
): RotatingFile {
  let over = false;
  const giveUp = (error: unknown) => {
    if (!over) problem(error);
    over = true;
  };
  const closing = new Set<Promise<void>>();
  let current = openChunk(path, giveUp);
  const retire = ({ out }: Chunk) => {
    const closed = ended(out).then(() => void closing.delete(closed));
    closing.add(closed);
  };
  return {
    write(line) {
      if (over) return;
      const bytes = Buffer.byteLength(line);
      if (current.bytes > 0 && current.bytes + bytes > rotation.maxBytes) {
        // Pending lines are still written into the file of this chunk, even after it is renamed.
        retire(current);
        try {
          moveOn(path, rotation.keep);
          current = openChunk(path, giveUp);
        } catch (error) {
          giveUp(error);
          return;
        }
      }
      current.bytes += bytes;
      current.out.write(line);
    },
    async close() {
      if (!over) retire(current);
      over = true;
      await Promise.all(closing);
    },
  };
}

interface Chunk {
  readonly out: Destination;
  bytes: number;
}

/** Opens a chunk at once, so that the file exists when it is renamed. */
function openChunk(path: string, giveUp: (error: unknown) => void): Chunk {
  const fd = openSync(path, 'a', 0o600);
  try {
    const { size } = fstatSync(fd);
    const out = pino.destination({ dest: fd, sync: false });
    out.on('error', giveUp);
    return { out, bytes: size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function ended(out: Destination): Promise<void> {
  return new Promise((resolve) => {
    out.once('close', () => resolve());
    out.once('error', () => resolve());
    out.end();
  });
}

function moveOn(path: string, keep: number): void {
  rmSync(chunkName(path, keep), { force: true });
  for (let number = keep - 1; number > 0; number -= 1)
    rename(chunkName(path, number), chunkName(path, number + 1));
  rename(path, chunkName(path, 1));
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}

/** Returns the path of an earlier chunk: `log.2.ndjson` for `log.ndjson` and the number 2. */
function chunkName(path: string, number: number): string {
  const ending = extname(path);
  return `${path.slice(0, path.length - ending.length)}.${number}${ending}`;
}
