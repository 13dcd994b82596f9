import { numberColumn } from '../../storage/columns.ts';
import { prepareQuery } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';

/** Edges in memory at a time. */
const batch = 5_000;

/**
 * Unites the rows that edges connect: a union-find with its parents in `table`, where afterwards every row of a group
 * points straight at the group's first row. A row that is not in the table is its own root. The edges are deleted.
 */
export function uniteEdges(file: SqliteFile, table: 'linked' | 'scratch.component' | 'scratch.person'): void {
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

/** Points every row at its root; each round halves the remaining paths. */
function flatten(file: SqliteFile, table: string): void {
  const round = file.prepare(
    `UPDATE ${table} AS row SET root = above.root FROM ${table} AS above WHERE above.seq = row.root`,
  );
  while (round.run().changes > 0);
  file.exec(`INSERT INTO ${table} (seq, root) SELECT DISTINCT root, root FROM ${table}`);
}

/** Begins a set of edges: pairs of rows that belong together. */
export function createEdges(file: SqliteFile): void {
  file.exec('CREATE TABLE scratch.edge (number INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER NOT NULL)');
}

/** Adds edges from each row to the one before it that has the same value: a chain through all of them. */
export function chainEdges(file: SqliteFile, table: string, value: string, where = 'TRUE'): void {
  const [column] = value.split(',');
  file.exec(
    `INSERT INTO scratch.edge (a, b)
     SELECT earlier, seq FROM (
       SELECT seq, lag(seq) OVER (PARTITION BY ${value} ORDER BY seq) AS earlier
       FROM ${table} WHERE ${column} IS NOT NULL AND ${where}
     ) WHERE earlier IS NOT NULL`,
  );
}
