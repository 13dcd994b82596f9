import type { SqlDialect } from './dialect.ts';
import { type Token, Tokens } from './tokens.ts';

/** A table as a dump has shown it so far. */
export interface KnownTable {
  /** With its database or schema, where it has one. */
  readonly name: string;
  /** All columns that its definition and its column lists name, in order. */
  readonly columns: Map<string, ColumnKind>;
  /** The columns of its CREATE TABLE: those of an INSERT that lists none. */
  defined: readonly string[] | null;
}

// The schema that everything is in unless something else is said.
const defaultSchemas = new Set(['public', 'dbo', 'main']);

/** The tables of a dump by their names. */
export class KnownTables {
  /** The schema (in MySQL: the database) of a name that is not qualified. */
  schema: string | null = null;
  /** The database of all names, where a dump holds several and they have schemas besides. */
  database: string | null = null;
  readonly #tables = new Map<string, KnownTable>();

  get all(): readonly KnownTable[] {
    return [...this.#tables.values()];
  }

  find(parts: readonly string[]): KnownTable | undefined {
    return this.#tables.get(this.#fullName(parts));
  }

  findOrAdd(parts: readonly string[]): KnownTable {
    const name = this.#fullName(parts);
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table: KnownTable = { name, columns: new Map(), defined: null };
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

/** The name that people use of each full name: without the database or schema, where that leaves no two alike. */
export function shortNames(fullNames: readonly string[]): readonly string[] {
  const times = new Map<string, number>();
  for (const name of fullNames) times.set(bare(name), (times.get(bare(name)) ?? 0) + 1);
  return fullNames.map((name) => (times.get(bare(name)) === 1 ? bare(name) : name));
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Columns whose values are bytes or bits, not text. */
type ColumnKind = 'text' | 'binary' | 'bit';

/** What a CREATE TABLE says of a table. */
interface TableDefinition {
  readonly name: readonly string[];
  readonly columns: ReadonlyMap<string, ColumnKind>;
}

const beginning =
  /^CREATE\s+(?:OR\s+REPLACE\s+)?(?:(?:GLOBAL|LOCAL|TEMPORARY|TEMP|UNLOGGED|FOREIGN|EXTERNAL|COLUMN)\s+)*TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?/i;
const constraints = new Set(['PRIMARY', 'UNIQUE', 'CONSTRAINT', 'FOREIGN', 'CHECK', 'EXCLUDE']);
// Words that begin an index in MySQL, and are legal names of columns elsewhere.
const indexes = new Set(['KEY', 'INDEX', 'FULLTEXT', 'SPATIAL', 'LIKE', 'PERIOD']);
const binary = /^(?:(?:tiny|medium|long)?blob|(?:var)?binary|geometry|point|linestring|polygon)$/i;

/** Reads a statement that creates a table with columns; null for any other. */
export function tableDefinition(statement: string, dialect: SqlDialect): TableDefinition | null {
  const begun = beginning.exec(statement)?.[0];
  if (begun === undefined) return null;
  const tokens = new Tokens(statement, begun.length, dialect);
  const name = tokens.qualified();
  if (name.length === 0 || !tokens.takes('(')) return null;
  const columns = new Map<string, ColumnKind>();
  for (let item = nextItem(tokens); item.length > 0; item = nextItem(tokens)) {
    const [first, second] = item;
    if (first !== undefined && isColumn(first, item)) columns.set(first.text, kindOf(second));
  }
  return columns.size === 0 ? null : { name, columns };
}

/** The tokens up to the comma or bracket that ends an item of the definition. */
function nextItem(tokens: Tokens): Token[] {
  const item: Token[] = [];
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

/** The last item; nothing comes after it. */
function endOf(tokens: Tokens, item: Token[]): Token[] {
  tokens.at = Number.MAX_SAFE_INTEGER;
  return item;
}

function isColumn(first: Token, item: readonly Token[]): boolean {
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

function kindOf(type: Token | undefined): ColumnKind {
  if (type?.kind !== 'word') return 'text';
  if (type.text.toLowerCase() === 'bit') return 'bit';
  return binary.test(type.text) ? 'binary' : 'text';
}
