import { createHash, type Hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FatalError } from '../model/fatal-error.ts';
import { shortened } from '../model/listed.ts';
import { didYouMeanPath, visibleNames } from '../storage/path-meant.ts';

const chunkBytes = 256 * 1024;
const fewBytes = 4 * 1024;
const longestSentence = 4_000;

/** The file that an input is read from, however often: the one that was named, or a copy in the spool folder. */
export interface InputFile {
  /** For people: the path that was named (with the member of an archive behind it), or "standard input". */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly changedAt: number;
  /** All its bytes, where they are few. */
  readonly content?: Buffer;
  /** Where only a part of it is read. */
  readonly part?: FilePart;
  /** Hears how many bytes the records that were read reach to. */
  readonly onBytesRead?: (bytes: number) => void;
}

/** A part of a file's bytes; what its first and last line lack is left out. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
}

const wholeFile: FilePart = { from: 0, to: Number.POSITIVE_INFINITY };

/** Whether a file's last bytes are not read. */
export function isCut({ part, bytes }: InputFile): boolean {
  return part !== undefined && part.to < bytes;
}

/**
 * Yields a file's bytes chunk by chunk; a chunk is valid until the next is asked for. Closes the file in any case.
 * Throws the signal's reason when aborted, and a FatalError('input') where the file changed since it was found.
 */
export async function* chunksOf(
  file: InputFile,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  if (file.content !== undefined) {
    signal.throwIfAborted();
    assertUnchanged(file, await explainErrors(file.path, stat(file.path)));
    const { from, to } = file.part ?? wholeFile;
    if (from < Math.min(to, file.bytes)) yield Buffer.from(file.content.subarray(from, to));
    return;
  }
  const handle = await explainErrors(file.path, open(file.path, 'r'));
  try {
    assertUnchanged(file, await handle.stat());
    yield* read(handle, file, signal);
    assertUnchanged(file, await handle.stat());
  } finally {
    await handle.close();
  }
}

/** A small file is read here, once, and no more for each look through it: an input may be ten thousand of them. */
export async function withContent(file: InputFile): Promise<InputFile> {
  if (file.bytes > fewBytes) return file;
  const content = await headOf(file.path, file.bytes);
  // Whoever reads it next is told that it has changed.
  return content.length === file.bytes ? { ...file, content } : file;
}

/** The first bytes of a file, at most so many. */
export async function headOf(path: string, length: number): Promise<Buffer> {
  const handle = await explainErrors(path, open(path, 'r'));
  try {
    const head = Buffer.alloc(length);
    return head.subarray(0, await readInto(handle, head, path, 0));
  } finally {
    await handle.close();
  }
}

/** The fingerprint under way: bytes are fed to it; `settings` are what else decides how they are read. */
export function fingerprintOf(settings: unknown): Hash {
  // By its earlier name, so that a run that began under it still finds its input unchanged.
  const written = JSON.stringify(settings).replaceAll('"loneSurrogates":', '"halfSigns":');
  return createHash('sha256').update(`${written}\n`);
}

/** A FatalError about an input: what is wrong with it, and what would be right. */
export function inputError(name: string, what: string, next: string, line?: number): FatalError {
  const place = line === undefined ? { file: name } : { file: name, line };
  // What an input holds may be of any length; what is said of it is to be read.
  const sentence = shortened(what, longestSentence);
  return new FatalError('input', `${name} ${sentence}${sentence.endsWith('?') ? '' : '.'}`, {
    place,
    next: shortened(next, longestSentence),
  });
}

/** What an attempt to open or look at a path gives; what it throws is explained to people. */
export async function explainErrors<T>(path: string, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (cause) {
    if (isMissing(cause)) {
      throw inputError(
        path,
        `does not exist${didYouMeanPath(path, 'files and folders')}`,
        `Check the path; in YAML it is relative to the YAML file${filesIn(dirname(path))}.`,
      );
    }
    if (hasCode(cause, 'EACCES', 'EPERM')) {
      throw inputError(
        path,
        'is not readable by this user',
        `Grant yourself the permission: chmod u+r ${basename(path)}.`,
      );
    }
    throw new FatalError('input', `${path} cannot be opened: ${reasonOf(cause)}.`, {
      place: { file: path },
      cause,
    });
  }
}

/** Whether nothing is at the path that somebody tried. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR');
}

/** Whether the system threw it, with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** What went wrong, in the words of who threw it. */
export function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** A few names of files in a folder that are not hidden, in brackets, as a hint; nothing where there are none. */
export function filesIn(folder: string): string {
  const names = visibleNames(folder, 'files') ?? [];
  if (names.length === 0) return '';
  const more = names.length > 5 ? ' …' : '';
  return ` (there ${names.length === 1 ? 'is' : 'are'}: ${names.slice(0, 5).join(', ')}${more})`;
}

async function* read(
  handle: FileHandle,
  { name, part, bytes }: InputFile,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const { from, to } = part ?? wholeFile;
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, Math.min(to, bytes) - from)));
  for (let at = from; at < to; ) {
    signal.throwIfAborted();
    const bytesRead = await readInto(handle, buffer.subarray(0, Math.min(buffer.length, to - at)), name, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

async function readInto(handle: FileHandle, buffer: Buffer, name: string, at: number): Promise<number> {
  try {
    return (await handle.read(buffer, 0, buffer.length, at)).bytesRead;
  } catch (cause) {
    const message = `${name} cannot be read any further: ${reasonOf(cause)}.`;
    throw new FatalError('input', message, {
      place: { file: name },
      next: 'Check the disk or copy the file, then continue.',
      cause,
    });
  }
}

function assertUnchanged(file: InputFile, now: Stats): void {
  if (now.size === file.bytes && now.mtimeMs === file.changedAt) return;
  throw inputError(
    file.name,
    'changed while it was being read',
    'Wait until nothing writes to it, and run it again.',
  );
}
