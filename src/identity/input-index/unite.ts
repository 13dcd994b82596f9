import { numberColumn } from '../../storage/columns.ts';
import { prepareQuery } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';

/** The most edges in memory. */
const batch = 5_000;

/**
 * Unites the rows that edges connect, by a union-find with its parents in `table`: afterwards `root` of every row is
 * the first row of its group. A row without edges is not in the table. The edges are deleted.
 */
export function uniteConnectedRows(
  file: SqliteConnection,
  table: 'linked' | 'scratch.component' | 'scratch.person',
): void {
  const next = prepareQuery(
    file,
    { number: numberColumn, a: numberColumn, b: numberColumn },
    'SELECT number, a, b FROM scratch.edge WHERE number > ? ORDER BY number LIMIT ?',
  );
  const parentOf = prepareQuery(file, { root: numberColumn }, `SELECT root FROM ${table} WHERE seq = ?`);
  const point = file.prepare<[number, number]>(`INSERT OR REPLACE INTO ${table} (seq, root) VALUES (?, ?)`);

  // Path halving: every row on the way is moved up to its grandparent.
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
  flatten(file, table);
  file.exec('DROP TABLE scratch.edge');
}

/** Points every row at its root, halving the paths in each round, and adds the roots themselves. */
function flatten(file: SqliteConnection, table: string): void {
  const round = file.prepare(
    `UPDATE ${table} AS row SET root = above.root FROM ${table} AS above WHERE above.seq = row.root`,
  );
  while (round.run().changes > 0);
  file.exec(`INSERT INTO ${table} (seq, root) SELECT DISTINCT root, root FROM ${table}`);
}

/** Creates the empty table of edges: pairs of rows that belong together. */
export function createEdgeTable(file: SqliteConnection): void {
  file.exec('CREATE TABLE scratch.edge (number INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL)');
}

/** Adds an edge from each row to the previous one with the same value, which chains all of them. */
export function addChainEdges(file: SqliteConnection, table: string, value: string, where = 'TRUE'): void {
  const [column] = value.split(',');
  file.exec(
    `INSERT INTO scratch.edge (a, b)
     SELECT earlier, seq FROM (
       SELECT seq, lag(seq) OVER (PARTITION BY ${value} ORDER BY seq) AS earlier
       FROM ${table} WHERE ${column} IS NOT NULL AND ${where}
     ) WHERE earlier IS NOT NULL`,
  );
}
