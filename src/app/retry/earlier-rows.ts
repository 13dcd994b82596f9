import {
  type EarlierRow,
  isOpenOutcome,
  type JournalDatabase,
  listEarlierRows,
  listRetryMatches,
  type RunRecord,
  readStoredRowContent,
} from '../../journal/index.ts';
import { iteratePages } from '../../storage/pages.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';

const pageSize = 2_000;

/** `earlier` has each row as the latest run left it; `version` has the row's hashes in the runs before that one. */
const tables = `
CREATE TABLE earlier (
  id       INTEGER PRIMARY KEY,
  run      INTEGER NOT NULL,
  seq      INTEGER NOT NULL,
  key      TEXT,
  hash     TEXT,
  outcome  TEXT NOT NULL,
  open     INTEGER NOT NULL,
  blank    INTEGER NOT NULL,             -- 1 for an open row without content
  met      INTEGER NOT NULL DEFAULT 0    -- 1 where the input has the row
) STRICT;

CREATE TABLE version (id INTEGER NOT NULL, age INTEGER NOT NULL, run INTEGER NOT NULL, hash TEXT) STRICT;
`;

const indexes = `
CREATE INDEX earlier_place ON earlier (run, seq);
CREATE INDEX earlier_key ON earlier (key) WHERE key IS NOT NULL;
CREATE INDEX earlier_done ON earlier (hash) WHERE open = 0 AND met = 0;
CREATE INDEX earlier_open ON earlier (open) WHERE open = 1;
CREATE INDEX version_id ON version (id);
CREATE INDEX version_hash ON version (hash);
`;

/** Creates the tables and fills them with the rows of a run and then of its retries, oldest first. */
export function storeEarlierRows(
  scratch: SqliteConnection,
  journal: JournalDatabase,
  family: readonly RunRecord[],
): void {
  scratch.exec(tables);
  const insert = scratch.prepare(
    'INSERT INTO earlier (run, seq, key, hash, outcome, open, blank) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const [n, { number }] of family.entries()) {
    for (const row of iterateQueryRows((after: EarlierRow | undefined) =>
      listEarlierRows(journal, number, after?.seq ?? -1, pageSize),
    )) {
      const { seq, key, hash, outcome } = row;
      const open = isOpenOutcome(outcome);
      const blank = open && isBlank(journal, number, seq);
      insert.run(number, seq, key, hash, outcome, open ? 1 : 0, blank ? 1 : 0);
    }
    if (n === 0) scratch.exec(indexes);
    else supersede(scratch, journal, number);
  }
}

/** Replaces the rows that a retry took with the retry's rows, and deletes those that it found `removed` or `gone`. */
function supersede(scratch: SqliteConnection, journal: JournalDatabase, run: number): void {
  const find = scratch.prepare<[number, number], { id: number; run: number; hash: string | null }>(
    'SELECT id, run, hash FROM earlier WHERE run = ? AND seq = ?',
  );
  const age = scratch.prepare('UPDATE version SET id = ?, age = age + 1 WHERE id = ?');
  const keep = scratch.prepare('INSERT INTO version (id, age, run, hash) VALUES (?, 1, ?, ?)');
  const remove = scratch.prepare('DELETE FROM earlier WHERE id = ?');
  for (const { kind, ofRun, ofSeq, seq } of iterateQueryRows(
    (after: { readonly number: number } | undefined) =>
      listRetryMatches(journal, run, after?.number ?? -1, pageSize),
  )) {
    const before = find.get(ofRun, ofSeq);
    if (before === undefined || kind === 'missing' || kind === 'changed') continue;
    if (kind === 'taken') {
      const after = seq === null ? undefined : find.get(run, seq);
      // An abandoned retry may not have reached the row; the earlier row stays then.
      if (after === undefined) continue;
      age.run(after.id, before.id);
      keep.run(after.id, before.run, before.hash);
    }
    remove.run(before.id);
  }
}

function isBlank(journal: JournalDatabase, run: number, seq: number): boolean {
  const { cells, raw } = readStoredRowContent(journal, run, seq);
  return cells?.every(([, cell]) => (cell ?? '').trim() === '') === true && (raw ?? '').trim() === '';
}

/** Yields the rows of a query, which is read page by page: an open statement would block other connections. */
export function* iterateQueryRows<T>(
  read: (after: T | undefined) => readonly T[],
): Generator<T, void, undefined> {
  for (const page of iteratePages(read)) yield* page;
}
