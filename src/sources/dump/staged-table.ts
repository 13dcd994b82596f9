import { existsSync } from 'node:fs';
import { z } from 'zod';
import { FatalError } from '../../model/fatal-error.ts';
import type { Cell } from '../../model/row.ts';
import { jsonOf, nullable, number, oneOf, type RowOf, text } from '../../storage/columns.ts';
import { readJson } from '../../storage/json.ts';
import { type Query, query, selectOne } from '../../storage/sql.ts';
import { isSqliteError, openSqlite, type SqliteFile } from '../../storage/sqlite.ts';
import { RowLayout, TableRow } from '../rows.ts';
import type { SoleRow } from './joined-row.ts';

/** A row out of a staged table; its cells are text until somebody asks for one. */
function storedRow(layout: RowLayout, text: string): SoleRow {
  let known: TableRow | undefined;
  const row = () => {
    if (known !== undefined) return known;
    const parsed: unknown = JSON.parse(text);
    known = new TableRow(0, layout, isCells(parsed) ? parsed : []);
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

/** Changes with the way in which rows are kept. */
export const stagedVersion = 3;

const factsSchema = z.object({
  version: z.literal(stagedVersion),
  fingerprint: z.string(),
  columns: z.array(z.string()).nullable(),
  /** All rows of the table, those that are not staged included. */
  rows: z.number(),
  /** Keys of several rows, the rows that they have, and one of them. */
  several: z.object({ keys: z.number(), rows: z.number(), example: z.string().nullable() }),
  /** Rows that are broken and cannot be found by any key, and where the first of them stand. */
  broken: z.object({ rows: z.number(), first: z.array(z.object({ line: z.number(), code: z.string() })) }),
});

/** What is known of a staged table. */
export type StagedFacts = z.output<typeof factsSchema>;

/** A row of a staged table. */
export interface StagedRow {
  readonly row: SoleRow;
  /** What its cells take on the disk. */
  readonly bytes: number;
  /** Which row of its table it is, 1 being the first. */
  readonly number: number;
}

/** Why a row is not staged. */
export type LeftBecause = (typeof leftReasons)[number];

/** A row of the table by its number: staged, or left out. */
export interface NumberedRow {
  readonly line: number;
  readonly key: string | null;
  /** Its own id; null where it is staged, so that its cells say it. */
  readonly id: string | null;
  /** Null where it is staged. */
  readonly left: LeftBecause | null;
}

const storedColumns = { number, layout: number, cells: text };
type Stored = RowOf<typeof storedColumns>;

const leftReasons = ['filtered', 'otherKind', 'emptyId', 'broken'] as const;
const numberedRow = {
  line: number,
  key: nullable(text),
  id: nullable(text),
  left: nullable(oneOf(leftReasons)),
};
const columnsSchema = z.array(z.string());

/** So many sets of columns are remembered while rows are read or written. */
export const mostLayouts = 1000;

/** The tables of a file in which rows are staged; their index is made when all are there. */
export const stagedTables = `
  CREATE TABLE facts (text TEXT NOT NULL);
  CREATE TABLE layouts (number INTEGER PRIMARY KEY, columns TEXT NOT NULL);
  CREATE TABLE rows (number INTEGER PRIMARY KEY, line INTEGER NOT NULL, key TEXT NOT NULL, layout INTEGER NOT NULL, cells TEXT NOT NULL);
  CREATE TABLE leftover (number INTEGER PRIMARY KEY, line INTEGER NOT NULL, key TEXT, id TEXT, because TEXT NOT NULL);
`;

/** Opens what is staged at a path; null where it is not there, or is not of this fingerprint. */
export function openStaged(path: string, fingerprint: string): StagedTable | null {
  if (!existsSync(path)) return null;
  const file = openSqlite(path, { readonly: true });
  let table: StagedTable | null = null;
  try {
    const facts = factsIn(file);
    if (facts?.fingerprint === fingerprint) table = new StagedTable(file, facts);
  } catch (error) {
    // Where the file was changed it is created again.
    if (!(isSqliteError(error) || error instanceof SyntaxError)) throw error;
  } finally {
    if (table === null) file.close();
  }
  return table;
}

function factsIn(file: SqliteFile): StagedFacts | null {
  const found = selectOne(file, { text })`SELECT text FROM facts`;
  return (found && readJson(found.text, factsSchema)) ?? null;
}

/** The id that a row of a table has itself, by which a person finds it in the file: of a column of that name, else its first cell. */
export function ownId(table: string, row: SoleRow): string | null {
  const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const name = bare(table);
  const ids = new Set(['id', 'recordid', `${name}id`, `${name.replace(/s$/, '')}id`]);
  const entries = row.entries();
  const [, cell = null] = entries.find(([column]) => ids.has(bare(column))) ?? entries[0] ?? [];
  return cell === '' ? null : cell;
}

/** A table on disk whose rows are found by their key. */
export class StagedTable {
  readonly facts: StagedFacts;
  readonly #file: SqliteFile;
  readonly #find: Query<Stored>;
  readonly #columns: Query<{ readonly columns: readonly string[] }>;
  readonly #layouts = new Map<number, RowLayout>();

  constructor(file: SqliteFile, facts: StagedFacts) {
    file.pragma('cache_size = -8000');
    this.#file = file;
    this.facts = facts;
    this.#find = query(
      file,
      storedColumns,
      'SELECT number, layout, cells FROM rows WHERE key = ? ORDER BY number',
    );
    this.#columns = query(
      file,
      { columns: jsonOf(columnsSchema) },
      'SELECT columns FROM layouts WHERE number = ?',
    );
  }

  /** The rows of a key in their order, as they are asked for. */
  *rows(key: string): Generator<StagedRow> {
    try {
      for (const { number, layout, cells } of this.#find.iterate(key))
        yield { row: storedRow(this.#layout(layout), cells), bytes: cells.length, number };
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      const file = this.#file.name;
      const what = `${file}, where rows of the dump are kept, cannot be read: ${error.message}.`;
      const next = `Remove it (rm ${file}) and continue: it is created again.`;
      throw new FatalError('unexpected', what, { place: { file }, next, cause: error });
    }
  }

  /** The row of a number; undefined beyond the last. */
  numbered(number: number): NumberedRow | undefined {
    return selectOne(this.#file, numberedRow)`
      SELECT line, key, NULL AS id, NULL AS left FROM rows WHERE number = ${number}
      UNION ALL SELECT line, key, id, because FROM leftover WHERE number = ${number}`;
  }

  /** The number of the first row of a key. */
  firstOf(key: string): number | undefined {
    return selectOne(this.#file, { number })`
      SELECT number FROM rows WHERE key = ${key} ORDER BY number LIMIT 1`?.number;
  }

  /** The cells of a staged row. */
  row(number: number): SoleRow | undefined {
    const found = selectOne(
      this.#file,
      storedColumns,
    )`SELECT number, layout, cells FROM rows WHERE number = ${number}`;
    return found && storedRow(this.#layout(found.layout), found.cells);
  }

  close(): void {
    this.#file.close();
  }

  #layout(number: number): RowLayout {
    const known = this.#layouts.get(number);
    if (known !== undefined) return known;
    const layout = new RowLayout(this.#columns.get(number)?.columns ?? []);
    if (this.#layouts.size >= mostLayouts) this.#layouts.clear();
    this.#layouts.set(number, layout);
    return layout;
  }
}
