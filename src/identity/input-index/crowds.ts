import { normaliseRowPlace } from '../../model/row-place.ts';
import {
  enumColumn,
  nullableColumn,
  numberColumn,
  type TypedRow,
  textColumn,
} from '../../storage/columns.ts';
import { runSql, select, selectOne } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { isRoleAddress } from '../evidence.ts';
import { createNameKey } from '../names.ts';
import { createRowSortKey, getVerdictOnDifferentPeople, judgeRows } from './judged-rows.ts';
import type { UndecidedPairRules } from './partition.ts';
import { createRowQuestion, type PersonSharingIdentifier } from './questions.ts';
import { addChainEdges, createEdgeTable, uniteConnectedRows } from './unite.ts';

/** The most pairs in memory. */
const batch = 5_000;
/** The most rivals (other people with the same e-mail or phone) that are kept for a row. */
const mostRivals = 1_000;

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * Splits components that have too many rows or pairs to compare every pair (crowds), such as an input with one e-mail
 * in every row. Rows that share a value and spell their names alike are one person, unless their dates of birth differ;
 * any other row is compared only with one row that has the value, its holder (see `againstHolders`). The result depends on content alone, and joins fewer
 * rows than a full comparison.
 */
export function splitLargeComponents(file: SqliteConnection, rules: UndecidedPairRules): void {
  addFunctions(file);
  file.exec(`
    CREATE TABLE scratch.crowd (seq INTEGER PRIMARY KEY, line INTEGER NOT NULL, sheet TEXT, key TEXT, email TEXT, phone TEXT,
      first TEXT, family TEXT, birthDate TEXT, name TEXT NOT NULL, apart TEXT NOT NULL, rank TEXT NOT NULL, whose INTEGER NOT NULL, lowest TEXT NOT NULL) STRICT;
    INSERT INTO scratch.crowd
    SELECT seq, line, sheet, key, email, phone, first, family, birthDate, spelling_key(first, family), '', rank, seq, rank FROM (
      SELECT *, rank_of(key, email, phone, first, family, birthDate) AS rank FROM (
        SELECT seq, line, sheet, key, email, iif(phone IN (SELECT phone FROM weak), NULL, phone) AS phone, first, family,
          birth_date AS birthDate
        FROM scratch.component CROSS JOIN scratch.row USING (seq) WHERE root IN (SELECT root FROM scratch.crowd_root)));
    UPDATE scratch.crowd SET apart = birthDate WHERE birthDate IS NOT NULL AND name IN (
      SELECT name FROM scratch.crowd GROUP BY name HAVING count(DISTINCT birthDate) > 1);
    CREATE TABLE scratch.person (seq INTEGER PRIMARY KEY, root INTEGER NOT NULL);
    CREATE TABLE scratch.reused_key (key TEXT PRIMARY KEY, content TEXT NOT NULL);
    CREATE TABLE scratch.asked (whose INTEGER PRIMARY KEY, rank TEXT NOT NULL, content TEXT NOT NULL);
    CREATE TABLE scratch.taken (seq INTEGER, kind TEXT, place TEXT, PRIMARY KEY (seq, kind)) WITHOUT ROWID;
    CREATE TABLE scratch.rivals (seq INTEGER, content TEXT, PRIMARY KEY (seq, content)) WITHOUT ROWID`);
  createEdgeTable(file);
  addChainEdges(file, 'scratch.crowd', 'key, name');
  addChainEdges(file, 'scratch.crowd', 'email, name, apart', "(name <> '' OR NOT is_role(email))");
  addChainEdges(file, 'scratch.crowd', 'phone, name, apart', "name <> ''");
  for (const { row, holder } of againstHolders(file)) {
    const { verdict, strength } = judgeRows(row, holder, rules.answers);
    const isSame =
      strength === 'answered' ? verdict === 'same' : rules.unsure === 'same' && verdict !== 'reused';
    if (isSame && verdict !== 'different')
      runSql(file)`INSERT INTO scratch.edge (a, b) VALUES (${row.seq}, ${holder.seq})`;
  }
  uniteConnectedRows(file, 'scratch.person');
  file.exec(`
    UPDATE scratch.crowd AS crowd SET whose = root FROM scratch.person AS person WHERE person.seq = crowd.seq;
    CREATE INDEX scratch.crowd_whose ON crowd (whose);
    UPDATE scratch.crowd AS crowd SET lowest = least.rank
    FROM (SELECT whose, min(rank) AS rank FROM scratch.crowd GROUP BY whose) AS least WHERE least.whose = crowd.whose`);
  judgePeople(file, rules);
  file.exec(`
    INSERT OR IGNORE INTO reused (seq, content)
    SELECT member.seq, content FROM scratch.reused_key JOIN scratch.crowd AS one USING (key)
    JOIN scratch.crowd AS member ON member.whose = one.whose;
    INSERT INTO linked (seq, root) SELECT seq, root FROM scratch.person;
    INSERT INTO question (seq, n, content) SELECT seq, 0, content FROM scratch.asked JOIN scratch.crowd USING (whose)
    WHERE seq NOT IN (SELECT seq FROM reused);
    INSERT INTO shared (seq, email, phone)
    SELECT seq, max(iif(kind = 'email', place, NULL)), max(iif(kind = 'phone', place, NULL)) FROM scratch.taken
    WHERE seq NOT IN (SELECT seq FROM question) AND seq NOT IN (SELECT seq FROM reused) GROUP BY seq;
    INSERT INTO rival (seq, content)
    SELECT seq, json_group_array(json(content)) FROM (
      SELECT seq, content, row_number() OVER (PARTITION BY seq ORDER BY content) AS number FROM scratch.rivals)
    WHERE number <= ${mostRivals} GROUP BY seq;
    DROP TABLE scratch.rivals; DROP TABLE scratch.crowd; DROP TABLE scratch.person; DROP TABLE scratch.asked; DROP TABLE scratch.reused_key; DROP TABLE scratch.taken`);
}

function addFunctions(file: SqliteConnection): void {
  file.function('spelling_key', { deterministic: true }, (first: unknown, family: unknown) =>
    createNameKey({ first: textOrNull(first), family: textOrNull(family) }),
  );
  file.function('is_role', { deterministic: true }, (email: unknown) =>
    isRoleAddress(textOrNull(email)) ? 1 : 0,
  );
  file.function('rank_of', { deterministic: true, varargs: true }, (...values: readonly unknown[]) => {
    const [key = null, email = null, phone = null, ...person] = values.map(textOrNull);
    const [first = null, family = null, birthDate = null] = person;
    return createRowSortKey({ key, email, phone, first, family, birthDate });
  });
}

/** Judges each row against the holder of each of its values, unless the two are one person, and records the verdict. */
function judgePeople(file: SqliteConnection, { answers, unsure }: UndecidedPairRules): void {
  for (const { kind, row, holder } of againstHolders(file)) {
    if (row.whose === holder.whose) continue;
    const judged = judgeRows(row, holder, answers);
    const isAsked = judged.verdict === 'ask' || judged.verdict === 'same';
    if (kind !== 'key') addRivals(file, kind, row, holder);
    const verdict =
      isAsked && unsure !== 'review' ? getVerdictOnDifferentPeople(judged.equal) : judged.verdict;
    if (verdict === 'reused') {
      for (const [one, other] of [[row, holder] as const, [holder, row] as const]) {
        const content = JSON.stringify(normaliseRowPlace(other));
        runSql(file)`INSERT OR IGNORE INTO reused (seq, content)
          SELECT seq, ${content} FROM scratch.crowd WHERE whose = ${one.whose}`;
      }
      // The other people with that key are rejected, too, because its owner is unknown.
      runSql(file)`INSERT OR IGNORE INTO scratch.reused_key (key, content)
        VALUES (${holder.key}, ${JSON.stringify(normaliseRowPlace(holder))})`;
    } else if (verdict === 'different') {
      runSql(file)`REPLACE INTO scratch.taken (seq, kind, place)
        VALUES (${row.seq}, ${kind}, ${JSON.stringify(normaliseRowPlace(holder))})`;
    } else {
      const content = JSON.stringify(createRowQuestion(row, holder, judged));
      runSql(file)`INSERT INTO scratch.asked (whose, rank, content)
        VALUES (${row.whose}, ${`${holder.rank} ${row.rank}`}, ${content})
        ON CONFLICT DO UPDATE SET rank = excluded.rank, content = excluded.content WHERE excluded.rank < rank`;
    }
  }
}

function addRivals(file: SqliteConnection, kind: 'email' | 'phone', row: CrowdRow, holder: CrowdRow): void {
  const content = ({ first, family, birthDate }: CrowdRow, isBefore: boolean) =>
    JSON.stringify({ kind, isBefore, first, family, birthDate } satisfies PersonSharingIdentifier);
  runSql(file)`INSERT OR IGNORE INTO scratch.rivals (seq, content)
    VALUES (${row.seq}, ${content(holder, true)}), (${holder.seq}, ${content(row, false)})`;
}

const kinds = ['key', 'email', 'phone'] as const;
const crowdRow = {
  seq: numberColumn,
  line: numberColumn,
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  email: nullableColumn(textColumn),
  phone: nullableColumn(textColumn),
  first: nullableColumn(textColumn),
  family: nullableColumn(textColumn),
  birthDate: nullableColumn(textColumn),
  whose: numberColumn,
  rank: textColumn,
};
type CrowdRow = TypedRow<typeof crowdRow>;
const star = { number: numberColumn, kind: enumColumn(kinds), seq: numberColumn, holder: numberColumn };

/**
 * Yields each row with the holder of each of its values, unless the row is the holder itself. The holder is the first
 * of the rows with the value, ordered by the lowest sort key of the row's person, then by the row's own sort key; for a
 * key, rows with a name come first, so that other names can be compared with the holder's.
 */
function* againstHolders(
  file: SqliteConnection,
): Generator<{ readonly kind: (typeof kinds)[number]; readonly row: CrowdRow; readonly holder: CrowdRow }> {
  file.exec(
    'CREATE TABLE scratch.star (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, seq INTEGER NOT NULL, holder INTEGER NOT NULL)',
  );
  for (const kind of kinds) {
    const named = kind === 'key' ? "name = ''," : '';
    file.exec(`INSERT INTO scratch.star (kind, seq, holder) SELECT '${kind}', seq, holder FROM (
      SELECT seq, first_value(seq) OVER (PARTITION BY ${kind} ORDER BY ${named} lowest, rank, seq) AS holder
      FROM scratch.crowd WHERE ${kind} IS NOT NULL) WHERE holder <> seq`);
  }
  for (let after = 0; ; ) {
    const pairs = select(file, star)`
      SELECT number, kind, seq, holder FROM scratch.star WHERE number > ${after} ORDER BY number LIMIT ${batch}`;
    for (const pair of pairs) {
      const row = selectOne(file, crowdRow)`SELECT * FROM scratch.crowd WHERE seq = ${pair.seq}`;
      const holder = selectOne(file, crowdRow)`SELECT * FROM scratch.crowd WHERE seq = ${pair.holder}`;
      if (row !== undefined && holder !== undefined) yield { kind: pair.kind, row, holder };
    }
    const last = pairs.at(-1);
    if (last === undefined) break;
    after = last.number;
  }
  file.exec('DROP TABLE scratch.star');
}
