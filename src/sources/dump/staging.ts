import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import type { Row, SourceItem } from '../../model/row.ts';
import { nullable, number, text } from '../../storage/columns.ts';
import { Room } from '../../storage/room.ts';
import { spooled } from '../../storage/spool.ts';
import { change, selectOne } from '../../storage/sql.ts';
import { guarded, openSqlite, type SqliteFile } from '../../storage/sqlite.ts';
import { fingerprintOf } from '../input-file.ts';
import { conditionOf } from '../where.ts';
import type { DumpTables } from './dump-tables.ts';
import { keyOf } from './key.ts';
import { partedByKind } from './parent-kind.ts';
import type { Child } from './plan.ts';
import {
  type LeftBecause,
  mostLayouts,
  openStaged,
  ownId,
  type StagedFacts,
  type StagedTable,
  stagedTables,
  stagedVersion,
} from './staged-table.ts';

const mostColumns = 2000;
const shownBroken = 3;

/** Writes the rows of a child table into a new file, one transaction a batch. */
class StagedRows {
  readonly #file: SqliteFile;
  readonly #table: string;
  readonly #key: readonly string[];
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

  constructor(file: SqliteFile, { table, key, where }: Child) {
    this.#file = file;
    this.#table = table.name;
    this.#key = key;
    const { kind, others } = partedByKind(where, key);
    this.#counts = conditionOf(others);
    this.#isOfKind = conditionOf(kind);
    // Until the file is renamed nobody trusts it: what is lost before then is written again.
    file.pragma('journal_mode = MEMORY');
    file.pragma('synchronous = OFF');
    // Rows are only appended, and many tables may be written at a time.
    file.pragma('cache_size = -2000');
    file.exec(stagedTables);
    this.#add = file.transaction((batch: readonly SourceItem[]) => {
      for (const item of batch) this.#item(item);
    });
  }

  /** Gives about how many bytes that took. */
  add(batch: readonly SourceItem[]): number {
    const before = this.#bytes;
    this.#add(batch);
    return this.#bytes - before;
  }

  /** Makes the index and keeps what was found out; the file is complete then. */
  finish(fingerprint: string): StagedFacts {
    this.#file.pragma('cache_size = -32000');
    this.#file.exec('CREATE INDEX by_key ON rows (key)');
    const several = selectOne(this.#file, { keys: number, rows: number, example: nullable(text) })`
      SELECT count(*) AS keys, coalesce(sum(n), 0) AS rows, min(key) AS example
      FROM (SELECT key, count(*) AS n FROM rows GROUP BY key HAVING n > 1)` ?? {
      keys: 0,
      rows: 0,
      example: null,
    };
    const known = this.#columns.size > mostColumns ? null : [...this.#columns];
    const broken = { rows: this.#broken, first: this.#firstBroken };
    const read = { columns: known, rows: this.#rows, several, broken };
    const facts: StagedFacts = { version: stagedVersion, fingerprint, ...read };
    change(this.#file)`INSERT INTO facts (text) VALUES (${JSON.stringify(facts)})`;
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
    const key = item.kind === 'row' ? keyOf(item, this.#key) : null;
    const because = this.#leftBecause(item, key);
    if (key === null || because !== null) {
      const id = item.kind === 'row' && because !== 'filtered' ? ownId(this.#table, item) : null;
      change(this.#file)`INSERT INTO leftover (number, line, key, id, because)
        VALUES (${this.#rows}, ${item.line}, ${key}, ${id}, ${because})`;
      this.#bytes += 16 + 2 * (key?.length ?? 0) + (id?.length ?? 0);
      return;
    }
    const cells = JSON.stringify(entries.map(([, cell]) => cell));
    change(this.#file)`INSERT INTO rows (number, line, key, layout, cells)
      VALUES (${this.#rows}, ${item.line}, ${key}, ${layout}, ${cells})`;
    this.#bytes += cells.length + 2 * key.length;
  }

  #leftBecause(item: SourceItem, key: string | null): LeftBecause | null {
    if (item.kind !== 'row') return item.kind;
    if (!this.#counts(item)) return 'filtered';
    if (!this.#isOfKind(item)) return 'otherKind';
    return key === null ? 'emptyId' : null;
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
    change(this.#file)`INSERT INTO layouts (number, columns) VALUES (${number}, ${columns})`;
    if (this.#layouts.size < mostLayouts) this.#layouts.set(columns, number);
    return number;
  }
}

/** Where child tables are staged: in which folder, and out of which input. */
export interface Stage {
  readonly input: string;
  readonly spoolDir: string;
  readonly tables: DumpTables;
}

/** A child table that is staged. */
export interface Staged {
  readonly facts: StagedFacts;
  /** Opens it again each time. */
  open(): StagedTable;
}

/** A child table with the file that it is staged in. */
interface Place {
  readonly child: Child;
  readonly name: string;
  readonly path: string;
  readonly fingerprint: string;
}

interface Writing {
  readonly table: string;
  readonly path: string;
  readonly rows: StagedRows;
}

/** Stages child tables, but for those that are there already, complete and of this input. */
export async function staged(
  stage: Stage,
  children: readonly Child[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Child, Staged>> {
  const places = new Map(children.map((child) => [child, placeOf(stage, child)]));
  const missing = new Map<string, Place>();
  for (const place of places.values()) {
    const there = openStaged(place.path, place.fingerprint);
    if (there === null) missing.set(place.name, place);
    there?.close();
  }
  const tables = [...missing.values()].map(({ child }) => child.table.name);
  for (const group of await stage.tables.together(tables, signal)) {
    const ofGroup = [...missing.values()].filter(({ child }) => group.includes(child.table.name));
    await stageTogether(stage, group, ofGroup, [], signal);
  }
  return new Map([...places].map(([child, place]) => [child, openedAt(place)]));
}

/** Opens a file for the first of these, and so on for the rest; when all are open the tables are read, once. */
async function stageTogether(
  stage: Stage,
  tables: readonly string[],
  [place, ...others]: readonly Place[],
  writing: readonly Writing[],
  signal: AbortSignal,
): Promise<void> {
  if (place === undefined) return await fill(stage, tables, writing, signal);
  await spooled(stage.spoolDir, async (_, part) => {
    const file = guarded(part, () => openSqlite(part));
    try {
      const rows = guarded(part, () => new StagedRows(file, place.child));
      const own: Writing = { table: place.child.table.name, path: part, rows };
      await stageTogether(stage, tables, others, [...writing, own], signal);
      signal.throwIfAborted();
      guarded(part, () => rows.finish(place.fingerprint));
    } finally {
      file.close();
    }
    return place.name;
  });
}

async function fill(
  { input, spoolDir, tables }: Stage,
  names: readonly string[],
  writing: readonly Writing[],
  signal: AbortSignal,
): Promise<void> {
  const lack = `joins ${names.join(', ')}, and there is no disk space for that`;
  const room = new Room(spoolDir, input, undefined, lack);
  await room.assert(0);
  for await (const { table, items } of tables.readTogether(names, signal)) {
    signal.throwIfAborted();
    for (const { table: of, path, rows } of writing)
      if (of === table) await room.written(guarded(path, () => rows.add(items)));
  }
}

/** The same child of the same input has the same name, whatever the input holds: a newer one takes the older one's place. */
function placeOf({ input, spoolDir }: Stage, child: Child): Place {
  const { table, key, where } = child;
  const hash = createHash('sha256').update(JSON.stringify([input, table.name, key, where]));
  const name = `staged-${hash.digest('hex').slice(0, 16)}`;
  const fingerprint = fingerprintOf(['staged', table.name, table.fingerprint]).digest('hex');
  return { child, name, path: join(spoolDir, name), fingerprint };
}

function openedAt({ path, fingerprint }: Place): Staged {
  const open = () => openStaged(path, fingerprint) ?? lost(path);
  const table = open();
  table.close();
  return { facts: table.facts, open };
}

function lost(path: string): never {
  const next = 'Run it again: the file is created again.';
  throw new FatalError('unexpected', `${path} is gone or was changed.`, { place: { file: path }, next });
}
