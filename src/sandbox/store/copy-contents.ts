import type { SqlValue } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';

/** Copies every table of a workspace over those of another one of the same version, which keeps its id. */
export function copyContents(from: SqliteFile, to: SqliteFile): void {
  // What counts the ids comes last: every insert before changes it.
  const tables = from
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name = 'sqlite_sequence'",
    )
    .pluck()
    .all();
  for (const table of tables) {
    const copied = table === 'meta' ? "WHERE key <> 'sandboxId'" : '';
    to.exec(`DELETE FROM ${table} ${copied}`);
    const rows = from.prepare<[], SqlValue[]>(`SELECT * FROM ${table} ${copied}`).raw();
    const places = rows.columns().map(() => '?');
    const add = to.prepare<SqlValue[]>(`INSERT INTO ${table} VALUES (${places.join(', ')})`);
    for (const row of rows.iterate()) add.run(...row);
  }
}
