import { nullableColumn, numberColumn } from '../../storage/columns.ts';
import { hasRow, prepareQuery, runSql } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { groupRowsByPerson } from './group-rows.ts';
import type { UndecidedPairRules } from './partition.ts';
import { type DuplicatesPolicy, recordRejectedRows } from './reject-people.ts';
import { addChainEdges, createEdgeTable, uniteConnectedRows } from './unite.ts';

/** The counts of an input's rows, groups and shared values. */
export interface InputCounts {
  readonly rows: number;
  /**
   * The number of e-mails and phones in all rows, without weak phones: the number of look-ups if contacts are looked up
   * by single reads.
   */
  readonly identifiers: number;
  /** Groups of two or more rows of one person. */
  readonly groups: number;
  /** Rows of these groups beyond the first of each: the policy decides whether they are merged, skipped or rejected. */
  readonly folded: number;
  readonly weakPhones: number;
  /** Rows with open questions: their person may be the same as another one of the input. */
  readonly asked: number;
  /** Rows whose e-mail belongs to another person of the input. */
  readonly sharedEmails: number;
  readonly sharedPhones: number;
  /** Rows whose key another person of the input also has. */
  readonly reused: number;
}

/** The rules by which the rows of an input become people. */
export interface RowLinkRules extends UndecidedPairRules {
  /**
   * The most distinct people that can share a phone; a phone of more people is weak and identifies none of
   * them.
   */
  readonly switchboard: number;
  /** `evidence`: names count, too; `identifier`: one equal key, e-mail or phone is enough. */
  readonly samePerson: 'evidence' | 'identifier';
  /** The policy for several rows of one person. */
  readonly duplicates: DuplicatesPolicy;
}

/** Finds the weak phones and links the rows that belong together, by sorting on disk. */
export function linkRows(file: SqliteConnection, rules: RowLinkRules): InputCounts {
  findWeakPhones(file, rules.switchboard);
  createEdgeTable(file);
  addChainEdges(file, 'scratch.row', 'email');
  addChainEdges(file, 'scratch.row', 'phone', 'phone NOT IN (SELECT phone FROM weak)');
  addChainEdges(file, 'scratch.row', 'key');
  if (rules.samePerson === 'identifier') uniteConnectedRows(file, 'linked');
  else {
    addFurtherEdges(file, rules.switchboard);
    file.exec('CREATE TABLE scratch.component (seq INTEGER PRIMARY KEY, root INTEGER NOT NULL)');
    uniteConnectedRows(file, 'scratch.component');
    groupRowsByPerson(file, rules);
    completeHolders(file);
    file.exec('DROP TABLE scratch.component');
  }
  file.exec('INSERT INTO linked_group SELECT root, max(seq), count(*) FROM linked GROUP BY root');
  file.exec('CREATE INDEX linked_root ON linked (root)');
  recordRejectedRows(file, rules.duplicates);
  const counts = count(file);
  file.exec('DROP TABLE scratch.row; DROP TABLE scratch.further');
  return counts;
}

/** Records the phones of more than `switchboard` distinct people as weak. */
function findWeakPhones(file: SqliteConnection, switchboard: number): void {
  file
    .prepare<[{ most: number }]>(
      `INSERT OR IGNORE INTO weak
       SELECT phone FROM (
         SELECT phone, person FROM scratch.row
         WHERE phone IN (SELECT phone FROM scratch.row WHERE phone IS NOT NULL GROUP BY phone HAVING count(*) > @most)
         GROUP BY phone, person
       ) GROUP BY phone HAVING count(*) > @most`,
    )
    .run({ most: switchboard });
}

/** Adds to the holders of questions what people need to see: a phone that is too weak to compare, and further ones. */
function completeHolders(file: SqliteConnection): void {
  const holder = "content ->> '$.holder.seq'";
  file.exec(`UPDATE question SET content = json_set(content,
    '$.holder.phone', (SELECT phone FROM scratch.row WHERE seq = ${holder}),
    '$.holder.further', json((SELECT json_group_array(value) FROM scratch.further WHERE seq = ${holder})))`);
}

/** Adds edges for further e-mails and phones, but not for those of more than `switchboard` rows, such as a company's number. */
function addFurtherEdges(file: SqliteConnection, switchboard: number): void {
  if (!hasRow(file)`SELECT 1 FROM scratch.further LIMIT 1`) return;
  file.exec(`CREATE TABLE scratch.having_value AS
    SELECT seq, value FROM scratch.further
    UNION ALL SELECT seq, email FROM scratch.row WHERE email IN (SELECT value FROM scratch.further)
    UNION ALL SELECT seq, phone FROM scratch.row WHERE phone IN (SELECT value FROM scratch.further)`);
  runSql(file)`INSERT INTO crowded SELECT value FROM scratch.having_value JOIN scratch.row USING (seq)
    GROUP BY value HAVING count(DISTINCT person) > ${switchboard}`;
  runSql(file)`DELETE FROM scratch.further WHERE value IN (SELECT phone FROM weak) OR value IN (
    SELECT value FROM scratch.having_value GROUP BY value HAVING count(*) > ${switchboard} OR count(*) = 1)`;
  addChainEdges(file, 'scratch.having_value', 'value', 'value IN (SELECT value FROM scratch.further)');
  file.exec('DROP TABLE scratch.having_value');
}

function count(file: SqliteConnection): InputCounts {
  const one = (sql: string): number =>
    prepareQuery(file, { n: nullableColumn(numberColumn) }, sql).get()?.n ?? 0;
  const weak = one(
    'SELECT count(*) AS n FROM scratch.row WHERE phone IS NOT NULL AND phone IN (SELECT phone FROM weak)',
  );
  return {
    rows: one('SELECT count(*) AS n FROM scratch.row'),
    identifiers: one('SELECT count(email) + count(phone) AS n FROM scratch.row') - weak,
    groups: one('SELECT count(*) AS n FROM linked_group'),
    folded: one('SELECT sum(size - 1) AS n FROM linked_group'),
    weakPhones: one('SELECT count(*) AS n FROM weak'),
    asked: one('SELECT count(DISTINCT seq) AS n FROM question'),
    sharedEmails: one('SELECT count(email) AS n FROM shared'),
    sharedPhones: one('SELECT count(phone) AS n FROM shared'),
    reused: one('SELECT count(*) AS n FROM reused'),
  };
}
