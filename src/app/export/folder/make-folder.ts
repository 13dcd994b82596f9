import { existsSync, mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Hint, hint } from '../../../model/command.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { isDiskFullError, toExportDiskFullError } from '../../../storage/room.ts';

/** Creates a folder (mode 0700) and its missing parents; does nothing if it exists. */
export function createPrivateFolder(path: string): void {
  const above = dirname(path);
  // Not `recursive`: on a file system that cannot create folders, as under an automounter, that would loop for ever.
  if (above !== path && !existsSync(above)) createPrivateFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path) || !statSync(path).isDirectory()) throw error;
  }
}

/** Creates a folder if it is missing; throws a FatalError if it is not writable. Called before the first request. */
export function ensureWritableFolder(folder: string, next: Hint): void {
  try {
    createPrivateFolder(folder);
    rmdirSync(mkdtempSync(join(folder, '.longshore-')));
  } catch (error) {
    throw isDiskFullError(error)
      ? toExportDiskFullError(folder, error, next)
      : createNotWritableError(folder, error, next);
  }
}

/** Returns the FatalError (usage) for a folder that cannot be written; `next` is the command to type afterwards. */
export function createNotWritableError(folder: string, cause: unknown, next: Hint): FatalError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const why = reasons.get(code) ?? (cause instanceof Error ? cause.message : String(cause));
  return new FatalError('usage', `the export cannot be written there: ${why}.`, {
    place: { file: folder },
    next: hint`Make it a folder that you can write to, or change \`to:\` in the pipeline; then: ${next}`,
    cause,
  });
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOTDIR', 'it, or a folder above it, is a file'],
  ['EEXIST', 'it, or a folder above it, is a file'],
  ['EACCES', 'permission denied (EACCES)'],
  ['EPERM', 'permission denied (EPERM)'],
  ['EROFS', 'the file system is read-only (EROFS)'],
  ['ENOENT', 'the file system cannot create folders (ENOENT)'],
]);
