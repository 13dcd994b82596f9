import type { SqliteFile } from './open-file.ts';

/** A table or view of a SQLite file. */
export interface FileTable {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly columns: readonly string[];
  /** The name under which the number of a row can be asked for; null where rows have none. */
  readonly rowid: string | null;
  /** The columns of the primary key of a table without row numbers, in its order. */
  readonly key: readonly string[];
}

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly wr: bigint;
}

interface Column {
  readonly name: string;
  readonly hidden: bigint;
  readonly pk: bigint;
}

/** The tables and views of a file, in the order of their creation; those that SQLite made for itself are left out. */
export function tablesIn(file: SqliteFile): readonly FileTable[] {
  const listed = file
    .prepare<[], Listed>(
      `SELECT list.name, list.type, list.wr FROM pragma_table_list AS list
       JOIN sqlite_schema AS made ON made.name = list.name AND made.type IN ('table', 'view')
       WHERE list.schema = 'main' AND list.type <> 'shadow' AND list.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
       ORDER BY made.rowid`,
    )
    .all();
  const columnsOf = file.prepare<[string], Column>('SELECT name, hidden, pk FROM pragma_table_xinfo(?)');
  return listed.map(({ name, type, wr }) => {
    const all = columnsOf.all(name);
    const columns = all.filter(({ hidden }) => hidden !== 1n).map((column) => column.name);
    const numbered = type === 'table' && wr === 0n;
    const key = all.filter(({ pk }) => pk > 0n).sort((a, b) => Number(a.pk - b.pk));
    return {
      name,
      kind: type === 'view' ? 'view' : 'table',
      columns,
      rowid: numbered ? rowidName(all) : null,
      key: wr === 1n ? key.map((column) => column.name) : [],
    };
  });
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
