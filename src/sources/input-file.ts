import { createHash, type Hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { FatalError } from '../model/fatal-error.ts';
import type { SourceInput } from './source-format.ts';

const pieceBytes = 256 * 1024;

/** The file that an input is read from, however often: the one that was named, or the copy of what came from a pipe. */
export interface InputFile {
  /** For people: the path that was named, or "standard input". */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
}

/**
 * Finds the file behind an input; standard input and pipes are first copied whole into a file (0600) of the spool folder.
 * Throws a FatalError('input') for a missing, unreadable or empty file and for a directory.
 */
export async function inputFile({ path, spoolDir }: SourceInput, signal: AbortSignal): Promise<InputFile> {
  const name = path === '-' ? 'standard input' : path;
  const found = path === '-' ? null : await orExplain(path, stat(path));
  if (found?.isDirectory() === true)
    throw refused(name, 'is a directory', `Name a file in it${await filesIn(path)}.`);
  const kept = found?.isFile() === true ? path : await spooled(path, name, spoolDir, signal);
  const { size, mtimeMs } = kept === path && found !== null ? found : await stat(kept);
  if (size === 0) throw refused(name, 'is empty', 'Export it again, or name another file.');
  return { name, path: kept, bytes: size, changedAt: mtimeMs };
}

/**
 * Yields a file's bytes piece by piece; a piece is valid until the next is asked for. Closes the file in any case.
 * Throws the signal's reason when aborted, and a FatalError('input') where the file changed since it was found.
 */
export async function* pieces(file: InputFile, signal: AbortSignal): AsyncGenerator<Buffer, void, undefined> {
  const handle = await orExplain(file.path, open(file.path, 'r'));
  try {
    assertUnchanged(file, await handle.stat());
    yield* read(handle, file.name, signal);
    assertUnchanged(file, await handle.stat());
  } finally {
    await handle.close();
  }
}

/** The fingerprint under way: bytes are fed to it; `settings` are what else decides how they are read. */
export function fingerprintOf(settings: unknown): Hash {
  return createHash('sha256').update(`${JSON.stringify(settings)}\n`);
}

/** A FatalError about an input: what is wrong with it, and what would be right. */
export function refused(name: string, what: string, next: string, line?: number): FatalError {
  const place = line === undefined ? { file: name } : { file: name, line };
  return new FatalError('input', `${name} ${what}.`, { place, next });
}

async function* read(
  handle: FileHandle,
  name: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (;;) {
    signal.throwIfAborted();
    const bytesRead = await readInto(handle, buffer, name);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

async function readInto(handle: FileHandle, buffer: Buffer, name: string): Promise<number> {
  try {
    return (await handle.read(buffer, 0, buffer.length, null)).bytesRead;
  } catch (cause) {
    const message = `${name} cannot be read any further: ${reasonOf(cause)}.`;
    throw new FatalError('input', message, {
      place: { file: name },
      next: 'Mend the disk or copy the file, then continue.',
      cause,
    });
  }
}

function assertUnchanged(file: InputFile, now: Stats): void {
  if (now.size === file.bytes && now.mtimeMs === file.changedAt) return;
  throw refused(
    file.name,
    'changed while it was being worked on',
    'Wait until nobody writes it any more, and start again.',
  );
}

/** The copy is named by its content: the same bytes piped in twice are one file. */
async function spooled(path: string, name: string, spoolDir: string, signal: AbortSignal): Promise<string> {
  await mkdir(spoolDir, { recursive: true, mode: 0o700 });
  const part = join(spoolDir, `input-${process.pid}.part`);
  // A file left by a process that died has nothing of use, and a link there must not be followed.
  await rm(part, { force: true });
  try {
    const copy = await open(part, 'wx', 0o600);
    try {
      const whole = join(spoolDir, `input-${await copied(path, name, copy, signal)}`);
      await rename(part, whole);
      return whole;
    } finally {
      await copy.close();
    }
  } catch (error) {
    await rm(part, { force: true });
    signal.throwIfAborted();
    throw error;
  }
}

/** Copies the input whole, and gives the beginning of its hash. */
async function copied(path: string, name: string, copy: FileHandle, signal: AbortSignal): Promise<string> {
  const input = path === '-' ? process.stdin : (await orExplain(path, open(path, 'r'))).createReadStream();
  const hash = createHash('sha256');
  for await (const piece of addAbortSignal(signal, input)) {
    if (!Buffer.isBuffer(piece))
      throw refused(name, 'does not come as bytes', 'Leave standard input without an encoding.');
    hash.update(piece);
    await copy.writeFile(piece);
  }
  await copy.sync();
  return hash.digest('hex').slice(0, 16);
}

async function orExplain<T>(path: string, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw refused(
        path,
        'does not exist',
        `Check the path; in YAML it is relative to the YAML file${await filesIn(dirname(path))}.`,
      );
    }
    if (code === 'EACCES' || code === 'EPERM') {
      throw refused(
        path,
        'may not be read by this user',
        `Give yourself the right: chmod u+r ${basename(path)}.`,
      );
    }
    throw new FatalError('input', `${path} cannot be opened: ${reasonOf(cause)}.`, {
      place: { file: path },
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

async function filesIn(folder: string): Promise<string> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
    if (names.length === 0) return '';
    const more = names.length > 5 ? ' …' : '';
    return ` (there ${names.length === 1 ? 'is' : 'are'}: ${names.sort().slice(0, 5).join(', ')}${more})`;
  } catch {
    // The folder is not there either, or closed to us: then there is nothing to suggest.
    return '';
  }
}
