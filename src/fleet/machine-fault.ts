import { FatalError } from '../model/fatal-error.ts';
import { toFatalSystemError } from '../storage/system-error.ts';

/** An error that stops a job because of this machine; another machine may succeed. */
export class MachineFaultError extends FatalError {}

/** Converts a FatalError into a MachineFaultError; returns any other error unchanged. */
export function toMachineFaultError(error: unknown): unknown {
  if (!(error instanceof FatalError)) return error;
  const { reason, message, place, next } = error;
  return new MachineFaultError(reason, message, { place, next, cause: error });
}

const codes: ReadonlySet<string> = new Set([
  ...[
    'ENOSPC',
    'EDQUOT',
    'SQLITE_FULL',
    'EROFS',
    'EMFILE',
    'ENFILE',
    'EIO',
    'ESTALE',
    'ENODEV',
    'EACCES',
    'EPERM',
  ],
  ...['SQLITE_READONLY', 'SQLITE_CANTOPEN', 'SQLITE_IOERR'],
]);

/**
 * True if an error or one of its causes is a MachineFaultError, or a failure of the system or SQLite such as a full
 * disk.
 */
export function isMachineFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof MachineFaultError) return true;
    if ('code' in cause && typeof cause.code === 'string' && codes.has(cause.code)) return true;
  }
  return false;
}

/**
 * Returns the message of the error that ended a job; that of a full disk and the like names the path, or the work dir
 * if the system does not say which file it was.
 */
export function describeJobError(error: unknown, workDir: string): string {
  if (!(error instanceof Error)) return String(error);
  if (!isMachineFault(error) || error instanceof MachineFaultError) return error.message;
  const known = error instanceof FatalError ? error : toFatalSystemError(error);
  return `${known?.message ?? error.message} (${known?.place?.file ?? workDir})`;
}
