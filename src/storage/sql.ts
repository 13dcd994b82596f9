import { FatalError } from '../model/fatal-error.ts';
import {
  ColumnError,
  type ColumnReader,
  type ColumnReaders,
  numberColumn,
  type TypedRow,
} from './columns.ts';
import type { SqliteConnection, SqliteStatement } from './sqlite.ts';

/** A value that is stored in a column or bound to a query. */
export type SqlValue = string | number | null;

/** A prepared query that is run with different values. */
export interface PreparedQuery<Row> {
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
  iterate(...values: readonly SqlValue[]): Iterable<Row>;
}

/**
 * Prepares a query. Running it throws a FatalError('input') if the reader of a column refuses a stored value; the error
 * names the file, the table and the row. `select` and `selectOne` do the same.
 */
export function prepareQuery<C extends ColumnReaders>(
  file: SqliteConnection,
  columns: C,
  sql: string,
): PreparedQuery<TypedRow<C>> {
  const prepared = prepare(file, sql, columns);
  const { statement } = prepared;
  return {
    get(...values) {
      const row = statement.get(...values);
      return row && checked<C>(prepared, row, values);
    },
    all: (...values) => statement.all(...values).map((row) => checked<C>(prepared, row, values)),
    *iterate(...values) {
      for (const row of statement.iterate(...values)) yield checked<C>(prepared, row, values);
    },
  };
}

/** Returns a template tag that returns the rows of its query; values in the template are bound. */
export function select<C extends ColumnReaders>(file: SqliteConnection, columns: C) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): TypedRow<C>[] => {
    const prepared = preparedText(file, text, columns);
    return prepared.statement.all(...values).map((row) => checked<C>(prepared, row, values));
  };
}

/** Returns a template tag that returns the first row of its query, or undefined; values in the template are bound. */
export function selectOne<C extends ColumnReaders>(file: SqliteConnection, columns: C) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): TypedRow<C> | undefined => {
    const prepared = preparedText(file, text, columns);
    const row = prepared.statement.get(...values);
    return row && checked<C>(prepared, row, values);
  };
}

/** Returns a template tag that returns true if its query, such as `SELECT 1 FROM …`, has a row. */
export function hasRow(file: SqliteConnection) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): boolean =>
    preparedText(file, text, {}).statement.get(...values) !== undefined;
}

const counted = { n: numberColumn };

/** Returns a template tag that returns the column `n` of its query, such as `SELECT count(*) AS n`. */
export function selectCount(file: SqliteConnection) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): number =>
    selectOne(file, counted)(text, ...values)?.n ?? 0;
}

/** Returns a template tag that runs its statement; values in the template are bound. It is faster than `insertRow`. */
export function runSql(db: SqliteConnection) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): void => {
    preparedText(db, text, {}).statement.run(...values);
  };
}

/** A row to write: its values by the names of their columns. */
type NewRow = Readonly<Record<string, SqlValue>>;

/** Inserts a row and returns its rowid. */
export function insertRow(file: SqliteConnection, table: string, row: NewRow): number {
  return add(file, 'INSERT', table, row);
}

/** Inserts a row, replacing one with the same key. */
export function replaceRow(file: SqliteConnection, table: string, row: NewRow): void {
  add(file, 'REPLACE', table, row);
}

function add(file: SqliteConnection, verb: 'INSERT' | 'REPLACE', table: string, row: NewRow): number {
  const names = Object.keys(row).join(', ');
  const text = `${verb} INTO ${table} (${names}) VALUES (${names.replaceAll(/\w+/g, '?')})`;
  const { statement } = statementsOf(file).get(text) ?? keep(file, text, prepare(file, text, {}));
  return Number(statement.run(...Object.values(row)).lastInsertRowid);
}

/** A row as SQLite returns it. */
type StoredRow = Record<string, unknown>;

interface Prepared {
  readonly statement: SqliteStatement<SqlValue[], StoredRow>;
  readonly columns: readonly (readonly [name: string, column: ColumnReader<unknown>])[];
}

/**
 * Returns the prepared statement of a template, cached by the array of its strings, which is the same object each time.
 */
function preparedText(file: SqliteConnection, text: TemplateStringsArray, columns: ColumnReaders): Prepared {
  return statementsOf(file).get(text) ?? keep(file, text, prepare(file, text.join('?'), columns));
}

function prepare(file: SqliteConnection, sql: string, columns: ColumnReaders): Prepared {
  return { statement: file.prepare<SqlValue[], StoredRow>(sql), columns: Object.entries(columns) };
}

const statements = new WeakMap<SqliteConnection, Map<unknown, Prepared>>();

function statementsOf(file: SqliteConnection): Map<unknown, Prepared> {
  const known = statements.get(file);
  if (known !== undefined) return known;
  const none = new Map<unknown, Prepared>();
  statements.set(file, none);
  return none;
}

function keep(file: SqliteConnection, key: unknown, prepared: Prepared): Prepared {
  statementsOf(file).set(key, prepared);
  return prepared;
}

function checked<C extends ColumnReaders>(
  prepared: Prepared,
  row: StoredRow,
  values: readonly SqlValue[],
): TypedRow<C> {
  readColumns<C>(prepared, row, values);
  return row;
}

/** Replaces each stored value of a row by the one that its column's reader returns. */
function readColumns<C extends ColumnReaders>(
  { statement, columns }: Prepared,
  row: StoredRow,
  values: readonly SqlValue[],
): asserts row is TypedRow<C> {
  for (const [name, column] of columns) {
    const stored = row[name];
    try {
      const value = column(stored);
      if (value !== stored) row[name] = value;
    } catch (error) {
      throw error instanceof ColumnError ? brokenRow(statement, name, row, values, error) : error;
    }
  }
}

/**
 * Returns the error of a value that cannot be read; it names the row by numbers only, since other values may be
 * personal.
 */
function brokenRow(
  statement: Prepared['statement'],
  name: string,
  row: StoredRow,
  values: readonly SqlValue[],
  cause: ColumnError,
): FatalError {
  const found = statement.columns().find((column) => column.name === name);
  // A view `…_json` shows its table with unpacked columns.
  const table = found?.table ?? /\bFROM (\w+?)(?:_json)?\b/.exec(statement.source)?.[1];
  const asked = statement.source
    .split('?')
    .flatMap((before, n) => [[/(\w+) (?:=|IS) $/.exec(before)?.[1] ?? name, values[n]] as const]);
  const numbers = [...new Map([...asked, ...Object.entries(row)])].flatMap(([column, value]) =>
    typeof value === 'number' && column !== name ? [`${column} ${value}`] : [],
  );
  const where = [`table ${table}`, ...numbers].join(', ');
  return new FatalError('input', `${where}: the column ${found?.column ?? name} ${cause.message}.`, {
    place: { file: statement.database.name },
    next: 'Restore this file from a backup. Without one, move it away: what it remembers is then lost.',
    cause,
  });
}

/** Returns a value as JSON text for a column; null for null and undefined. */
export function toJsonOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
