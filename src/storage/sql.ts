import type { SqliteFile, Statement } from './sqlite.ts';

/** What a column holds, and what a query is given. */
export type SqlValue = string | number | null;

/** A record as its table has it: with JSON in the place of what is no plain value. */
export type Stored<T, Json extends keyof T> = Omit<T, Json> & { readonly [K in Json]: string };

/** The rows of a query; the values in its text are bound. */
export function select<Row>(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): Row[] =>
    queried(file, text).all(...values);
}

/** The first row of a query, if there is one; the values in its text are bound. */
export function selectOne<Row>(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): Row | undefined =>
    queried(file, text).get(...values);
}

/** The number that a query counts, as `SELECT count(*) AS n`. */
export function selectCount(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): number =>
    selectOne<{ n: number }>(file)(text, ...values)?.n ?? 0;
}

/** Changes what a statement says, whose values are bound. What is written for every row is written so, the rest by `put`. */
export function change(file: SqliteFile) {
  return (text: TemplateStringsArray, ...values: readonly SqlValue[]): void => {
    queried(file, text).run(...values);
  };
}

/** A row to write: its values by the names of their columns. */
type NewRow = Readonly<Record<string, SqlValue>>;

/** Adds a row, and gives its number. */
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
  const statement = preparedIn(file).get(text) ?? prepare(file, text, text);
  return Number(statement.run(...Object.values(row)).lastInsertRowid);
}

/** A statement whose rows are what its caller says they are. */
type AnyStatement = Statement<SqlValue[], never>;

/** The strings of a template are one object for as long as the program runs, so that its statement is found at once. */
function queried(file: SqliteFile, text: TemplateStringsArray): AnyStatement {
  return preparedIn(file).get(text) ?? prepare(file, text, text.join('?'));
}

const prepared = new WeakMap<SqliteFile, Map<unknown, AnyStatement>>();

function preparedIn(file: SqliteFile): Map<unknown, AnyStatement> {
  const known = prepared.get(file);
  if (known !== undefined) return known;
  const none = new Map<unknown, AnyStatement>();
  prepared.set(file, none);
  return none;
}

function prepare(file: SqliteFile, key: unknown, sql: string): AnyStatement {
  const statement = file.prepare<SqlValue[], never>(sql);
  preparedIn(file).set(key, statement);
  return statement;
}

/** JSON for a column that may be empty. */
export function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** What the JSON of a column says; null for an empty one. */
export function fromJson<T>(text: string | null | undefined): T | null {
  return text === null || text === undefined ? null : JSON.parse(text);
}
