import type { SqliteFile } from '../../storage/sqlite.ts';

/** A table or view as a file lists it. */
export interface ListedTable {
  readonly name: string;
  readonly kind: 'table' | 'view';
}

/** A table or view with what is needed to read it. */
export interface FileTable extends ListedTable {
  readonly columns: readonly string[];
  /** The name under which the number of a row can be asked for; null where rows have none. */
  readonly rowid: string | null;
  /** The columns of the primary key of a table without row numbers, in its order. */
  readonly key: readonly string[];
}

interface Column {
  readonly name: string;
  readonly hidden: bigint;
  readonly pk: bigint;
}

/** The tables and views of a file, in the order of their creation; those that SQLite made for itself are left out. */
export function tablesIn(file: SqliteFile): readonly ListedTable[] {
  return file
    .prepare<[], { name: string; type: string }>(
      `SELECT list.name, list.type FROM pragma_table_list AS list
       JOIN sqlite_schema AS made ON made.name = list.name AND made.type IN ('table', 'view')
       WHERE list.schema = 'main' AND list.type <> 'shadow' AND list.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       ORDER BY made.rowid`,
    )
    .all()
    .map(({ name, type }) => ({ name, kind: type === 'view' ? 'view' : 'table' }));
}

/** What is needed to read a table; throws what SQLite throws over a view that makes no sense. */
export function tableIn(file: SqliteFile, { name, kind }: ListedTable): FileTable {
  const all = file.prepare<[string], Column>('SELECT name, hidden, pk FROM pragma_table_xinfo(?)').all(name);
  const columns = all.filter(({ hidden }) => hidden !== 1n).map((column) => column.name);
  const found = file
    .prepare<[string], { type: string; wr: bigint }>(
      `SELECT type, wr FROM pragma_table_list(?) WHERE schema = 'main'`,
    )
    .get(name);
  const rowid = found?.type === 'table' && found.wr === 0n ? rowidName(all) : null;
  const key = all.filter(({ pk }) => pk > 0n).sort((a, b) => Number(a.pk - b.pk));
  return { name, kind, columns, rowid, key: found?.wr === 1n ? key.map((column) => column.name) : [] };
}

/** A name in an SQL statement. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A column of the table may have taken one of the names. */
function rowidName(columns: readonly Column[]): string | null {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name)) ?? null;
}
