import { FatalError } from '../../../model/fatal-error.ts';

const full: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL']);

/** Whether writing failed because the disk, or what one may use of it, is full. */
export function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && full.has(String(error.code));
}

/** What is said where there is no room for an export; nothing that was fetched is lost by it. */
export function noRoom(folder: string, cause: unknown, next: string): FatalError {
  return new FatalError('unexpected', 'the disk of the exports is full.', {
    place: { file: folder },
    next: `Free some space there; what was fetched is kept. Then: ${next}`,
    cause,
  });
}
