import * as z from 'zod';
import { jsonOf, number } from '../../storage/columns.ts';
import { change, select } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import type { Group } from './groups.ts';

/** A row that waits for the rest of its group, with what was kept of it. */
export interface WaitingRow {
  readonly seq: number;
  readonly content: unknown;
}

const waitingRow = { seq: number, content: jsonOf(z.unknown()) };

/** What waits for its group, on disk; it goes with the process, and is read from the input again. */
export function waitingRows(file: SqliteFile) {
  return {
    /** Keeps a row; kept again, the later content stands. */
    keep: (seq: number, content: unknown): void =>
      change(file)`REPLACE INTO scratch.waiting (seq, content) VALUES (${seq}, ${JSON.stringify(content)})`,
    /** What was kept of a group, in the input's order. */
    kept: ({ first }: Group): readonly WaitingRow[] =>
      select(file, waitingRow)`
        SELECT seq, content FROM linked CROSS JOIN scratch.waiting USING (seq)
        WHERE root = ${first} ORDER BY seq`,
    drop: ({ first }: Group): void =>
      change(file)`DELETE FROM scratch.waiting WHERE seq IN (SELECT seq FROM linked WHERE root = ${first})`,
  };
}
