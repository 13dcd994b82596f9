import type { SqlDialect } from './dialect.ts';
import { type SqlToken, SqlTokenizer } from './tokens.ts';

/** A table of a dump, with the columns that the scan has found. */
export interface SqlTable {
  /** The name with its database and schema, if the dump states them; default ones are left out. */
  readonly name: string;
  /** The kind of each column of its CREATE TABLE and of column lists, in order of appearance. */
  readonly columns: Map<string, ColumnKind>;
  /** The columns of its CREATE TABLE, used by an INSERT without a column list; null before it is read. */
  defined: readonly string[] | null;
}

// The default schemas of the databases, left out of full names.
const defaultSchemas = new Set(['public', 'dbo', 'main']);

/** The tables of a dump by their names. */
export class SqlTableRegistry {
  /** The current schema (in MySQL: database) of unqualified names. */
  schema: string | null = null;
  /** The current database, in dumps of several databases with schemas. */
  database: string | null = null;
  readonly #tables = new Map<string, SqlTable>();

  get all(): readonly SqlTable[] {
    return [...this.#tables.values()];
  }

  find(parts: readonly string[]): SqlTable | undefined {
    return this.#tables.get(this.#fullName(parts));
  }

  findOrAdd(parts: readonly string[]): SqlTable {
    const name = this.#fullName(parts);
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table: SqlTable = { name, columns: new Map(), defined: null };
    this.#tables.set(name, table);
    return table;
  }

  define({ name, columns }: TableDefinition): void {
    const table = this.findOrAdd(name);
    table.defined = [...columns.keys()];
    for (const [column, kind] of columns) table.columns.set(column, kind);
  }

  #fullName(parts: readonly string[]): string {
    const qualified = parts.length === 1 && this.schema !== null ? [this.schema, ...parts] : parts;
    const whole = qualified.length < 3 && this.database !== null ? [this.database, ...qualified] : qualified;
    return whole.filter((part, index) => index === whole.length - 1 || !defaultSchemas.has(part)).join('.');
  }
}

/**
 * Returns the short name of each full name: without database and schema, unless two tables would then have the same
 * name.
 */
export function shortenTableNames(fullNames: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  for (const name of fullNames) times.set(bare(name), (times.get(bare(name)) ?? 0) + 1);
  return fullNames.map((name) => (times.get(bare(name)) === 1 ? bare(name) : name));
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** The kind of a column's values: text, bytes or bits. */
type ColumnKind = 'text' | 'binary' | 'bit';

/** The name and columns of a CREATE TABLE. */
interface TableDefinition {
  readonly name: readonly string[];
  readonly columns: ReadonlyMap<string, ColumnKind>;
}

const beginning =
  /^CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:GLOBAL|LOCAL|TEMPORARY|TEMP|UNLOGGED|FOREIGN|EXTERNAL|COLUMN)\s+)*TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?/i;
const constraints = new Set(['PRIMARY', 'UNIQUE', 'CONSTRAINT', 'FOREIGN', 'CHECK', 'EXCLUDE']);
// Words that begin an index in MySQL and are legal column names elsewhere.
const indexes = new Set(['KEY', 'INDEX', 'FULLTEXT', 'SPATIAL', 'LIKE', 'PERIOD']);
const binary = /^(?:(?:tiny|medium|long)?blob|(?:var)?binary|geometry|point|linestring|polygon)$/i;

/** Parses a CREATE TABLE with columns; returns null for any other statement. */
export function parseCreateTable(statement: string, dialect: SqlDialect): TableDefinition | null {
  const begun = beginning.exec(statement)?.[0];
  if (begun === undefined) return null;
  const tokens = new SqlTokenizer(statement, begun.length, dialect);
  const name = tokens.qualified();
  if (name.length === 0 || !tokens.takes('(')) return null;
  const columns = new Map<string, ColumnKind>();
  for (let item = nextItem(tokens); item.length > 0; item = nextItem(tokens)) {
    const [first, second] = item;
    if (first !== undefined && isColumn(first, item)) columns.set(first.text, kindOf(second));
  }
  return columns.size === 0 ? null : { name, columns };
}

/** Reads the tokens of the next item of the definition; empty after the last. */
function nextItem(tokens: SqlTokenizer): SqlToken[] {
  const item: SqlToken[] = [];
  let depth = 0;
  for (;;) {
    const token = tokens.next();
    if (token.kind === 'end') return [];
    if (token.kind === 'character') {
      if (token.text === ')' && depth === 0) return endOf(tokens, item);
      if (token.text === ',' && depth === 0) return item;
      if (token.text === '(') depth += 1;
      if (token.text === ')') depth -= 1;
    }
    item.push(token);
  }
}

/**
 * Moves the tokenizer past the statement, so that the next call of `nextItem` returns an empty item. Returns `item`,
 * which is the last one.
 */
function endOf(tokens: SqlTokenizer, item: SqlToken[]): SqlToken[] {
  tokens.at = Number.MAX_SAFE_INTEGER;
  return item;
}

function isColumn(first: SqlToken, item: readonly SqlToken[]): boolean {
  if (first.kind === 'name') return true;
  if (first.kind !== 'word') return false;
  const word = first.text.toUpperCase();
  if (constraints.has(word)) return false;
  if (!indexes.has(word)) return true;
  // `key varchar(255)` is a column, `key by_name (name)` is not.
  const bracket = item.findIndex(({ text }) => text === '(');
  const inBrackets = item[bracket + 1];
  return item.length > 1 && (bracket === -1 || /^\d/.test(inBrackets?.text ?? ''));
}

function kindOf(type: SqlToken | undefined): ColumnKind {
  if (type?.kind !== 'word') return 'text';
  if (type.text.toLowerCase() === 'bit') return 'bit';
  return binary.test(type.text) ? 'binary' : 'text';
}
