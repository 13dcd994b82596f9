import { existsSync } from 'node:fs';
import { z } from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import type { Cell, Row } from '../../model/row.ts';
import {
  enumColumn,
  jsonColumn,
  nullableColumn,
  numberColumn,
  type TypedRow,
  textColumn,
} from '../../storage/columns.ts';
import { tryParseJson } from '../../storage/json.ts';
import { type PreparedQuery, prepareQuery, selectOne } from '../../storage/sql.ts';
import { isSqliteError, openSqlite, type SqliteConnection } from '../../storage/sqlite.ts';
import { RowLayout, TableRow } from '../rows.ts';

/** The cells and lists of a row, without those of rows joined to it. */
export type RowCells = Pick<Row, 'cell' | 'entries' | 'list'>;

/** Creates a row of the staging file at `path`; its cells are parsed on first use. */
function storedRow(layout: RowLayout, text: string, path: string): RowCells {
  let known: TableRow | undefined;
  const row = () => {
    known ??= new TableRow(0, layout, storedJson(text, isCells, path));
    return known;
  };
  return {
    cell: (column) => row().cell(column),
    entries: () => row().entries(),
    list: (name) => row().list(name),
  };
}

function isCells(value: unknown): value is readonly Cell[] {
  return Array.isArray(value) && value.every((cell) => cell === null || typeof cell === 'string');
}

/** Parses a JSON text of a staging file. Throws a FatalError if it is not of the expected type. */
function storedJson<T>(text: string, isExpected: (value: unknown) => value is T, path: string): T {
  try {
    const value: unknown = JSON.parse(text);
    if (isExpected(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw unreadable(path, 'a row was changed');
}

function unreadable(file: string, reason: string, cause?: unknown): FatalError {
  const what = `${file}, where rows of the dump are kept, cannot be read: ${reason}.`;
  const next = `Remove it (rm ${file}) and continue: it is created again.`;
  return new FatalError('unexpected', what, { place: { file }, next, cause });
}

/** The version of the staging format. */
export const stagingFormatVersion = 4;

const factsSchema = z.object({
  version: z.literal(stagingFormatVersion),
  fingerprint: z.string(),
  columns: z.array(z.string()).nullable(),
  /** The number of all rows, staged or not. */
  rows: z.number(),
  /** The number of keys with several rows, the number of these rows, and an example of a key. */
  several: z.object({ keys: z.number(), rows: z.number(), example: z.string().nullable() }),
  /** The number of broken rows, with line and code of the first few. */
  broken: z.object({ rows: z.number(), first: z.array(z.object({ line: z.number(), code: z.string() })) }),
});

/** The facts of a staged table, as its file stores them. */
export type StagedTableFacts = z.output<typeof factsSchema>;

/** A row of a staged table. */
export interface StagedRow {
  readonly row: RowCells;
  /** The length of its cells as JSON, in characters. */
  readonly bytes: number;
  /** The number of the row in its table, from 1. */
  readonly number: number;
}

const notStagedReasons = ['filtered', 'otherKind', 'emptyId', 'broken'] as const;

const stagingStatusColumns = {
  line: numberColumn,
  key: nullableColumn(textColumn),
  /**
   * The id of a row that is not staged; null if the row is filtered or broken, or has no id. For a staged row always
   * null: its id is read from its cells.
   */
  id: nullableColumn(textColumn),
  /** The reason why the row is not staged; null if it is. */
  notStaged: nullableColumn(enumColumn(notStagedReasons)),
};

/** The line, key and id of a row, staged or not, and the reason if it is not. */
export type RowStagingStatus = TypedRow<typeof stagingStatusColumns>;

const storedColumns = { number: numberColumn, layout: numberColumn, cells: textColumn };
type Stored = TypedRow<typeof storedColumns>;

const columnsSchema = z.array(z.string());

/** The maximum number of cached row layouts. */
export const maxCachedLayouts = 1000;

/**
 * Returns the SQL that creates the tables of a staging file; the index is created after the rows. `found` has the
 * staged rows by key: a row whose cells may hold several keys is there once for each.
 */
export function stagingSchemaSql(hasSeveralKeys: boolean): string {
  return hasSeveralKeys ? tablesSql + severalKeysSql : tablesSql + oneKeySql;
}

/** Returns the SQL that creates the index of a staging file. */
export function stagingIndexSql(hasSeveralKeys: boolean): string {
  return `CREATE INDEX by_key ON ${hasSeveralKeys ? 'keys' : 'rows'} (key)`;
}

const oneKeySql = 'CREATE VIEW found AS SELECT key, number, layout, cells FROM rows;';

const severalKeysSql = `
  CREATE TABLE keys (key TEXT NOT NULL, number INTEGER NOT NULL);
  CREATE VIEW found AS SELECT keys.key, rows.number, layout, cells FROM keys JOIN rows USING (number);
`;

const tablesSql = `
  CREATE TABLE facts (text TEXT NOT NULL);
  CREATE TABLE layouts (number INTEGER PRIMARY KEY, columns TEXT NOT NULL);
  CREATE TABLE rows (number INTEGER PRIMARY KEY, line INTEGER NOT NULL, key TEXT NOT NULL, layout INTEGER NOT NULL, cells TEXT NOT NULL);
  CREATE TABLE leftover (number INTEGER PRIMARY KEY, line INTEGER NOT NULL, key TEXT, id TEXT, because TEXT NOT NULL);
`;

/**
 * Opens a staged table; returns null if it is missing or unreadable, or has another fingerprint or format
 * version.
 */
export function openStagedTable(path: string, fingerprint: string): StagedTable | null {
  if (!existsSync(path)) return null;
  const file = openSqlite(path, { readonly: true });
  let table: StagedTable | null = null;
  try {
    const facts = factsIn(file);
    if (facts?.fingerprint === fingerprint) table = new StagedTable(file, facts);
  } catch (error) {
    // The caller replaces an unreadable file with a new one.
    if (!(isSqliteError(error) || error instanceof SyntaxError)) throw error;
  } finally {
    if (table === null) file.close();
  }
  return table;
}

function factsIn(file: SqliteConnection): StagedTableFacts | null {
  const found = selectOne(file, { text: textColumn })`SELECT text FROM facts`;
  return (found && tryParseJson(found.text, factsSchema)) ?? null;
}

/** Returns the id of a row: the cell of an id column, else the first cell; null if that is empty. */
export function readRowId(table: string, row: RowCells): string | null {
  const entries = row.entries();
  const [, cell = null] = entries.find(([column]) => isIdColumn(table, column)) ?? entries[0] ?? [];
  return cell === '' ? null : cell;
}

/** Returns true for a column that has the ids of a table's rows, by its name. */
export function isIdColumn(table: string, column: string): boolean {
  const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const name = bare(table);
  return ['id', 'recordid', `${name}id`, `${name.replace(/s$/, '')}id`].includes(bare(column));
}

/** An open staging file: the rows of a joined table, indexed by key. */
export class StagedTable {
  readonly facts: StagedTableFacts;
  readonly #file: SqliteConnection;
  readonly #find: PreparedQuery<Stored>;
  readonly #columns: PreparedQuery<{ readonly columns: readonly string[] }>;
  readonly #layouts = new Map<number, RowLayout>();

  constructor(file: SqliteConnection, facts: StagedTableFacts) {
    file.pragma('cache_size = -2000');
    this.#file = file;
    this.facts = facts;
    this.#find = prepareQuery(
      file,
      storedColumns,
      'SELECT number, layout, cells FROM found WHERE key = ? ORDER BY number',
    );
    this.#columns = prepareQuery(
      file,
      { columns: jsonColumn(columnsSchema) },
      'SELECT columns FROM layouts WHERE number = ?',
    );
  }

  /** Yields the rows of a key, in order. */
  *rows(key: string): Generator<StagedRow> {
    try {
      for (const { number, layout, cells } of this.#find.iterate(key))
        yield { row: storedRow(this.#layout(layout), cells, this.#file.name), bytes: cells.length, number };
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      throw unreadable(this.#file.name, error.message, error);
    }
  }

  /** Returns the status of a row by its number, staged or not; undefined beyond the last. */
  numbered(number: number): RowStagingStatus | undefined {
    return selectOne(this.#file, stagingStatusColumns)`
      SELECT line, key, NULL AS id, NULL AS notStaged FROM rows WHERE number = ${number}
      UNION ALL SELECT line, key, id, because FROM leftover WHERE number = ${number}`;
  }

  /** Returns the number of the first row with a key; undefined if there is none. */
  firstOf(key: string): number | undefined {
    return selectOne(this.#file, { number: numberColumn })`
      SELECT number FROM found WHERE key = ${key} ORDER BY number LIMIT 1`?.number;
  }

  /** Returns the cells of a staged row by its number; undefined if the row is not staged. */
  row(number: number): RowCells | undefined {
    const found = selectOne(
      this.#file,
      storedColumns,
    )`SELECT number, layout, cells FROM rows WHERE number = ${number}`;
    return found && storedRow(this.#layout(found.layout), found.cells, this.#file.name);
  }

  close(): void {
    this.#file.close();
  }

  #layout(number: number): RowLayout {
    const known = this.#layouts.get(number);
    if (known !== undefined) return known;
    const layout = new RowLayout(this.#columns.get(number)?.columns ?? []);
    if (this.#layouts.size >= maxCachedLayouts) this.#layouts.clear();
    this.#layouts.set(number, layout);
    return layout;
  }
}
