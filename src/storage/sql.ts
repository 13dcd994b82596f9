import type { SqliteFile, Statement } from './sqlite.ts';

/** What a column holds, and what a query is given. */
export type SqlValue = string | number | null;

/** A record as its table has it: with JSON in the place of what is no plain value. */
export type Stored<T, Json extends keyof T> = Omit<T, Json> & { readonly [K in Json]: string };

/** The rows of a query; the values in its text are bound. */
export function select<Row>(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): Row[] =>
    file.prepare<SqlValue[], Row>(text.join('?')).all(...values);
}

/** The first row of a query, if there is one; the values in its text are bound. */
export function selectOne<Row>(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): Row | undefined =>
    file.prepare<SqlValue[], Row>(text.join('?')).get(...values);
}

/** The number that a query counts, as `SELECT count(*) AS n`. */
export function selectCount(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): number =>
    selectOne<{ n: number }>(file)(text, ...values)?.n ?? 0;
}

/** Changes what a statement says, whose values are bound; it is prepared once. */
export function change(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): void => {
    write(file, text.join('?'), values);
  };
}

/** A row to write: its values by the names of their columns. */
type NewRow = Readonly<Record<string, SqlValue>>;

/** Adds a row, and gives its number. */
export function insert(file: SqliteFile, table: string, row: NewRow): number {
  return add(file, `INSERT INTO ${table}`, row);
}

/** Adds a row in place of one with the same key. */
export function put(file: SqliteFile, table: string, row: NewRow): void {
  add(file, `REPLACE INTO ${table}`, row);
}

function add(file: SqliteFile, into: string, row: NewRow): number {
  const names = Object.keys(row);
  const text = `${into} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  return write(file, text, Object.values(row));
}

const prepared = new WeakMap<SqliteFile, Map<string, Statement<SqlValue[]>>>();

function write(file: SqliteFile, text: string, values: readonly SqlValue[]): number {
  const known = prepared.get(file) ?? new Map<string, Statement<SqlValue[]>>();
  prepared.set(file, known);
  const statement = known.get(text) ?? file.prepare<SqlValue[]>(text);
  known.set(text, statement);
  return Number(statement.run(...values).lastInsertRowid);
}

/** JSON for a column that may be empty. */
export function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** What the JSON of a column says; null for an empty one. */
export function fromJson<T>(text: string | null | undefined): T | null {
  return text === null || text === undefined ? null : JSON.parse(text);
}
