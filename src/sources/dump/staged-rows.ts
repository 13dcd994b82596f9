import type { Row, SourceItem } from '../../model/row.ts';
import type { SqliteFile, Statement } from '../../storage/sqlite.ts';
import { conditionOf } from '../where.ts';
import { keyOf } from './key.ts';
import type { Child } from './plan.ts';
import { mostLayouts, type StagedFacts, stagedTables, stagedVersion } from './staged-table.ts';

const mostColumns = 2000;
const shownBroken = 3;

/** Writes the rows of a child table into a new file, one transaction a batch. */
export class StagedRows {
  readonly #file: SqliteFile;
  readonly #key: readonly string[];
  readonly #counts: (row: Row) => boolean;
  readonly #insert: Statement<[string, number, string]>;
  readonly #insertLayout: Statement<[number, string]>;
  readonly #add: (batch: readonly SourceItem[]) => void;
  readonly #layouts = new Map<string, number>();
  readonly #columns = new Set<string>();
  readonly #firstBroken: { line: number; code: string }[] = [];
  #lastColumns: readonly string[] = [];
  #lastLayout = -1;
  #nextLayout = 0;
  #broken = 0;
  #bytes = 0;

  constructor(file: SqliteFile, { key, where }: Child) {
    this.#file = file;
    this.#key = key;
    this.#counts = conditionOf(where);
    // Until the file is renamed nobody trusts it: what is lost before then is written again.
    file.pragma('journal_mode = OFF');
    file.pragma('synchronous = OFF');
    // Rows are only appended, and many tables may be written at a time.
    file.pragma('cache_size = -2000');
    file.exec(stagedTables);
    this.#insert = file.prepare('INSERT INTO rows (key, layout, cells) VALUES (?, ?, ?)');
    this.#insertLayout = file.prepare('INSERT INTO layouts (number, columns) VALUES (?, ?)');
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
    const several = this.#file
      .prepare<[], { keys: number; rows: number; example: string | null }>(
        `SELECT count(*) AS keys, coalesce(sum(n), 0) AS rows, min(key) AS example
         FROM (SELECT key, count(*) AS n FROM rows GROUP BY key HAVING n > 1)`,
      )
      .get() ?? { keys: 0, rows: 0, example: null };
    const known = this.#columns.size > mostColumns ? null : [...this.#columns];
    const broken = { rows: this.#broken, first: this.#firstBroken };
    const facts: StagedFacts = { version: stagedVersion, fingerprint, columns: known, several, broken };
    this.#file.prepare<[string]>('INSERT INTO facts (text) VALUES (?)').run(JSON.stringify(facts));
    return facts;
  }

  #item(item: SourceItem): void {
    if (item.kind === 'broken') {
      this.#broken += 1;
      if (this.#firstBroken.length < shownBroken)
        this.#firstBroken.push({ line: item.line, code: item.problem.code });
      return;
    }
    if (item.kind !== 'row') return;
    const entries = item.entries();
    const layout = this.#layoutOf(entries);
    const key = keyOf(item, this.#key);
    if (key === null || !this.#counts(item)) return;
    const cells = JSON.stringify(entries.map(([, cell]) => cell));
    this.#insert.run(key, layout, cells);
    this.#bytes += cells.length + 2 * key.length;
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
    this.#insertLayout.run(number, columns);
    if (this.#layouts.size < mostLayouts) this.#layouts.set(columns, number);
    return number;
  }
}
