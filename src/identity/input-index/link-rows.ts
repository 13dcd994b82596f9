import type { SqliteFile } from '../../storage/sqlite.ts';
import { uniteEdges } from './unite-edges.ts';

/** What the index has found out about the input. */
export interface InputCounts {
  readonly rows: number;
  /** E-mails and strong phones on all rows: what single reads would ask for. */
  readonly identifiers: number;
  /** Groups of two rows and more. */
  readonly groups: number;
  /** Rows that go into another row's contact. */
  readonly folded: number;
  readonly weakPhones: number;
}

/** Finds out which phones are weak and which rows belong together, by sorting on disk. */
export function linkRows(file: SqliteFile, switchboard: number): InputCounts {
  findWeakPhones(file, switchboard);
  file.exec('CREATE TABLE scratch.edge (number INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL)');
  linkNeighbours(file, 'email', '');
  linkNeighbours(file, 'phone', 'AND phone NOT IN (SELECT phone FROM weak)');
  linkNeighbours(file, 'key', '');
  uniteEdges(file);
  file.exec('DROP TABLE scratch.edge');
  file.exec('INSERT INTO linked_group SELECT root, max(seq), count(*) FROM linked GROUP BY root');
  file.exec('CREATE INDEX linked_root ON linked (root)');
  const counts = count(file);
  file.exec('DROP TABLE scratch.row');
  return counts;
}

/** More distinct people than a family: the phone is a switchboard. */
function findWeakPhones(file: SqliteFile, switchboard: number): void {
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

/** Each row with the one before it that has the same value: a chain through all of them. */
function linkNeighbours(file: SqliteFile, column: 'email' | 'phone' | 'key', but: string): void {
  file.exec(
    `INSERT INTO scratch.edge (a, b)
     SELECT earlier, seq FROM (
       SELECT seq, lag(seq) OVER (PARTITION BY ${column} ORDER BY seq) AS earlier
       FROM scratch.row WHERE ${column} IS NOT NULL ${but}
     ) WHERE earlier IS NOT NULL`,
  );
}

function count(file: SqliteFile): InputCounts {
  const number = (sql: string): number => file.prepare<[], { n: number | null }>(sql).get()?.n ?? 0;
  const weak = number(
    'SELECT count(*) AS n FROM scratch.row WHERE phone IS NOT NULL AND phone IN (SELECT phone FROM weak)',
  );
  return {
    rows: number('SELECT count(*) AS n FROM scratch.row'),
    identifiers: number('SELECT count(email) + count(phone) AS n FROM scratch.row') - weak,
    groups: number('SELECT count(*) AS n FROM linked_group'),
    folded: number('SELECT sum(size - 1) AS n FROM linked_group'),
    weakPhones: number('SELECT count(*) AS n FROM weak'),
  };
}
