import { FatalError } from '../model/fatal-error.ts';
import { type Column, ColumnError, type Columns, number, type RowOf } from './columns.ts';
import type { SqliteFile, Statement } from './sqlite.ts';

/** A value of a column or of a query. */
export type SqlValue = string | number | null;

/** A query of which only the values differ from call to call. */
export interface Query<Row> {
  get(...values: readonly SqlValue[]): Row | undefined;
  all(...values: readonly SqlValue[]): Row[];
  iterate(...values: readonly SqlValue[]): Iterable<Row>;
}

/**
 * Prepares a query. Throws a FatalError('input') at a row that its columns do not fit, which names the file, the table and
 * the row; so do `select` and `selectOne`.
 */
export function query<C extends Columns>(file: SqliteFile, columns: C, sql: string): Query<RowOf<C>> {
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

/** The rows of a query; the values in its text are bound. */
export function select<C extends Columns>(file: SqliteFile, columns: C) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): RowOf<C>[] => {
    const prepared = preparedText(file, text, columns);
    return prepared.statement.all(...values).map((row) => checked<C>(prepared, row, values));
  };
}

/** The first row of a query, if there is one; the values in its text are bound. */
export function selectOne<C extends Columns>(file: SqliteFile, columns: C) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): RowOf<C> | undefined => {
    const prepared = preparedText(file, text, columns);
    const row = prepared.statement.get(...values);
    return row && checked<C>(prepared, row, values);
  };
}

/** Whether a query has a row, as `SELECT 1 FROM`. */
export function exists(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): boolean =>
    preparedText(file, text, {}).statement.get(...values) !== undefined;
}

const counted = { n: number };

/** The number that a query counts, as `SELECT count(*) AS n`. */
export function selectCount(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): number =>
    selectOne(file, counted)(text, ...values)?.n ?? 0;
}

/** Runs a statement whose values are bound. What is written for every row is written so, the rest by `put`. */
export function change(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): void => {
    preparedText(file, text, {}).statement.run(...values);
  };
}

/** A row to write: its values by the names of their columns. */
type NewRow = Readonly<Record<string, SqlValue>>;

/** Adds a row, and returns its number. */
export function insert(file: SqliteFile, table: string, row: NewRow): number {
  return add(file, 'INSERT', table, row);
}

/** Adds a row in place of one with the same key. */
export function put(file: SqliteFile, table: string, row: NewRow): void {
  add(file, 'REPLACE', table, row);
}

function add(file: SqliteFile, verb: 'INSERT' | 'REPLACE', table: string, row: NewRow): number {
  const names = Object.keys(row).join(', ');
  const text = `${verb} INTO ${table} (${names}) VALUES (${names.replaceAll(/\w+/g, '?')})`;
  const { statement } = statementsOf(file).get(text) ?? keep(file, text, prepare(file, text, {}));
  return Number(statement.run(...Object.values(row)).lastInsertRowid);
}

/** A row as SQLite returns it. */
type StoredRow = Record<string, unknown>;

interface Prepared {
  readonly statement: Statement<SqlValue[], StoredRow>;
  readonly columns: readonly (readonly [name: string, column: Column<unknown>])[];
}

/** The strings of a template are one object for as long as the program runs, so that its statement is found at once. */
function preparedText(file: SqliteFile, text: TemplateStringsArray, columns: Columns): Prepared {
  return statementsOf(file).get(text) ?? keep(file, text, prepare(file, text.join('?'), columns));
}

function prepare(file: SqliteFile, sql: string, columns: Columns): Prepared {
  return { statement: file.prepare<SqlValue[], StoredRow>(sql), columns: Object.entries(columns) };
}

const statements = new WeakMap<SqliteFile, Map<unknown, Prepared>>();

function statementsOf(file: SqliteFile): Map<unknown, Prepared> {
  const known = statements.get(file);
  if (known !== undefined) return known;
  const none = new Map<unknown, Prepared>();
  statements.set(file, none);
  return none;
}

function keep(file: SqliteFile, key: unknown, prepared: Prepared): Prepared {
  statementsOf(file).set(key, prepared);
  return prepared;
}

function checked<C extends Columns>(
  prepared: Prepared,
  row: StoredRow,
  values: readonly SqlValue[],
): RowOf<C> {
  readColumns<C>(prepared, row, values);
  return row;
}

/** Puts in the place of each stored value what its column reads. */
function readColumns<C extends Columns>(
  { statement, columns }: Prepared,
  row: StoredRow,
  values: readonly SqlValue[],
): asserts row is RowOf<C> {
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

/** Names the row by its numbers alone: other values may say whose row it is. */
function brokenRow(
  statement: Prepared['statement'],
  name: string,
  row: StoredRow,
  values: readonly SqlValue[],
  cause: ColumnError,
): FatalError {
  const found = statement.columns().find((column) => column.name === name);
  const table = found?.table ?? /\bFROM (\w+)/.exec(statement.source)?.[1];
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

/** JSON for a column that may be empty. */
export function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
