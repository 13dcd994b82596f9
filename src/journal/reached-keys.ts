import { setImmediate as nextTurn } from 'node:timers/promises';
import { numberColumn, textColumn } from '../storage/columns.ts';
import { runSql, select, selectCount, selectOne } from '../storage/sql.ts';
import { type KnownKeyScope, toKnownKeyScope } from './known-record.ts';
import type { JournalDatabase } from './open.ts';
import type { RunRecord } from './run.ts';

const pageSize = 5_000;

/**
 * Marks as seen by a run the stored keys that its input no longer has but whose contacts it reached by other rows: the
 * key or the e-mail of a row may have changed, and several rows may be one person. Works on disk and in pages, so that
 * memory use and blocking stay bounded; may be repeated.
 */
export async function markReachedKeys(
  file: JournalDatabase,
  run: RunRecord,
  signal: AbortSignal,
): Promise<void> {
  const scope = toKnownKeyScope(run);
  file.exec(`CREATE TEMP TABLE missing_key (key TEXT NOT NULL, contact INTEGER, identifier TEXT);
    CREATE TEMP TABLE reached_key (key TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TEMP TABLE correction (run INTEGER, seq INTEGER, of_run INTEGER, of_seq INTEGER,
      PRIMARY KEY (run, seq, of_run, of_seq)) WITHOUT ROWID`);
  try {
    await eachKeyPage(file, scope, signal, (from, to) => addMissingKeys(file, scope, run.number, from, to));
    if (selectCount(file)`SELECT count(*) AS n FROM missing_key` === 0) return;
    file.exec(`CREATE INDEX temp.missing_key_key ON missing_key (key);
      CREATE INDEX temp.missing_key_contact ON missing_key (contact) WHERE contact IS NOT NULL;
      CREATE INDEX temp.missing_key_identifier ON missing_key (identifier)`);
    await eachKeyPage(file, scope, signal, (from, to) => addReachedByKeys(file, scope, run.number, from, to));
    await eachRowPage(file, run.number, signal, (from, to) => addReachedByRows(file, run.number, from, to));
    addAskedAbout(file, run.number);
    addRejectedAgain(file, scope, run.number);
    await eachKeyPage(file, scope, signal, (from, to) => markPage(file, scope, run.number, from, to));
  } finally {
    file.exec('DROP TABLE temp.missing_key; DROP TABLE temp.reached_key; DROP TABLE temp.correction');
  }
}

type VisitRange<T> = (from: T, to: T) => void;

/** Visits the stored keys in ranges (from, to]. */
async function eachKeyPage(
  file: JournalDatabase,
  { workspace, mapping }: KnownKeyScope,
  signal: AbortSignal,
  visit: VisitRange<string>,
): Promise<void> {
  for (let from = ''; ; ) {
    const page = select(file, { key: textColumn })`SELECT key FROM known
      WHERE workspace = ${workspace} AND mapping = ${mapping} AND key > ${from} ORDER BY key LIMIT ${pageSize}`;
    const to = page.at(-1)?.key;
    if (to === undefined) return;
    visit(from, to);
    from = to;
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** Visits the rows of a run in ranges [from, to). */
async function eachRowPage(
  file: JournalDatabase,
  run: number,
  signal: AbortSignal,
  visit: VisitRange<number>,
): Promise<void> {
  const last = selectOne(file, { n: numberColumn })`
    SELECT coalesce(max(seq), -1) AS n FROM row WHERE run = ${run}`;
  for (let from = 0; from <= (last?.n ?? -1); from += pageSize) {
    visit(from, from + pageSize);
    await nextTurn();
    signal.throwIfAborted();
  }
}

/** The line of a key that was last read in a corrected rejects.csv is not one of the input. */
function markPage(
  file: JournalDatabase,
  { workspace, mapping }: KnownKeyScope,
  run: number,
  from: string,
  to: string,
): void {
  runSql(file)`UPDATE known SET run = ${run},
      line = iif((SELECT selection ->> '$.from' FROM run AS last WHERE last.number = known.run) IS NULL, line, 0)
    WHERE workspace = ${workspace} AND mapping = ${mapping} AND key > ${from} AND key <= ${to} AND run < ${run}
      AND key IN (SELECT key FROM reached_key)`;
}

function addMissingKeys(
  file: JournalDatabase,
  { workspace, mapping }: KnownKeyScope,
  run: number,
  from: string,
  to: string,
): void {
  runSql(file)`INSERT INTO missing_key SELECT known.key, contact, identifier.value
    FROM known LEFT JOIN json_each(known.identifiers) AS identifier
    WHERE workspace = ${workspace} AND mapping = ${mapping} AND known.key > ${from} AND known.key <= ${to} AND run < ${run}`;
}

/** The contact is the same or, where the id of one of the two is not known, an identifier that was sent for both. */
function addReachedByKeys(
  file: JournalDatabase,
  { workspace, mapping }: KnownKeyScope,
  run: number,
  from: string,
  to: string,
): void {
  runSql(file)`INSERT OR IGNORE INTO reached_key
    SELECT missing.key FROM known CROSS JOIN missing_key AS missing ON missing.contact = known.contact
    WHERE workspace = ${workspace} AND mapping = ${mapping} AND known.key > ${from} AND known.key <= ${to} AND run = ${run}`;
  runSql(file)`INSERT OR IGNORE INTO reached_key
    SELECT missing.key FROM known CROSS JOIN json_each(known.identifiers) AS own
      CROSS JOIN missing_key AS missing ON missing.identifier = own.value
    WHERE workspace = ${workspace} AND mapping = ${mapping} AND known.key > ${from} AND known.key <= ${to} AND run = ${run}
      AND (known.contact IS NULL OR missing.contact IS NULL)`;
}

/** A row that was skipped or rejected leads to a contact, too, although nothing is stored under its key. */
function addReachedByRows(file: JournalDatabase, run: number, from: number, to: number): void {
  runSql(file)`INSERT OR IGNORE INTO reached_key
    SELECT missing.key FROM row CROSS JOIN missing_key AS missing ON missing.contact = row.contact
    WHERE run = ${run} AND seq >= ${from} AND seq < ${to}`;
  runSql(file)`INSERT OR IGNORE INTO reached_key
    SELECT missing.key FROM row CROSS JOIN missing_key AS missing ON missing.identifier = row.identifier
    WHERE run = ${run} AND seq >= ${from} AND seq < ${to} AND missing.contact IS NULL`;
}

/** A row may be the person of the contacts that a question or a proposal is about. */
function addAskedAbout(file: JournalDatabase, run: number): void {
  runSql(file)`INSERT OR IGNORE INTO reached_key
    SELECT missing.key FROM (
      SELECT contact FROM question WHERE run = ${run} AND contact IS NOT NULL
      UNION ALL SELECT older FROM proposal WHERE run = ${run}
      UNION ALL SELECT newer FROM proposal WHERE run = ${run}
    ) AS asked CROSS JOIN missing_key AS missing ON missing.contact = asked.contact`;
}

/**
 * A row that the input still has as it was before a corrected rejects.csv was imported is rejected once more. It may have
 * been corrected more than once: every version of it counts.
 */
function addRejectedAgain(file: JournalDatabase, { workspace, mapping }: KnownKeyScope, run: number): void {
  runSql(file)`INSERT OR IGNORE INTO correction SELECT match.run, match.seq, match.of_run, match.of_seq
    FROM run AS retry CROSS JOIN counterpart AS match ON match.run = retry.number AND match.kind = 'taken'
    WHERE retry.workspace = ${workspace} AND retry.mapping_name = ${mapping}
      AND retry.selection ->> '$.from' IS NOT NULL AND match.seq IS NOT NULL`;
  runSql(file)`INSERT OR IGNORE INTO reached_key
    WITH RECURSIVE version (key, run, seq) AS (
      SELECT missing.key, correction.of_run, correction.of_seq FROM correction
        CROSS JOIN row AS corrected ON corrected.run = correction.run AND corrected.seq = correction.seq
        CROSS JOIN missing_key AS missing
          ON missing.key = iif(corrected.key IS NULL, corrected.identifier, 'key:' || corrected.key)
      UNION
      SELECT version.key, correction.of_run, correction.of_seq FROM version
        CROSS JOIN correction ON correction.run = version.run AND correction.seq = version.seq
    )
    SELECT version.key FROM version CROSS JOIN row AS was ON was.run = version.run AND was.seq = version.seq
    WHERE EXISTS (SELECT 1 FROM row AS now INDEXED BY row_hash WHERE now.run = ${run} AND now.hash = was.hash
        AND outcome NOT IN ('created', 'updated', 'unchanged', 'skipped', 'filtered'))`;
}
