import * as z from 'zod';
import { jsonColumn, numberColumn } from '../../storage/columns.ts';
import { runSql, select } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';

/** A group of two or more rows of one person, by their numbers in the input. */
export interface RowGroup {
  readonly first: number;
  readonly last: number;
  readonly size: number;
  /** In the input's order; read from the index on first use, because a group can be large. */
  readonly members: readonly number[];
}

const linkedRow = { seq: numberColumn, first: numberColumn, last: numberColumn, size: numberColumn };

/**
 * Returns a function that reads the groups of the rows `from` (included) to `to` (excluded), by row number; rows
 * without a group are absent, and the rows of a group share one object.
 */
export function createGroupReader(
  file: SqliteConnection,
): (from: number, to: number) => Map<number, RowGroup> {
  const read = (first: number): number[] =>
    select(file, { seq: numberColumn })`SELECT seq FROM linked WHERE root = ${first} ORDER BY seq`.map(
      ({ seq }) => seq,
    );
  return (from, to) => {
    const bySeq = new Map<number, RowGroup>();
    const byFirst = new Map<number, RowGroup>();
    const linked = select(file, linkedRow)`
      SELECT seq, first, last, size FROM linked JOIN linked_group ON first = root
      WHERE seq >= ${from} AND seq < ${to} ORDER BY seq`;
    for (const { seq, ...row } of linked) {
      const group = byFirst.get(row.first) ?? groupOf(row, read);
      byFirst.set(row.first, group);
      bySeq.set(seq, group);
    }
    return bySeq;
  };
}

function groupOf(
  { first, last, size }: Pick<RowGroup, 'first' | 'last' | 'size'>,
  read: (first: number) => number[],
): RowGroup {
  let members: readonly number[] | undefined;
  return {
    first,
    last,
    size,
    get members() {
      members ??= read(first);
      return members;
    },
  };
}

/** A row that waits for the other rows of its group, with its stored content. */
export interface WaitingRow {
  readonly seq: number;
  readonly content: unknown;
}

const waitingRow = { seq: numberColumn, content: jsonColumn(z.unknown()) };

/** Creates the store of rows that wait for their groups, on disk; it is empty whenever the index is opened. */
export function createWaitingRowStore(file: SqliteConnection) {
  return {
    /** Stores a row; replaces the content of a row that is already stored. */
    keep: (seq: number, content: unknown): void =>
      runSql(file)`REPLACE INTO scratch.waiting (seq, content) VALUES (${seq}, ${JSON.stringify(content)})`,
    /** Returns the stored rows of a group, in the input's order. */
    kept: ({ first }: RowGroup): readonly WaitingRow[] =>
      select(file, waitingRow)`
        SELECT seq, content FROM linked CROSS JOIN scratch.waiting USING (seq)
        WHERE root = ${first} ORDER BY seq`,
    drop: ({ first }: RowGroup): void =>
      runSql(file)`DELETE FROM scratch.waiting WHERE seq IN (SELECT seq FROM linked WHERE root = ${first})`,
  };
}
