import type { BrokenRow, Cell, NestedRow, Row } from '../../model/row.ts';
import { createBrokenRow, maxRawTextLength } from '../broken-row.ts';
import { createWherePredicate, type WhereConditions } from '../where.ts';
import { type ListColumn, parseListColumn, readJoinKey, readJoinKeys } from './key.ts';
import type { PlannedJoin, StagedTableSpec } from './plan.ts';
import { isIdColumn, type RowCells, type StagedRow, type StagedTable } from './staged-table.ts';
import {
  type JoinedRowUsage,
  joinedRowUsages,
  type RowUsageBitmap,
  type RowUsageTracker,
} from './table-use.ts';

/** The row of a to-one join (null if none was found), with all columns and lists that such a row may have. */
interface JoinedOne {
  readonly row: JoinedRow | null;
  readonly columns: readonly string[];
  readonly lists: readonly string[];
}

/** A row with the rows joined to it. */
class JoinedRow implements NestedRow {
  readonly #own: RowCells;
  readonly #ones = new Map<string, JoinedOne>();
  readonly #lists = new Map<string, readonly RowCells[]>();

  constructor(own: RowCells) {
    this.#own = own;
  }

  setOne(join: string, one: JoinedOne): void {
    this.#ones.set(join, one);
  }

  setList(join: string, rows: readonly RowCells[]): void {
    this.#lists.set(join, rows);
  }

  /** Returns a cell; the row's own columns take precedence over those of joins. */
  cell(column: string): Cell | undefined {
    const own = this.#own.cell(column);
    if (own !== undefined) return own;
    const [one, rest] = this.#through(column);
    if (one === undefined) return undefined;
    return one.row?.cell(rest) ?? (one.columns.includes(rest) ? null : undefined);
  }

  /** Returns the row's own cells, then those of its to-one joins. */
  entries(): readonly (readonly [column: string, cell: Cell])[] {
    const entries = [...this.#own.entries()];
    const own = new Set(entries.map(([column]) => column));
    for (const [join, { row, columns }] of this.#ones) {
      const cells = row?.entries() ?? columns.map((column) => [column, null] as const);
      for (const [column, cell] of cells)
        if (!own.has(`${join}.${column}`)) entries.push([`${join}.${column}`, cell]);
    }
    return entries;
  }

  list(name: string): readonly NestedRow[] | undefined {
    const joined = this.#lists.get(name);
    if (joined !== undefined) return joined;
    const [one, rest] = this.#through(name);
    if (one?.row === null && one.lists.includes(rest)) return [];
    return one?.row?.list(rest) ?? this.#own.list?.(name);
  }

  #through(column: string): readonly [one: JoinedOne | undefined, rest: string] {
    const dot = column.indexOf('.');
    return [dot === -1 ? undefined : this.#ones.get(column.slice(0, dot)), column.slice(dot + 1)];
  }
}

/** Converts a joined row to a row of the source. */
function joinedMainRow(line: number, joined: JoinedRow): Row {
  return {
    kind: 'row',
    line,
    cell: (column) => joined.cell(column),
    entries: () => joined.entries(),
    list: (name) => joined.list(name),
  };
}

/** A join with its staged tables open. */
export class JoinReader {
  readonly name: string;
  readonly path: string;
  readonly many: boolean;
  /**
   * The columns of its rows and, prefixed with the join's name (`owner.name`), those of its inner to-one joins. A table
   * with unknown columns adds none.
   */
  readonly columns: readonly string[];
  /** The names of all lists of its rows. */
  readonly lists: readonly string[];
  readonly joins: readonly JoinReader[];
  readonly #left: readonly string[];
  readonly #listed: ListColumn | null;
  readonly #split: string | null;
  readonly #target: StagedTable;
  readonly #link: { readonly table: StagedTable; readonly to: readonly string[] } | null;
  readonly #pick: PickCondition | null;
  readonly #reached: JoinUsage | null;
  /**
   * True if the outer row refers to one row of the target by its id; if that row is not found, the reference is
   * recorded as unresolved.
   */
  readonly #isReference: boolean;

  /**
   * `open` opens the staged table once for each join, so that two joins can read it at the same time. `reached`
   * records the rows found.
   */
  constructor(
    join: PlannedJoin,
    open: (child: StagedTableSpec) => StagedTable,
    reached: RowUsageTracker | null,
  ) {
    this.name = join.name;
    this.path = join.path;
    this.many = join.many;
    this.#left = join.left;
    this.#listed = join.left.map(parseListColumn).find((found) => found !== null) ?? null;
    this.#split = join.split;
    this.#target = open(join.target);
    this.#link = join.link === null ? null : { table: open(join.link.child), to: join.link.to };
    this.#pick = join.pick === null ? null : pickCondition(join.pick);
    this.#reached = reached === null ? null : this.#reachedBy(join, reached);
    this.#isReference = isReference(join) && this.#listed === null;
    this.joins = join.joins.map((inner) => new JoinReader(inner, open, reached));
    const own = this.#target.facts.columns ?? [];
    const nested = this.joins.flatMap(({ name, many, columns }) =>
      many ? [] : columns.map((column) => `${name}.${column}`),
    );
    this.columns = [...own, ...nested];
    this.lists = this.joins.flatMap(({ name, many, lists }) =>
      many ? [name] : lists.map((list) => `${name}.${list}`),
    );
  }

  /** Yields the rows joined to a row, in order. */
  *all(row: Pick<Row, 'cell' | 'list'>): Generator<StagedRow> {
    for (const key of this.#keys(row)) {
      for (const found of this.#under(key)) {
        this.#note(found, joinedRowUsages.used);
        yield found.target;
      }
    }
  }

  /** Returns the row of a to-one join: the first that meets `pick`, else the first; undefined if there is none. */
  one(row: Pick<Row, 'cell' | 'list'>): StagedRow | undefined {
    const keys = this.#keys(row);
    // Other columns may be about the first id of the cell, so a row of another id must not take its place.
    const isFirstOnly = this.#split !== null && this.#pick === null;
    const taken = this.#best(isFirstOnly ? keys.slice(0, 1) : keys);
    if (taken !== undefined) this.#note(taken, joinedRowUsages.used);
    else if (this.#isReference) this.#noteUnresolved(keys);
    if (isFirstOnly && this.#reached !== null)
      for (const key of keys.slice(1))
        for (const found of this.#under(key)) this.#note(found, joinedRowUsages.notPicked);
    return taken?.target;
  }

  /** Returns the first row of these keys that meets `pick`, else the first; records all as not picked. */
  #best(keys: readonly string[]): MatchedRow | undefined {
    let first: MatchedRow | undefined;
    let picked: MatchedRow | undefined;
    for (const key of keys) {
      for (const found of this.#under(key)) {
        this.#note(found, joinedRowUsages.notPicked);
        first ??= found;
        if (this.#pick === null || this.#pick(found.target.row, found.link?.row ?? null)) picked ??= found;
        // Where a row has one key, the use that is recorded for the first row of a key counts for all rows of the key,
        // so the later rows need no record.
        const hasOneKey = this.#link === null && this.#split === null;
        if (picked !== undefined && (this.#reached === null || hasOneKey)) break;
      }
      if (picked !== undefined && this.#reached === null) break;
    }
    return picked ?? first;
  }

  #keys(row: Pick<Row, 'cell' | 'list'>): readonly string[] {
    return readJoinKeys(row, this.#left, this.#listed, this.#split);
  }

  *#under(key: string): Generator<MatchedRow> {
    if (this.#link === null) {
      for (const target of this.#target.rows(key)) yield { target, link: null };
      return;
    }
    for (const link of this.#link.table.rows(key)) {
      const to = readJoinKey(link.row, this.#link.to);
      if (to === null) continue;
      for (const target of this.#target.rows(to)) yield { target, link };
    }
  }

  #reachedBy({ target, link }: PlannedJoin, all: RowUsageTracker): JoinUsage {
    return {
      all,
      target: all.table(target.table.name, this.#target.facts.rows),
      link: link === null ? null : all.table(link.child.table.name, this.#link?.table.facts.rows ?? 0),
    };
  }

  #noteUnresolved([id]: readonly string[]): void {
    // Legacy systems write zeros in place of a missing reference.
    if (this.#reached !== null && id !== undefined && !/^[0-]*$/.test(id))
      this.#reached.all.noteUnresolved(this.#reached.target, id);
  }

  #note({ target, link }: MatchedRow, how: JoinedRowUsage): void {
    if (this.#reached === null) return;
    const { all, target: rows, link: linkRows } = this.#reached;
    all.note(rows, target.number, how);
    if (link !== null && linkRows !== null) all.note(linkRows, link.number, how);
  }
}

/** A joined row, with the row of the link table that led to it. */
interface MatchedRow {
  readonly target: StagedRow;
  readonly link: StagedRow | null;
}

/** The tracker of all tables, with the usage of a join's target and of its link table. */
interface JoinUsage {
  readonly all: RowUsageTracker;
  readonly target: RowUsageBitmap;
  readonly link: RowUsageBitmap | null;
}

function isReference({ many, link, left, target }: PlannedJoin): boolean {
  const { table, key, where } = target;
  const [column] = key;
  const isById =
    key.length === 1 && left.length === 1 && column !== undefined && isIdColumn(table.name, column);
  return isById && !many && link === null && Object.keys(where).length === 0;
}

type PickCondition = (target: NestedRow, link: NestedRow | null) => boolean;

/**
 * Creates the condition of `pick`: a column is looked up in the row of the link table first, because the flag
 * of the primary row is usually there, then in the joined row.
 */
function pickCondition(pick: WhereConditions): PickCondition {
  const holds = createWherePredicate(pick);
  return (target, link) =>
    holds({
      cell: (column) => link?.cell(column) ?? target.cell(column),
    });
}

const mostListed = 10_000;

/** The number of rows and bytes that the lists of one row may still add. */
interface ListBudget {
  rows: number;
  bytes: number;
  /** The path of the list that exceeds the limit. */
  exceeded: string | null;
}

/** A row with its joins, and their approximate size. */
interface RowWithJoins {
  readonly item: Row | BrokenRow;
  readonly bytes: number;
}

/** Adds the joined rows to a row; returns a broken row if its lists exceed `maxBytes` or 10,000 rows. */
export function addJoinedRows(row: Row, joins: readonly JoinReader[], maxBytes: number): RowWithJoins {
  const allowed: ListBudget = { rows: mostListed, bytes: maxBytes, exceeded: null };
  const joined = withJoins(new JoinedRow(row), joins, allowed);
  const bytes = maxBytes - allowed.bytes;
  if (allowed.exceeded === null) return { item: joinedMainRow(row.line, joined), bytes };
  return { item: tooLargeRow(row, allowed, maxBytes), bytes: maxRawTextLength };
}

function tooLargeRow(row: Row, allowed: ListBudget, maxBytes: number): BrokenRow {
  const what =
    allowed.rows < 0
      ? `There are more than ${mostListed} rows in the lists of this row`
      : `The lists of this row have more than ${maxBytes} bytes`;
  const next =
    allowed.rows < 0 ? 'Leave some of them out with "where".' : 'Raise "maxRowBytes" if that is meant to be.';
  const reason = `${what}, at "${allowed.exceeded}". ${next}`;
  return createBrokenRow(row.line, 'row.tooLarge', reason, JSON.stringify(Object.fromEntries(row.entries())));
}

function withJoins(row: JoinedRow, joins: readonly JoinReader[], allowed: ListBudget): JoinedRow {
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

function listOf(row: JoinedRow, join: JoinReader, allowed: ListBudget): readonly RowCells[] {
  const rows: RowCells[] = [];
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
