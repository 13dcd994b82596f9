import { normaliseRowPlace } from '../../model/row-place.ts';
import { nullableColumn, numberColumn, textColumn } from '../../storage/columns.ts';
import { runSql, select, selectCount } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { splitLargeComponents } from './crowds.ts';
import { countPairs, createRowSortKey, indexRowsByValue } from './judged-rows.ts';
import { type PeoplePartition, partitionIntoPeople, type UndecidedPairRules } from './partition.ts';
import { createRowQuestion, type EvidenceRow, type PersonSharingIdentifier } from './questions.ts';

/**
 * A row of a component; `root` is the first row of the component; the phone is null where too many people
 * share it.
 */
interface LinkedRow extends EvidenceRow {
  readonly root: number;
}

/** The most rows in memory, unless a single component has more. */
const batch = 2_000;
/** The most rows of a component in memory; a larger one is split by `splitLargeComponents`. */
const mostRows = 10_000;
/** The most pairs of rows compared in one component; one with more is split by `splitLargeComponents`. */
const mostPairs = 10_000;

/** Splits each component (rows connected by shared values) into people; records groups, questions and shared values. */
export function groupRowsByPerson(file: SqliteConnection, rules: UndecidedPairRules): void {
  file.exec(`CREATE INDEX scratch.component_root ON component (root);
    CREATE TABLE scratch.size (root INTEGER PRIMARY KEY, size INTEGER NOT NULL);
    INSERT INTO scratch.size SELECT root, count(*) FROM scratch.component GROUP BY root;
    CREATE TABLE scratch.crowd_root (root INTEGER PRIMARY KEY);
    INSERT INTO scratch.crowd_root SELECT root FROM scratch.size WHERE size > ${mostRows};
    DELETE FROM scratch.size WHERE size > ${mostRows}`);
  for (let after = -1; ; ) {
    const to = lastOfBatch(file, after);
    if (to === undefined) break;
    for (const rows of componentsBetween(file, after, to)) splitComponent(file, rows, rules);
    after = to;
  }
  file.exec('DROP TABLE scratch.size');
  if (selectCount(file)`SELECT count(*) AS n FROM scratch.crowd_root` > 0) splitLargeComponents(file, rules);
  file.exec('DROP TABLE scratch.crowd_root');
}

function lastOfBatch(file: SqliteConnection, after: number): number | undefined {
  const next = select(file, { root: numberColumn, size: numberColumn })`
    SELECT root, size FROM scratch.size WHERE root > ${after} ORDER BY root LIMIT ${batch / 2}`;
  let rows = 0;
  let to: number | undefined;
  for (const { root, size } of next) {
    if (to !== undefined && rows + size > batch) break;
    rows += size;
    to = root;
  }
  return to;
}

const linkedRow = {
  root: numberColumn,
  seq: numberColumn,
  line: numberColumn,
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  email: nullableColumn(textColumn),
  phone: nullableColumn(textColumn),
  first: nullableColumn(textColumn),
  family: nullableColumn(textColumn),
  birthDate: nullableColumn(textColumn),
  further: nullableColumn(textColumn),
};

function componentsBetween(
  file: SqliteConnection,
  after: number,
  to: number,
): Iterable<readonly LinkedRow[]> {
  const rows = select(file, linkedRow)`
    SELECT root, seq, line, sheet, key, email, iif(phone IN (SELECT phone FROM weak), NULL, phone) AS phone, first, family,
      birth_date AS birthDate,
      (SELECT group_concat(value, ' ') FROM scratch.further AS more WHERE more.seq = row.seq) AS further
    FROM scratch.component CROSS JOIN scratch.row USING (seq)
    WHERE root > ${after} AND root <= ${to} AND root NOT IN (SELECT root FROM scratch.crowd_root) ORDER BY root, seq`;
  const all = rows.map(({ further, ...row }) => ({
    ...row,
    ...(further !== null && { further: further.split(' ') }),
  }));
  return grouped(all, ({ root }) => root).values();
}

function splitComponent(file: SqliteConnection, all: readonly LinkedRow[], rules: UndecidedPairRules): void {
  // Rows with equal content are one person, and are judged once.
  const byContent = [...grouped(all, createRowSortKey)].sort(([a], [b]) => (a < b ? -1 : 1));
  const contents = byContent.map(([, rows]) => rows);
  const rows = contents.flatMap(([first]) => first ?? []);
  const having = indexRowsByValue(rows);
  if (countPairs(having) > mostPairs) {
    runSql(file)`INSERT INTO scratch.crowd_root (root) VALUES (${all[0]?.root ?? 0})`;
    return;
  }
  const found = partitionIntoPeople(rows, rules, having);
  const people = grouped(contents.keys(), (place) => found.person[place] ?? place);
  for (const [person, places] of people) {
    const members = places.flatMap((place) => contents[place] ?? []);
    writeGroup(file, members);
    writeVerdict(file, { person, members }, rows, found);
  }
  for (const [place, { email, phone }] of found.shared) {
    const placeOfHolder = (holder: number | undefined) => {
      const row = holder === undefined ? undefined : rows[holder];
      return row === undefined ? null : JSON.stringify(normaliseRowPlace(row));
    };
    for (const { seq } of contents[place] ?? [])
      runSql(
        file,
      )`INSERT INTO shared (seq, email, phone) VALUES (${seq}, ${placeOfHolder(email)}, ${placeOfHolder(phone)})`;
  }
  for (const [place, rivals] of found.rivals) {
    const named = rivals.map(({ kind, isBefore, place: other }): PersonSharingIdentifier => {
      const { first = null, family = null, birthDate = null } = rows[other] ?? {};
      return { kind, isBefore, first, family, birthDate };
    });
    const content = JSON.stringify(named);
    for (const { seq } of contents[place] ?? [])
      runSql(file)`INSERT INTO rival (seq, content) VALUES (${seq}, ${content})`;
  }
}

function writeGroup(file: SqliteConnection, members: readonly LinkedRow[]): void {
  if (members.length === 1) return;
  const root = members.reduce((least, { seq }) => Math.min(least, seq), Number.POSITIVE_INFINITY);
  for (const { seq } of members) runSql(file)`INSERT INTO linked (seq, root) VALUES (${seq}, ${root})`;
}

/**
 * Records the person's reused key or open questions, if any, for each of its rows; either keeps the person from being
 * written.
 */
function writeVerdict(
  file: SqliteConnection,
  { person, members }: { readonly person: number; readonly members: readonly LinkedRow[] },
  rows: readonly LinkedRow[],
  { questions, reused }: PeoplePartition,
): void {
  const other = rows[reused.get(person) ?? -1];
  if (other !== undefined) {
    const content = JSON.stringify(normaliseRowPlace(other));
    for (const { seq } of members)
      runSql(file)`INSERT INTO reused (seq, content) VALUES (${seq}, ${content})`;
  }
  for (const [n, question] of (questions.get(person) ?? []).entries()) {
    const [asking, holder] = [rows[question.asking], rows[question.holder]];
    if (asking === undefined || holder === undefined) continue;
    const content = JSON.stringify(createRowQuestion(asking, holder, question));
    for (const { seq } of members)
      runSql(file)`INSERT INTO question (seq, n, content) VALUES (${seq}, ${n}, ${content})`;
  }
}

function grouped<T, K>(all: Iterable<T>, keyOf: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return groups;
}
