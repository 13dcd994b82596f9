import type { SqliteFile } from '../../storage/sqlite.ts';
import type { Group } from './groups.ts';

/** A row that waits for the rest of its group, with what was kept of it. */
export interface WaitingRow {
  readonly seq: number;
  readonly content: unknown;
}

/** What waits for its group, on disk; it goes with the process, and is read from the input again. */
export interface WaitingRows {
  /** Keeps a row; kept again, the later content stands. */
  keep(seq: number, content: unknown): void;
  /** What was kept of a group, in the input's order. */
  kept(group: Group): readonly WaitingRow[];
  drop(group: Group): void;
}

export function waitingRows(file: SqliteFile): WaitingRows {
  const insert = file.prepare<[number, string]>(
    'INSERT OR REPLACE INTO scratch.waiting (seq, content) VALUES (?, ?)',
  );
  const select = file.prepare<[number], { seq: number; content: string }>(
    `SELECT seq, content FROM linked CROSS JOIN scratch.waiting USING (seq) WHERE root = ? ORDER BY seq`,
  );
  const remove = file.prepare<[number]>(
    'DELETE FROM scratch.waiting WHERE seq IN (SELECT seq FROM linked WHERE root = ?)',
  );
  return {
    keep: (seq, content) => void insert.run(seq, JSON.stringify(content)),
    kept: ({ first }) => select.all(first).map(({ seq, content }) => ({ seq, content: JSON.parse(content) })),
    drop: ({ first }) => void remove.run(first),
  };
}
