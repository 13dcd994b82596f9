import { FatalError } from '../../model/fatal-error.ts';
import { isSqliteError } from '../../storage/sqlite.ts';

/** What SQLite throws over a file as a FatalError('input') that says what and where; anything else stays as it is. */
export function explained(error: unknown, name: string, where: string): unknown {
  if (!isSqliteError(error)) return error;
  const { code } = error;
  const [what, next] = /^SQLITE_(?:CORRUPT|IOERR)/.test(code)
    ? ['it is damaged', `Recover it into a new file: sqlite3 <file> .recover | sqlite3 recovered.sqlite`]
    : code === 'SQLITE_NOTADB'
      ? ['it is not a SQLite file, or it is encrypted', 'Make a plain copy of it first.']
      : /^SQLITE_(?:BUSY|LOCKED)/.test(code)
        ? [
            'another program is writing to it',
            'Wait until it has finished, or copy the file, and run it again.',
          ]
        : [error.message, 'Check it with the sqlite3 program, or export it again.'];
  return new FatalError('input', `${name} ${where}: ${what} (${code}).`, {
    place: { file: name },
    next,
    cause: error,
  });
}
