import type { SqliteConnection } from '../../storage/sqlite.ts';

/** A table or view of a file. */
export interface TableOrView {
  readonly name: string;
  readonly kind: 'table' | 'view';
}

/** A table or view with its columns and row order. */
export interface SqliteTableSchema extends TableOrView {
  readonly columns: readonly string[];
  /** The name of the rowid column; null if there is none. */
  readonly rowid: string | null;
  /** The columns of the primary key of a WITHOUT ROWID table; empty for any other. */
  readonly key: readonly string[];
}

interface Column {
  readonly name: string;
  readonly hidden: bigint;
  readonly pk: bigint;
}

/** Lists the tables and views of a file in order of creation, without SQLite's internal ones. */
export function listTablesAndViews(file: SqliteConnection): readonly TableOrView[] {
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

/** Reads the columns and keys of a table or view. Throws a SQLite error for an invalid view. */
export function readTableSchema(file: SqliteConnection, { name, kind }: TableOrView): SqliteTableSchema {
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

/** Quotes a name as a SQL identifier. */
export function quoteSqliteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * Returns a name for the rowid (rowid, _rowid_ or oid) that no column of the table has; null if all three are taken.
 */
function rowidName(columns: readonly Column[]): string | null {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name)) ?? null;
}

/** A value as the file stores it. */
export type SqliteValue = null | bigint | number | string | Buffer;

/** A stored row; a value above the size limit is null. */
export interface SqliteRow {
  /** The size of its values in bytes. */
  readonly bytes: number;
  readonly values: readonly SqliteValue[];
}

type Selected = [rowid: bigint | null, bytes: bigint, ...values: SqliteValue[]];

const lowest = -(2n ** 63n);
const batchRows = 256;
const countedAtOnce = 100_000;
const batchBytes = 4 * 1024 * 1024;

/** Reads the rows of a table in a stable order, in batches. */
export class TableRowReader {
  readonly #file: SqliteConnection;
  readonly #table: SqliteTableSchema;
  readonly #select: string;
  readonly #from: string;

  constructor(file: SqliteConnection, table: SqliteTableSchema, maxBytes: number) {
    this.#file = file;
    this.#table = table;
    const columns = table.columns.map(quoteSqliteName);
    const bytes = columns.map((column) => `ifnull(octet_length(${column}), 0)`).join(' + ');
    const values = columns.map(
      (column) => `CASE WHEN octet_length(${column}) > ${maxBytes} THEN NULL ELSE ${column} END`,
    );
    this.#select = ['SELECT', [table.rowid ?? 'NULL', bytes || '0', ...values].join(', ')].join(' ');
    this.#from = `FROM ${quoteSqliteName(table.name)}`;
  }

  /**
   * Yields counts that add up to the number of rows; scans the table and not an index, so that damaged pages are found
   * (except those that only continue long values).
   */
  *counts(): Generator<number> {
    const rows = this.#file.prepare<[], null>(`SELECT NULL ${this.#from} NOT INDEXED`).pluck().iterate();
    let counted = 0;
    for (const _ of rows) {
      counted += 1;
      if (counted < countedAtOnce) continue;
      yield counted;
      counted = 0;
    }
    yield counted;
  }

  batches(from: number): Generator<readonly SqliteRow[]> {
    return this.#table.rowid === null ? this.#inOneGo(from) : this.#byRowid(this.#table.rowid, from);
  }

  /** Returns the stored bytes of a text in the row at this index (from 0); null if there is none. */
  textBytes(column: string, number: number): Buffer | null {
    const cast = `SELECT CAST(${quoteSqliteName(column)} AS BLOB) ${this.#from}${this.#order()} LIMIT 1 OFFSET ?`;
    const value = this.#file.prepare<[number], SqliteValue>(cast).pluck().get(number);
    return Buffer.isBuffer(value) ? value : null;
  }

  /** Runs a query for each batch, so that no read transaction stays open in between. */
  *#byRowid(rowid: string, from: number): Generator<readonly SqliteRow[]> {
    const order = `ORDER BY ${rowid} LIMIT`;
    const first = from === 0 ? lowest : this.#rowidAt(rowid, from);
    if (first === null) return;
    const query = this.#file
      .prepare<[bigint], Selected>(`${this.#select} ${this.#from} WHERE ${rowid} >= ? ${order} ${batchRows}`)
      .raw();
    let next = first;
    for (;;) {
      const batch: SqliteRow[] = [];
      let bytes = 0;
      for (const [number, ofRow, ...values] of query.iterate(next)) {
        batch.push({ bytes: Number(ofRow), values });
        bytes += Number(ofRow);
        next = (number ?? lowest) + 1n;
        if (bytes > batchBytes) break;
      }
      if (batch.length === 0) return;
      yield batch;
      if (next === 2n ** 63n) return;
    }
  }

  #rowidAt(rowid: string, place: number): bigint | null {
    const query = `SELECT ${rowid} ${this.#from} ORDER BY ${rowid} LIMIT 1 OFFSET ?`;
    return this.#file.prepare<[number], bigint>(query).pluck().get(place) ?? null;
  }

  *#inOneGo(from: number): Generator<readonly SqliteRow[]> {
    const query = this.#file
      .prepare<[number], Selected>(`${this.#select} ${this.#from}${this.#order()} LIMIT -1 OFFSET ?`)
      .raw();
    let batch: SqliteRow[] = [];
    let bytes = 0;
    for (const [, ofRow, ...values] of query.iterate(from)) {
      batch.push({ bytes: Number(ofRow), values });
      bytes += Number(ofRow);
      if (batch.length < batchRows && bytes <= batchBytes) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) yield batch;
  }

  #order(): string {
    const { rowid, key } = this.#table;
    const by = rowid === null ? key.map(quoteSqliteName) : [rowid];
    return by.length === 0 ? '' : ` ORDER BY ${by.join(', ')}`;
  }
}
