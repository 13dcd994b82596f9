import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import type { Row, SourceItem } from '../../model/row.ts';
import { nullableColumn, numberColumn, textColumn } from '../../storage/columns.ts';
import { DiskSpaceChecker } from '../../storage/room.ts';
import { spoolFile } from '../../storage/spool.ts';
import { runSql, selectOne } from '../../storage/sql.ts';
import { openSqlite, type SqliteConnection, withStorageErrors } from '../../storage/sqlite.ts';
import { createFingerprintHash } from '../plain-file.ts';
import { createWherePredicate, type WhereConditions } from '../where.ts';
import type { DumpTableSet } from './dump-tables.ts';
import { readJoinKey, splitJoinKey } from './key.ts';
import type { StagedTableSpec } from './plan.ts';
import {
  maxCachedLayouts,
  openStagedTable,
  type RowStagingStatus,
  readRowId,
  type StagedTable,
  type StagedTableFacts,
  stagingFormatVersion,
  stagingIndexSql,
  stagingSchemaSql,
} from './staged-table.ts';

const kindWords = new Set(['type', 'module', 'kind', 'class', 'model']);
const idWords = new Set(['id', 'guid', 'uuid', 'key', 'ref']);
/** The words that name the parent in a kind column, as in `related_type`. */
const parents = new Set(['parent', 'related', 'related to', 'entity', 'bean', 'linked']);

/**
 * Splits conditions into those on the kind of a row's parent (`parent_type`, if the key is `parent_id`) and all others.
 */
function splitByKind(
  where: WhereConditions,
  key: readonly string[],
): { readonly kind: WhereConditions; readonly others: WhereConditions } {
  const stems = new Set(key.map((column) => stem(column, idWords) ?? words(column).join(' ')));
  const isKind = (column: string) => {
    const of = stem(column, kindWords);
    return of !== undefined && (stems.has(of) || parents.has(of));
  };
  const of = (wanted: boolean) =>
    Object.fromEntries(Object.entries(where).filter(([column]) => isKind(column) === wanted));
  return { kind: of(true), others: of(false) };
}

/**
 * Returns a column's name as words in lower case, without its last word. Undefined if that word is not one of `last`,
 * or is the only one.
 */
function stem(column: string, last: ReadonlySet<string>): string | undefined {
  const all = words(column);
  return all.length > 1 && last.has(all.at(-1) ?? '') ? all.slice(0, -1).join(' ') : undefined;
}

function words(column: string): readonly string[] {
  const spaced = column.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

const mostColumns = 2000;
const shownBroken = 3;

/** Writes the rows of a joined table to a new file, one transaction per batch. */
class StagingWriter {
  readonly #file: SqliteConnection;
  readonly #table: string;
  readonly #key: readonly string[];
  readonly #split: string | null;
  readonly #counts: (row: Row) => boolean;
  readonly #isOfKind: (row: Row) => boolean;
  readonly #add: (batch: readonly SourceItem[]) => void;
  readonly #layouts = new Map<string, number>();
  readonly #columns = new Set<string>();
  readonly #firstBroken: { line: number; code: string }[] = [];
  #lastColumns: readonly string[] = [];
  #lastLayout = -1;
  #nextLayout = 0;
  #broken = 0;
  #bytes = 0;
  #rows = 0;

  constructor(file: SqliteConnection, { table, key, split, where }: StagedTableSpec) {
    this.#file = file;
    this.#table = table.name;
    this.#key = key;
    this.#split = split;
    const { kind, others } = splitByKind(where, key);
    this.#counts = createWherePredicate(others);
    this.#isOfKind = createWherePredicate(kind);
    // The file need not be durable while it is written: an incomplete file is never renamed, and is written again.
    file.pragma('journal_mode = MEMORY');
    file.pragma('synchronous = OFF');
    // The cache is small, because rows are only appended and many tables are written at the same time.
    file.pragma('cache_size = -2000');
    file.exec(stagingSchemaSql(split !== null));
    this.#add = file.transaction((batch: readonly SourceItem[]) => {
      for (const item of batch) this.#item(item);
    });
  }

  /** Adds rows, and returns their approximate size in bytes. */
  add(batch: readonly SourceItem[]): number {
    const before = this.#bytes;
    this.#add(batch);
    return this.#bytes - before;
  }

  /** Creates the index and stores the facts, which completes the file. */
  finish(fingerprint: string): StagedTableFacts {
    this.#file.pragma('cache_size = -6000');
    this.#file.exec(stagingIndexSql(this.#split !== null));
    const several = selectOne(this.#file, {
      keys: numberColumn,
      rows: numberColumn,
      example: nullableColumn(textColumn),
    })`
      SELECT count(*) AS keys, coalesce(sum(n), 0) AS rows, min(key) AS example
      FROM (SELECT key, count(*) AS n FROM found GROUP BY key HAVING n > 1)` ?? {
      keys: 0,
      rows: 0,
      example: null,
    };
    const known = this.#columns.size > mostColumns ? null : [...this.#columns];
    const broken = { rows: this.#broken, first: this.#firstBroken };
    const read = { columns: known, rows: this.#rows, several, broken };
    const facts: StagedTableFacts = { version: stagingFormatVersion, fingerprint, ...read };
    runSql(this.#file)`INSERT INTO facts (text) VALUES (${JSON.stringify(facts)})`;
    return facts;
  }

  #item(item: SourceItem): void {
    this.#rows += 1;
    if (item.kind === 'broken') {
      this.#broken += 1;
      if (this.#firstBroken.length < shownBroken)
        this.#firstBroken.push({ line: item.line, code: item.problem.code });
    }
    const entries = item.kind === 'row' ? item.entries() : [];
    const layout = item.kind === 'row' ? this.#layoutOf(entries) : 0;
    const key = item.kind === 'row' ? readJoinKey(item, this.#key) : null;
    const keys = splitJoinKey(key, this.#split);
    const because = this.#leftBecause(item, keys);
    if (key === null || because !== null) {
      const id = item.kind === 'row' && because !== 'filtered' ? readRowId(this.#table, item) : null;
      runSql(this.#file)`INSERT INTO leftover (number, line, key, id, because)
        VALUES (${this.#rows}, ${item.line}, ${key}, ${id}, ${because})`;
      this.#bytes += 16 + 2 * (key?.length ?? 0) + (id?.length ?? 0);
      return;
    }
    const cells = JSON.stringify(entries.map(([, cell]) => cell));
    runSql(this.#file)`INSERT INTO rows (number, line, key, layout, cells)
      VALUES (${this.#rows}, ${item.line}, ${key}, ${layout}, ${cells})`;
    this.#bytes += cells.length + 2 * key.length;
    if (this.#split === null) return;
    for (const each of keys) {
      runSql(this.#file)`INSERT INTO keys (key, number) VALUES (${each}, ${this.#rows})`;
      this.#bytes += 2 * each.length;
    }
  }

  #leftBecause(item: SourceItem, keys: readonly string[]): RowStagingStatus['notStaged'] {
    if (item.kind !== 'row') return item.kind;
    if (!this.#counts(item)) return 'filtered';
    if (!this.#isOfKind(item)) return 'otherKind';
    return keys.length === 0 ? 'emptyId' : null;
  }

  #layoutOf(entries: ReturnType<Row['entries']>): number {
    const last = this.#lastColumns;
    if (entries.length === last.length && entries.every(([column], place) => column === last[place]))
      if (this.#lastLayout >= 0) return this.#lastLayout;
    this.#lastColumns = entries.map(([column]) => column);
    if (this.#columns.size <= mostColumns) for (const column of this.#lastColumns) this.#columns.add(column);
    const text = JSON.stringify(this.#lastColumns);
    const known = this.#layouts.get(text);
    this.#lastLayout = known ?? this.#newLayout(text);
    return this.#lastLayout;
  }

  #newLayout(columns: string): number {
    const number = this.#nextLayout;
    this.#nextLayout += 1;
    runSql(this.#file)`INSERT INTO layouts (number, columns) VALUES (${number}, ${columns})`;
    if (this.#layouts.size < maxCachedLayouts) this.#layouts.set(columns, number);
    return number;
  }
}

/** The name of the input, its tables, and the folder for the staging files. */
interface StagingContext {
  readonly input: string;
  readonly spoolDir: string;
  readonly tables: DumpTableSet;
}

/** A complete staging file that can be opened. */
export interface StagedTableHandle {
  readonly facts: StagedTableFacts;
  /** Opens a new connection to the table, which the caller closes. */
  open(): StagedTable;
}

/** The place of the staging file of a joined table; the file exists once it is complete. */
interface StagingFile {
  readonly child: StagedTableSpec;
  readonly name: string;
  readonly path: string;
  readonly fingerprint: string;
}

interface OpenStagingFile {
  readonly table: string;
  readonly path: string;
  readonly rows: StagingWriter;
}

/** Copies joined tables into staging files in the spool folder; reuses complete ones of the same content. */
export async function stageTables(
  stage: StagingContext,
  children: readonly StagedTableSpec[],
  signal: AbortSignal,
): Promise<ReadonlyMap<StagedTableSpec, StagedTableHandle>> {
  const places = new Map(children.map((child) => [child, placeOf(stage, child)]));
  const missing = new Map<string, StagingFile>();
  for (const place of places.values()) {
    const there = openStagedTable(place.path, place.fingerprint);
    if (there === null) missing.set(place.name, place);
    there?.close();
  }
  const tables = [...missing.values()].map(({ child }) => child.table.name);
  for (const group of await stage.tables.together(tables, signal)) {
    const ofGroup = [...missing.values()].filter(({ child }) => group.includes(child.table.name));
    await stageTogether(stage, group, ofGroup, [], signal);
  }
  return new Map([...places].map(([child, place]) => [child, stagedChild(place)]));
}

/**
 * Fills the staging files of a group of tables in one pass over the input. Each recursion opens the temporary file of
 * one staging file; the innermost call reads the tables into all of them. Each file is completed on the way back.
 */
async function stageTogether(
  stage: StagingContext,
  tables: readonly string[],
  [place, ...others]: readonly StagingFile[],
  writing: readonly OpenStagingFile[],
  signal: AbortSignal,
): Promise<void> {
  if (place === undefined) return await fillTogether(stage, tables, writing, signal);
  await spoolFile(stage.spoolDir, async (_, part) => {
    const file = withStorageErrors(part, () => openSqlite(part));
    try {
      const rows = withStorageErrors(part, () => new StagingWriter(file, place.child));
      const own: OpenStagingFile = { table: place.child.table.name, path: part, rows };
      await stageTogether(stage, tables, others, [...writing, own], signal);
      signal.throwIfAborted();
      withStorageErrors(part, () => rows.finish(place.fingerprint));
    } finally {
      file.close();
    }
    return place.name;
  });
}

async function fillTogether(
  { input, spoolDir, tables }: StagingContext,
  names: readonly string[],
  writing: readonly OpenStagingFile[],
  signal: AbortSignal,
): Promise<void> {
  const lack = `joins ${names.join(', ')}, and there is no disk space for that`;
  const room = new DiskSpaceChecker(spoolDir, input, undefined, lack);
  await room.assert(0);
  for await (const { table, items } of tables.readTogether(names, signal)) {
    signal.throwIfAborted();
    for (const { table: of, path, rows } of writing)
      if (of === table) await room.written(withStorageErrors(path, () => rows.add(items)));
  }
}

/**
 * Returns the file of a joined table; the name does not depend on the content, so that a newer version replaces an
 * older one.
 */
function placeOf({ input, spoolDir }: StagingContext, child: StagedTableSpec): StagingFile {
  const { table, key, split, where } = child;
  const hash = createHash('sha256').update(JSON.stringify([input, table.name, key, split, where]));
  const name = `staged-${hash.digest('hex').slice(0, 16)}`;
  const fingerprint = createFingerprintHash(['staged', table.name, table.fingerprint]).digest('hex');
  return { child, name, path: join(spoolDir, name), fingerprint };
}

function stagedChild({ path, fingerprint }: StagingFile): StagedTableHandle {
  const open = () => openStagedTable(path, fingerprint) ?? changedFileError(path);
  const table = open();
  table.close();
  return { facts: table.facts, open };
}

function changedFileError(path: string): never {
  const next = 'Run it again: the file is created again.';
  throw new FatalError('unexpected', `${path} is gone or was changed.`, { place: { file: path }, next });
}
