import type { JournalDatabase, RetryMatch, RetryMatchCounts, RunRecord } from '../../journal/index.ts';
import { type CommandFactory, commandForTarget, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { SourceItem } from '../../model/row.ts';
import {
  createScratchDatabase,
  removeDatabase,
  type SqliteConnection,
  type SqliteStatement,
  withStorageErrors,
} from '../../storage/sqlite.ts';
import { iterateQueryRows, storeEarlierRows } from './earlier-rows.ts';
import { hashRowContent, parseRowOrigin } from './row-hash.ts';

/** `now` has each input row that is not known to be finished; `changed` the finished rows whose content differs. */
const tables = `
CREATE TABLE now (
  seq      INTEGER PRIMARY KEY,
  line     INTEGER NOT NULL,
  key      TEXT,
  hash     TEXT NOT NULL,
  origin   TEXT,                         -- run number and hash of the row named in its _row
  earlier  INTEGER,
  done     INTEGER NOT NULL DEFAULT 0    -- 1 where an equal row was finished before
) STRICT;
CREATE TABLE changed (seq INTEGER PRIMARY KEY, line INTEGER NOT NULL, earlier INTEGER NOT NULL) STRICT;
CREATE TABLE pair (id INTEGER PRIMARY KEY, seq INTEGER NOT NULL UNIQUE) STRICT;
`;

interface MatchStatements {
  readonly ofKey: SqliteStatement<[key: string], { id: number | null; open: number }>;
  readonly meetKey: SqliteStatement<[key: string]>;
  /**
   * Finds a row with this key that has or had this content; a row without a hash, from an older journal, matches any
   * content.
   */
  readonly sameKey: SqliteStatement<[key: string, hash: string, again: string], { id: number }>;
  readonly meetHash: SqliteStatement<[hash: string, hasKey: number]>;
  readonly change: SqliteStatement<[seq: number, line: number, earlier: number]>;
  readonly keep: SqliteStatement<[number, number, key: string | null, hash: string, origin: string | null]>;
}

function statements(scratch: SqliteConnection): MatchStatements {
  return {
    ofKey: scratch.prepare('SELECT min(id) AS id, coalesce(max(open), 0) AS open FROM earlier WHERE key = ?'),
    meetKey: scratch.prepare('UPDATE earlier SET met = 1 WHERE key = ?'),
    sameKey: scratch.prepare(
      `SELECT id FROM earlier WHERE key = ? AND (hash = ? OR hash IS NULL
         OR EXISTS (SELECT 1 FROM version v WHERE v.id = earlier.id AND v.hash = ?)) LIMIT 1`,
    ),
    meetHash: scratch.prepare(
      `UPDATE earlier SET met = 1 WHERE id = (
         SELECT id FROM earlier WHERE hash = ? AND met = 0 AND open = 0 AND (? = 1 OR key IS NULL) LIMIT 1)`,
    ),
    change: scratch.prepare('INSERT INTO changed (seq, line, earlier) VALUES (?, ?, ?)'),
    keep: scratch.prepare('INSERT INTO now (seq, line, key, hash, origin) VALUES (?, ?, ?, ?, ?)'),
  };
}

/** The retry, the runs before it, and the scratch file to match rows in. */
export interface RowMatchInput {
  readonly journal: JournalDatabase;
  /** The retry. */
  readonly run: RunRecord;
  /** The retried run and its earlier retries. */
  readonly family: readonly RunRecord[];
  /** The path of the scratch file. */
  readonly path: string;
  /** True if the mapping names a key. */
  readonly hasKey: boolean;
  readonly command: CommandFactory;
}

/** The result of matching the whole input; the caller must close it. */
export interface RowMatchResult {
  readonly counts: RetryMatchCounts;
  /** Yields the numbers (from 0) of the rows that the retry takes, in order. */
  taken(): Iterable<number>;
  matches(): Iterable<RetryMatch>;
  close(): void;
}

/**
 * Matches the rows of a retry's input with those of earlier runs: by `_row` of a corrected rejects.csv, by their key,
 * or by equal content. Each row is matched only once, because one of two equal rows may be open and the other finished.
 * An input row without a match is taken as new, and an open earlier row without a match is missing. Works on disk, so
 * that memory does not grow with the input.
 */
export class RowMatcher {
  readonly #request: RowMatchInput;
  readonly #scratch: SqliteConnection;
  readonly #statements: MatchStatements;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #isFromRejects: boolean;
  #input = 0;
  #done = 0;
  #filtered = 0;

  constructor(request: RowMatchInput) {
    this.#request = request;
    const { selection } = request.run;
    this.#isFromRejects = selection.kind === 'retry' && selection.from !== undefined;
    this.#numbers = new Map(request.family.map(({ id, number }) => [id, number]));
    this.#scratch = createScratchDatabase(request.path);
    try {
      this.#scratch.exec('BEGIN');
      storeEarlierRows(this.#scratch, request.journal, request.family);
      this.#scratch.exec(tables);
      this.#statements = statements(this.#scratch);
      this.#refuseUnhashed();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Adds the next item of the input, with the key that the mapping found. */
  see(seq: number, item: SourceItem, key: string | null): void {
    this.#input += 1;
    const hash = hashRowContent(item);
    if (item.kind === 'filtered' || hash === null) {
      this.#filtered += 1;
      return;
    }
    withStorageErrors(this.#request.path, () => {
      if (this.#isFromRejects || this.#isToDo(seq, item.line, key, hash))
        this.#statements.keep.run(seq, item.line, key, hash, this.#originOf(item));
    });
  }

  /** Matches the remaining rows after the whole input was added. */
  finish(): RowMatchResult {
    return withStorageErrors(this.#request.path, () => {
      this.#pairRows();
      return {
        counts: this.#counts(),
        taken: () => this.#taken(),
        matches: () => this.#matches(),
        close: () => this.close(),
      };
    });
  }

  close(): void {
    this.#scratch.close();
    removeDatabase(this.#request.path);
  }

  /** Returns true if a row is still to be matched; false if its key or content shows that it was finished before. */
  #isToDo(seq: number, line: number, key: string | null, hash: string): boolean {
    const { ofKey, meetKey, sameKey, meetHash, change } = this.#statements;
    const known = key === null ? undefined : ofKey.get(key);
    if (key === null || known === undefined || known.id === null) {
      // The mapping may have gained or lost its key since.
      const isDone = meetHash.run(hash, key === null ? 1 : 0).changes > 0;
      if (isDone) this.#done += 1;
      return !isDone;
    }
    if (known.open > 0) return true;
    meetKey.run(key);
    if (sameKey.get(key, hash, hash) === undefined) change.run(seq, line, known.id);
    else this.#done += 1;
    return false;
  }

  #originOf({ line, origin }: Exclude<SourceItem, { kind: 'filtered' }>): string | null {
    const named = parseRowOrigin(origin ?? '');
    if (named === undefined) return null;
    const { run: id, hash } = named;
    const number = this.#numbers.get(id);
    if (number !== undefined) return `${number}:${hash}`;
    const { selection, inputName } = this.#request.run;
    const retried = selection.kind === 'retry' ? selection.run : '';
    throw new FatalError('usage', `this row was rejected by run ${id}, and not by run ${retried}.`, {
      place: { file: inputName, line, key: '_row' },
      next: hint`Retry the run that it belongs to: ${this.#request.command('retry', id, '--from', inputName)}`,
    });
  }

  #pairRows(): void {
    const oldest = this.#scratch.prepare<[], { n: number | null }>('SELECT max(age) AS n FROM version').get();
    const ages = oldest?.n ?? 0;
    this.#scratch.exec('CREATE INDEX now_hash ON now (hash); CREATE INDEX now_key ON now (key)');
    if (this.#isFromRejects) {
      this.#pair("run || ':' || hash", 'origin');
      for (let age = 1; age <= ages; age += 1) this.#pairVersions(age, "run || ':' || hash", 'origin');
    }
    this.#pair('json_array(key, hash)', 'json_array(key, hash)', 'key IS NOT NULL');
    this.#pair('key', 'key', 'open = 1');
    if (this.#isFromRejects) this.#pair('key', 'key');
    this.#pair('hash', 'hash', 'open = 0');
    this.#pair('hash', 'hash', 'open = 1');
    for (let age = 1; age <= ages; age += 1) this.#pairVersions(age, 'hash', 'hash');
  }

  /**
   * Pairs unmatched rows that have the same token, in order: the nth such row of the input with the nth such earlier
   * row.
   */
  #pair(earlierToken: string, nowToken: string, condition = 'TRUE'): void {
    this.#pairFrom(
      `SELECT id, ${earlierToken} AS token FROM earlier WHERE met = 0 AND ${condition}`,
      nowToken,
    );
  }

  #pairVersions(age: number, earlierToken: string, nowToken: string): void {
    const rows = `SELECT id, ${earlierToken} AS token FROM version WHERE age = ${age} AND id IN (SELECT id FROM earlier WHERE met = 0)`;
    this.#pairFrom(rows, nowToken);
  }

  #pairFrom(earlier: string, nowToken: string): void {
    this.#scratch.exec(`
      INSERT INTO pair (id, seq)
        SELECT e.id, n.seq
        FROM (SELECT id, token, row_number() OVER (PARTITION BY token ORDER BY id) AS nth FROM (${earlier})
              WHERE token IN (SELECT ${nowToken} FROM now WHERE earlier IS NULL)) e
        JOIN (SELECT seq, ${nowToken} AS token, row_number() OVER (PARTITION BY ${nowToken} ORDER BY seq) AS nth
              FROM now WHERE earlier IS NULL) n USING (token, nth);
    `);
    this.#settlePairs();
  }

  /** Stores the pairs, and marks a row as done if it equals a finished row or an earlier version of one. */
  #settlePairs(): void {
    this.#scratch.exec(`
      UPDATE earlier SET met = 1 WHERE id IN (SELECT id FROM pair);
      UPDATE now SET earlier = pair.id FROM pair WHERE pair.seq = now.seq;
      UPDATE now SET done = 1 FROM pair, earlier WHERE pair.seq = now.seq AND earlier.id = pair.id AND earlier.open = 0
        AND (now.hash = earlier.hash OR EXISTS (SELECT 1 FROM version v WHERE v.id = earlier.id AND v.hash = now.hash));
      DELETE FROM pair;
    `);
  }

  #counts(): RetryMatchCounts {
    const count = (sql: string): number =>
      this.#scratch.prepare<[], { n: number }>(`SELECT count(*) AS n FROM ${sql}`).get()?.n ?? 0;
    const counts = {
      input: this.#input,
      taken: count('now WHERE done = 0'),
      added: count('now WHERE done = 0 AND earlier IS NULL'),
      done: this.#done + count('now WHERE done = 1'),
      changed: count('changed'),
      filtered: this.#filtered,
      missing: 0,
      removed: 0,
      gone: 0,
    };
    for (const { kind, n } of this.#scratch
      .prepare<[], { kind: 'missing' | 'removed' | 'gone'; n: number }>(
        `SELECT kind, count(*) AS n FROM (${this.#absent()}) GROUP BY kind`,
      )
      .all())
      counts[kind] = n;
    return counts;
  }

  /** Returns the SQL that selects earlier rows missing in the input; a corrected rejects.csv may lack finished ones. */
  #absent(): string {
    const { selection } = this.#request.run;
    const onPurpose = selection.kind === 'retry' && selection.removed === true;
    const open = this.#isFromRejects
      ? `CASE WHEN ${onPurpose ? 'TRUE' : 'FALSE'} AND outcome <> 'uncertain' THEN 'removed' ELSE 'missing' END`
      : `CASE WHEN blank = 1 OR ${onPurpose ? 'TRUE' : 'FALSE'} THEN 'removed' ELSE 'missing' END`;
    const which = this.#isFromRejects ? 'met = 0 AND open = 1' : 'met = 0';
    return `SELECT id, run, seq, CASE WHEN open = 1 THEN ${open} ELSE 'gone' END AS kind FROM earlier WHERE ${which}`;
  }

  *#taken(): Generator<number, void, undefined> {
    const next = this.#scratch.prepare<[number], { seq: number }>(
      'SELECT seq FROM now WHERE done = 0 AND seq > ? ORDER BY seq LIMIT 2000',
    );
    for (const { seq } of iterateQueryRows((after: { readonly seq: number } | undefined) =>
      next.all(after?.seq ?? -1),
    ))
      yield seq;
  }

  *#matches(): Generator<RetryMatch, void, undefined> {
    const present = this.#scratch.prepare<[number], RetryMatch>(
      `SELECT kind, run AS ofRun, earlier.seq AS ofSeq, found.seq AS seq, found.line AS line FROM (
         SELECT 'taken' AS kind, seq, line, earlier FROM now WHERE done = 0 AND earlier IS NOT NULL
         UNION ALL SELECT 'changed' AS kind, seq, line, earlier FROM changed
       ) AS found JOIN earlier ON earlier.id = found.earlier WHERE found.seq > ? ORDER BY found.seq LIMIT 2000`,
    );
    yield* iterateQueryRows((after: RetryMatch | undefined) => present.all(after?.seq ?? -1));
    const absent = this.#scratch.prepare<[number], RetryMatch & { id: number }>(
      `SELECT id, kind, run AS ofRun, seq AS ofSeq, NULL AS seq, NULL AS line FROM (${this.#absent()})
       WHERE id > ? ORDER BY id LIMIT 2000`,
    );
    yield* iterateQueryRows((after: ({ readonly id: number } & RetryMatch) | undefined) =>
      absent.all(after?.id ?? 0),
    );
  }

  /**
   * Throws a FatalError (usage) if earlier rows lack the hash by which rows without a key and lines of a rejects.csv
   * are matched.
   */
  #refuseUnhashed(): void {
    if (this.#request.hasKey && !this.#isFromRejects) return;
    const unhashed = this.#scratch
      .prepare<[number], { run: number }>(
        'SELECT run FROM earlier WHERE hash IS NULL AND (? = 1 OR open = 0) LIMIT 1',
      )
      .get(this.#isFromRejects ? 1 : 0);
    if (unhashed === undefined) return;
    const run = this.#request.family.find(({ number }) => number === unhashed.run)?.id ?? '';
    const { file, target, source } = this.#request.run;
    throw new FatalError(
      'usage',
      `run ${run} was made by an older version, which kept nothing to recognise its rows by: a retry ${this.#isFromRejects ? 'with --from' : 'without a key'} could take the wrong ones.`,
      {
        place: { file },
        next: hint`Correct the input itself and import it, which sends only what changed: ${commandForTarget({ workspace: target, source }, 'import', file)}`,
      },
    );
  }
}
