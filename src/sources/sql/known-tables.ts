import type { ColumnKind, TableDefinition } from './create-table.ts';

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
const unsaid = new Set(['public', 'dbo', 'main']);

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

  named(parts: readonly string[]): KnownTable {
    const name = this.#fullName(parts);
    const known = this.#tables.get(name);
    if (known !== undefined) return known;
    const table: KnownTable = { name, columns: new Map(), defined: null };
    this.#tables.set(name, table);
    return table;
  }

  define({ name, columns }: TableDefinition): void {
    const table = this.named(name);
    table.defined = [...columns.keys()];
    for (const [column, kind] of columns) table.columns.set(column, kind);
  }

  #fullName(parts: readonly string[]): string {
    const qualified = parts.length === 1 && this.schema !== null ? [this.schema, ...parts] : parts;
    const whole = qualified.length < 3 && this.database !== null ? [this.database, ...qualified] : qualified;
    return whole.filter((part, index) => index === whole.length - 1 || !unsaid.has(part)).join('.');
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
