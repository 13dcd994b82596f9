import { FatalError } from '../model/fatal-error.ts';

/** An error that stops a job because of this machine; another machine may succeed. */
export class MachineFault extends FatalError {}

/** Converts a FatalError into a MachineFault; returns any other error unchanged. */
export function toMachineFault(error: unknown): unknown {
  if (!(error instanceof FatalError)) return error;
  const { reason, message, place, next } = error;
  return new MachineFault(reason, message, { place, next, cause: error });
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

/** True if an error or one of its causes is a MachineFault, or a failure of the system or SQLite such as a full disk. */
export function isMachineFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof MachineFault) return true;
    if ('code' in cause && typeof cause.code === 'string' && codes.has(cause.code)) return true;
  }
  return false;
}
