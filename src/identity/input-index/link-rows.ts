import type { SqliteFile } from '../../storage/sqlite.ts';

/** Edges that are in memory at a time. */
const batch = 5_000;

/**
 * Unites what edges connect: a union-find whose parents stand in the table `linked`, where afterwards every row of a
 * group points straight at the group's first row. A row that is not there is its own root.
 */
function uniteEdges(file: SqliteFile): void {
  const next = file.prepare<[number, number], { number: number; a: number; b: number }>(
    'SELECT number, a, b FROM scratch.edge WHERE number > ? ORDER BY number LIMIT ?',
  );
  const parentOf = file.prepare<[number], { root: number }>('SELECT root FROM linked WHERE seq = ?');
  const point = file.prepare<[number, number]>('INSERT OR REPLACE INTO linked (seq, root) VALUES (?, ?)');

  // Halves the path on the way: every row passed is moved up to its grandparent.
  const rootOf = (seq: number): number => {
    let at = seq;
    for (;;) {
      const parent = parentOf.get(at)?.root;
      if (parent === undefined) return at;
      const above = parentOf.get(parent)?.root;
      if (above === undefined) return parent;
      point.run(at, above);
      at = above;
    }
  };

  for (let done = 0; ; ) {
    const edges = next.all(done, batch);
    for (const { a, b } of edges) {
      const [one, other] = [rootOf(a), rootOf(b)];
      // The earlier row is always the parent, so that the root is the first row whatever the order of the edges.
      if (one !== other) point.run(Math.max(one, other), Math.min(one, other));
    }
    const last = edges.at(-1);
    if (last === undefined) break;
    done = last.number;
  }
  flatten(file);
}

/** Every round halves the paths that are left. */
function flatten(file: SqliteFile): void {
  const round = file.prepare(
    'UPDATE linked SET root = above.root FROM linked AS above WHERE above.seq = linked.root',
  );
  while (round.run().changes > 0);
  file.exec('INSERT INTO linked (seq, root) SELECT DISTINCT root, root FROM linked');
}

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
