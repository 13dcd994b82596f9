import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FatalError } from '../../../model/fatal-error.ts';
import { isFull, noRoom } from '../../../storage/room.ts';

/** Makes a folder (0700), and those above it that are not there. */
export function makeFolder(path: string): void {
  const above = dirname(path);
  // Not `recursive`: on a file system that makes no folders at all, as under an automounter, that tries for ever.
  if (above !== path && !existsSync(above)) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}

/**
 * Throws a FatalError where nothing can be written in a folder: before the first request, rather than when all is fetched.
 * The folder is made where it is not there.
 */
export function assertWritable(folder: string, next: string): void {
  try {
    makeFolder(folder);
    rmdirSync(mkdtempSync(join(folder, '.longshore-')));
  } catch (error) {
    throw isFull(error) ? noRoom(folder, error, next) : cannotWrite(folder, error, next);
  }
}

/** What is said where an export cannot be written. */
export function cannotWrite(folder: string, cause: unknown, next: string): FatalError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const why = reasons.get(code) ?? (cause instanceof Error ? cause.message : String(cause));
  return new FatalError('usage', `no export can be written there: ${why}.`, {
    place: { file: folder },
    next: `Make it a folder that you may write, or change \`to:\` in the pipeline; then: ${next}`,
    cause,
  });
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOTDIR', 'what stands there, or above it, is no folder'],
  ['EEXIST', 'what stands there, or above it, is no folder'],
  ['EACCES', 'you may not (EACCES)'],
  ['EPERM', 'you may not (EPERM)'],
  ['EROFS', 'the file system can only be read (EROFS)'],
  ['ENOENT', 'the file system makes no folders (ENOENT)'],
]);
