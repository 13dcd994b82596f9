import { FatalError } from '../model/fatal-error.ts';

/** Stops a job for a reason that belongs to this machine: on another one it may succeed. */
export class MachineFault extends FatalError {}

/** The same error as one of this machine. */
export function machineFault(error: unknown): unknown {
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

/** Whether an error belongs to the machine: it says so itself, or a system call of this machine failed. */
export function isMachineFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof MachineFault) return true;
    if ('code' in cause && typeof cause.code === 'string' && codes.has(cause.code)) return true;
  }
  return false;
}
