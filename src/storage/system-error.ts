import { currentCommand, hint } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';

/** The meaning of error codes of the operating system and of SQLite, and the remedy before the command is repeated. */
const meanings: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  ENAMETOOLONG: ['the path is longer than this system allows', 'Use shorter names, or another --work-dir.'],
  EMFILE: ['this process has too many files open', 'Raise the limit: ulimit -n 4096'],
  ENFILE: ['this machine has too many files open', 'Close other programs, or raise the limit of the system.'],
  ENOSPC: ['the disk is full', 'Free some space (also where TMPDIR points), or choose another --work-dir.'],
  EDQUOT: ['the disk quota is used up', 'Free some space, or choose another --work-dir.'],
  SQLITE_FULL: [
    'the disk is full',
    'Free some space (also where TMPDIR points), or choose another --work-dir.',
  ],
  EROFS: ['the disk is read-only', 'Choose another --work-dir.'],
  EACCES: ['this user lacks the permission', 'Grant yourself the permission, or choose another path.'],
  EPERM: ['this user lacks the permission', 'Grant yourself the permission, or choose another path.'],
  EIO: ['the disk failed', 'Check the disk, or choose another --work-dir.'],
  SQLITE_IOERR: [
    'the disk failed or is full',
    'Check the disk and its free space, or choose another --work-dir.',
  ],
  ELOOP: ['the links point at each other in a loop', 'Remove the link, or choose another path.'],
  ENOMEM: ['the machine is out of memory', 'Close other programs, or use a machine with more memory.'],
};

/**
 * Returns the FatalError, with a remedy, for a known error of the system, of SQLite or of loading it; undefined for
 * others.
 */
export function toFatalSystemError(error: unknown): FatalError | undefined {
  if (!(error instanceof Error) || error instanceof FatalError) return undefined;
  if (
    /NODE_MODULE_VERSION|bindings file|ERR_DLOPEN_FAILED|dlopen\(/i.test(`${codeOf(error)} ${error.message}`)
  ) {
    return new FatalError(
      'unexpected',
      `the SQLite library is not built for this Node (${process.version}).`,
      {
        next: hint`In the folder of Longshore: npm rebuild better-sqlite3\nThen: ${currentCommand()}`,
        cause: error,
      },
    );
  }
  const code = codeOf(error);
  const [, meaning] =
    Object.entries(meanings).find(([known]) => code === known || code.startsWith(`${known}_`)) ?? [];
  if (meaning === undefined) return undefined;
  const [what, remedy] = meaning;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return new FatalError('unexpected', `${what} (${code}).`, {
    ...(path !== undefined && { place: { file: shown(path) } }),
    next: hint`${remedy}\nThen: ${currentCommand()}`,
    cause: error,
  });
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

/** Returns a path for a message; one of more than 200 characters loses its middle. */
function shown(path: string): string {
  return path.length <= 200 ? path : `${path.slice(0, 100)}…${path.slice(-60)}`;
}
