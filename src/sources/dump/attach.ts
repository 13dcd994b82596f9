import type { BrokenRow, Row } from '../../model/row.ts';
import { brokenRow, rawLength } from '../broken-row.ts';
import { JoinedRow, joinedMainRow, type SoleRow } from './joined-row.ts';
import type { OpenJoin } from './open-join.ts';

const mostListed = 10_000;

/** How much the lists of one row may still hold. */
interface Allowed {
  rows: number;
  bytes: number;
  /** The list that is too much. */
  exceeded: string | null;
}

/** A row with everything that is joined to it, and about how much that is. */
interface Attached {
  readonly item: Row | BrokenRow;
  readonly bytes: number;
}

/** Attaches to a row what is joined to it; it is a broken row where its lists hold more than this many bytes. */
export function attached(row: Row, joins: readonly OpenJoin[], maxBytes: number): Attached {
  const allowed: Allowed = { rows: mostListed, bytes: maxBytes, exceeded: null };
  const joined = withJoins(new JoinedRow(row), joins, allowed);
  const bytes = maxBytes - allowed.bytes;
  if (allowed.exceeded === null) return { item: joinedMainRow(row.line, joined), bytes };
  return { item: tooLarge(row, allowed, maxBytes), bytes: rawLength };
}

function tooLarge(row: Row, allowed: Allowed, maxBytes: number): BrokenRow {
  const what =
    allowed.rows < 0
      ? `There are more than ${mostListed} rows in the lists of this row`
      : `The lists of this row have more than ${maxBytes} bytes`;
  const next =
    allowed.rows < 0 ? 'Leave some of them out with "where".' : 'Raise "maxRowBytes" if that is meant to be.';
  const reason = `${what}, at "${allowed.exceeded}". ${next}`;
  return brokenRow(row.line, 'row.tooLarge', reason, JSON.stringify(Object.fromEntries(row.entries())));
}

function withJoins(row: JoinedRow, joins: readonly OpenJoin[], allowed: Allowed): JoinedRow {
  for (const join of joins) {
    if (join.many) {
      row.setList(join.name, listOf(row, join, allowed));
    } else {
      const found = join.one(row);
      const one = found === undefined ? null : withJoins(new JoinedRow(found.row), join.joins, allowed);
      row.setOne(join.name, { row: one, columns: join.columns, lists: join.lists });
    }
  }
  return row;
}

function listOf(row: JoinedRow, join: OpenJoin, allowed: Allowed): readonly SoleRow[] {
  const rows: SoleRow[] = [];
  for (const found of join.all(row)) {
    if (allowed.exceeded !== null) return [];
    allowed.rows -= 1;
    allowed.bytes -= found.bytes;
    if (allowed.rows < 0 || allowed.bytes < 0) {
      allowed.exceeded = join.path;
      return [];
    }
    rows.push(found.row);
  }
  if (join.joins.length === 0) return rows;
  return rows.map((listed) => withJoins(new JoinedRow(listed), join.joins, allowed));
}
