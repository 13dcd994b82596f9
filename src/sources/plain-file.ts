import { createHash, type Hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { FatalError } from '../model/fatal-error.ts';
import { truncateText } from '../model/listed.ts';
import { formatDidYouMeanPath, listVisibleFolderEntries } from '../storage/path-meant.ts';

const chunkBytes = 256 * 1024;
const fewBytes = 4 * 1024;
const longestSentence = 4_000;

/** The file from which an input is read: the named one, or a copy in the spool folder. */
export interface InputFile {
  /** The display name: the path (with the member of an archive), or "standard input". */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** The modification time (Unix milliseconds). */
  readonly changedAt: number;
  /** The content, if `preloadSmallFile` has read it. */
  readonly content?: Buffer;
  /** The part that is read; undefined for the whole file. */
  readonly part?: FilePart;
  /** Receives the byte offset that reading has reached. */
  readonly onBytesRead?: (bytes: number) => void;
}

/** A range of a file's bytes, from `from` to before `to`; lines that are cut off at its ends are left out. */
export interface FilePart {
  readonly from: number;
  readonly to: number;
}

const wholeFile: FilePart = { from: 0, to: Number.POSITIVE_INFINITY };

/** True if the part to read ends before the file does. */
export function stopsBeforeFileEnd({ part, bytes }: InputFile): boolean {
  return part !== undefined && part.to < bytes;
}

/**
 * Yields a file's bytes chunk by chunk; a chunk is valid until the next is read. Throws the signal's reason when
 * aborted, and a FatalError('input') if the file changed since it was found.
 */
export async function* readChunks(
  file: InputFile,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  if (file.content !== undefined) {
    signal.throwIfAborted();
    assertUnchanged(file, await withInputErrors(file.path, stat(file.path)));
    const { from, to } = file.part ?? wholeFile;
    if (from < Math.min(to, file.bytes)) yield Buffer.from(file.content.subarray(from, to));
    return;
  }
  const handle = await withInputErrors(file.path, open(file.path, 'r'));
  try {
    assertUnchanged(file, await handle.stat());
    yield* read(handle, file, signal);
    assertUnchanged(file, await handle.stat());
  } finally {
    await handle.close();
  }
}

/**
 * Returns a file of at most 4 KB with its content, and a larger one unchanged: an input may be ten thousand
 * small files, each of which is then opened only once.
 */
export async function preloadSmallFile(file: InputFile): Promise<InputFile> {
  if (file.bytes > fewBytes) return file;
  const content = await readFileHead(file.path, file.bytes);
  // A file whose size differs was changed: the next reading throws.
  return content.length === file.bytes ? { ...file, content } : file;
}

/** Returns the first bytes of a file, at most `length`. */
export async function readFileHead(path: string, length: number): Promise<Buffer> {
  const handle = await withInputErrors(path, open(path, 'r'));
  try {
    const head = Buffer.alloc(length);
    return head.subarray(0, await readInto(handle, head, path, 0));
  } finally {
    await handle.close();
  }
}

/**
 * Creates the hash of a fingerprint, to be updated with the bytes; `settings` are the options that affect how
 * these are read.
 */
export function createFingerprintHash(settings: unknown): Hash {
  // The option's earlier name, so that runs of an older version find their input unchanged.
  const written = JSON.stringify(settings).replaceAll('"loneSurrogates":', '"halfSigns":');
  return createHash('sha256').update(`${written}\n`);
}

/** Creates a FatalError('input') whose message is `name` and `what`; `next` is the next step. */
export function createInputError(name: string, what: string, next: string, line?: number): FatalError {
  const place = line === undefined ? { file: name } : { file: name, line };
  // Text from an input may be of any length.
  const sentence = truncateText(what, longestSentence);
  return new FatalError('input', `${name} ${sentence}${sentence.endsWith('?') ? '' : '.'}`, {
    place,
    next: truncateText(next, longestSentence),
  });
}

/**
 * Awaits a file operation, and rethrows its error as a FatalError('input'), with the next step for a common
 * error.
 */
export async function withInputErrors<T>(path: string, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (cause) {
    if (isNotFoundError(cause)) {
      throw createInputError(
        path,
        `does not exist${formatDidYouMeanPath(path, 'files and folders')}`,
        `Check the path; in YAML it is relative to the YAML file${formatFilesHint(dirname(path))}.`,
      );
    }
    if (hasErrorCode(cause, 'EACCES', 'EPERM')) {
      throw createInputError(
        path,
        'is not readable by this user',
        `Grant yourself the permission: chmod u+r ${basename(path)}.`,
      );
    }
    throw new FatalError('input', `${path} cannot be opened: ${getErrorMessage(cause)}.`, {
      place: { file: path },
      cause,
    });
  }
}

/** True if an error says that the path does not exist. */
export function isNotFoundError(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT', 'ENOTDIR');
}

/** True if an error has one of these system codes. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Returns the message of an error, or another thrown value as text. */
export function getErrorMessage(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

/** Returns a hint in brackets that names up to five visible files of a folder; '' if there are none. */
export function formatFilesHint(folder: string): string {
  const names = listVisibleFolderEntries(folder, 'files') ?? [];
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
    const message = `${name} cannot be read any further: ${getErrorMessage(cause)}.`;
    throw new FatalError('input', message, {
      place: { file: name },
      next: 'Check the disk or copy the file, then continue.',
      cause,
    });
  }
}

function assertUnchanged(file: InputFile, now: Stats): void {
  if (now.size === file.bytes && now.mtimeMs === file.changedAt) return;
  throw createInputError(
    file.name,
    'changed while it was being read',
    'Wait until nothing writes to it, and run it again.',
  );
}
