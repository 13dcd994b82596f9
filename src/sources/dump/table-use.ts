import type {
  RowsWithExamples,
  TableUse,
  UnjoinedCount,
  UnjoinedReason,
  UnjoinedRow,
} from '../../model/table-use.ts';
import { readJoinKey } from './key.ts';
import type { PlannedJoin, StagedTableSpec, UnreadTable } from './plan.ts';
import { type RowStagingStatus, readRowId, type StagedTable } from './staged-table.ts';

/**
 * The ways in which a joined table's row is used, by rank; the highest one counts. `byRowLeftOut`: it is joined to a
 * row of the main table that is filtered or broken.
 */
export const joinedRowUsages = { none: 0, byRowLeftOut: 1, notPicked: 2, used: 3 } as const;

export type JoinedRowUsage = (typeof joinedRowUsages)[keyof typeof joinedRowUsages];

const rowUses: readonly JoinedRowUsage[] = [
  joinedRowUsages.none,
  joinedRowUsages.byRowLeftOut,
  joinedRowUsages.notPicked,
  joinedRowUsages.used,
];

const shownExamples = 3;

/** The use of each row of a table, by row number. It takes two bits for each row: 1.25 MB for five million rows. */
export class RowUsageBitmap {
  readonly rows: number;
  readonly #bits: Uint8Array;
  #lastPerson = -1;
  /** The number of rows of the main table that use a row of this table. */
  people = 0;
  /** The rows of the main table that refer to a missing row of this table. */
  readonly unresolved: { rows: number; readonly examples: RowsWithExamples['examples'][number][] } = {
    rows: 0,
    examples: [],
  };

  constructor(rows: number) {
    this.rows = rows;
    this.#bits = new Uint8Array((rows >> 2) + 1);
  }

  of(number: number): JoinedRowUsage {
    return rowUses[((this.#bits[number >> 2] ?? 0) >> ((number & 3) << 1)) & 3] ?? joinedRowUsages.none;
  }

  raise(number: number, to: JoinedRowUsage, person: number): void {
    const place = number >> 2;
    const shift = (number & 3) << 1;
    const bits = this.#bits[place] ?? 0;
    if (((bits >> shift) & 3) < to) this.#bits[place] = (bits & ~(3 << shift)) | (to << shift);
    if (to !== joinedRowUsages.used || this.#lastPerson === person) return;
    this.#lastPerson = person;
    this.people += 1;
  }

  addUnresolved(line: number, id: string): void {
    this.unresolved.rows += 1;
    if (this.unresolved.examples.length < shownExamples) this.unresolved.examples.push({ line, id });
  }
}

/** Records the use of joined tables in one pass over the main table. */
export class RowUsageTracker {
  readonly main = { rows: 0, taken: 0, filtered: 0, broken: 0 };
  readonly #tables = new Map<string, RowUsageBitmap>();
  #unresolved: { readonly rows: RowUsageBitmap; readonly id: string }[] = [];
  #found: { readonly rows: RowUsageBitmap; readonly number: number; readonly by: JoinedRowUsage }[] = [];

  /** Returns the usage of a table; the first call creates the usage, for `rows` rows. */
  table(name: string, rows: number): RowUsageBitmap {
    const known = this.#tables.get(name) ?? new RowUsageBitmap(rows);
    this.#tables.set(name, known);
    return known;
  }

  /** Records a row joined to the current row of the main table. */
  note(rows: RowUsageBitmap, number: number, by: JoinedRowUsage): void {
    this.#found.push({ rows, number, by });
  }

  /** Records that the current row of the main table refers to a missing row. */
  noteUnresolved(rows: RowUsageBitmap, id: string): void {
    this.#unresolved.push({ rows, id });
  }

  /** Ends the current row of the main table with its outcome, which decides the use of the rows joined to it. */
  end(row: 'taken' | 'filtered' | 'broken', line: number): void {
    const person = this.main.rows;
    this.main.rows += 1;
    this.main[row] += 1;
    if (row === 'taken') for (const { rows, id } of this.#unresolved) rows.addUnresolved(line, id);
    if (this.#unresolved.length > 0) this.#unresolved = [];
    if (this.#found.length === 0) return;
    for (const { rows, number, by } of this.#found)
      rows.raise(number, row === 'taken' ? by : joinedRowUsages.byRowLeftOut, person);
    this.#found = [];
  }
}

const pageRows = 500;

/** A table that a join reads; for a link table, `to` has its columns that lead to the target, and the target. */
interface JoinReading {
  readonly table: StagedTable;
  readonly split: string | null;
  /** True if the join lacks another table, so that it uses no row. */
  readonly lacksTable?: boolean;
  readonly to: { readonly columns: readonly string[]; readonly target: StagedTable } | null;
}

/** A joined table with all joins that read it. */
interface JoinedTable {
  readonly name: string;
  readonly readings: readonly JoinReading[];
}

/** The reasons why a row is not used, in order of precedence for a row that several joins read. */
const reasonOrder: readonly (UnjoinedReason | 'filtered')[] = [
  'missingTable',
  'notPicked',
  'parentLeftOut',
  'linksToNothing',
  'unknownId',
  'otherKind',
  'emptyId',
  'filtered',
  'broken',
];

/**
 * Returns the tables that joins read, each with all joins that read it, without the main table, and those that a join
 * would read if it did not lack another table.
 */
export function groupJoinsByTable(
  joins: readonly PlannedJoin[],
  unread: readonly UnreadTable[],
  main: string,
  open: (child: StagedTableSpec) => StagedTable,
): readonly JoinedTable[] {
  const readings = new Map<string, JoinReading[]>();
  const add = ({ table: { name } }: StagedTableSpec, reading: JoinReading) => {
    if (name !== main) readings.set(name, [...(readings.get(name) ?? []), reading]);
  };
  const addAll = (some: readonly PlannedJoin[]) => {
    for (const { target, link, split, joins: inner } of some) {
      const table = open(target);
      if (link !== null)
        add(link.child, { table: open(link.child), split: null, to: { columns: link.to, target: table } });
      add(target, { table, split, to: null });
      addAll(inner);
    }
  };
  addAll(joins);
  for (const { spec } of unread) add(spec, { table: open(spec), split: null, lacksTable: true, to: null });
  return [...readings].map(([name, each]) => ({ name, readings: each }));
}

/**
 * Yields, in pages, the rows of a joined table that join no imported row, without the filtered ones; returns how many
 * of its rows are used, filtered and unjoined.
 */
export async function* streamUnjoinedRows(
  { name, readings }: JoinedTable,
  reached: RowUsageTracker,
): AsyncGenerator<readonly UnjoinedRow[], TableUse, undefined> {
  const rows = reached.table(name, readings[0]?.table.facts.rows ?? 0);
  const counts = new Map<UnjoinedReason, { rows: number; examples: UnjoinedCount['examples'][number][] }>();
  let page: UnjoinedRow[] = [];
  let used = 0;
  let filtered = 0;
  for (let number = 1; number <= rows.rows; number += 1) {
    if (rows.of(number) === joinedRowUsages.used) {
      used += 1;
      continue;
    }
    const { reason, line, id, parent } = outcomeOf(number, name, readings, rows);
    if (reason === 'filtered') {
      filtered += 1;
      continue;
    }
    const count = counts.get(reason) ?? { rows: 0, examples: [] };
    counts.set(reason, count);
    count.rows += 1;
    if (count.examples.length < shownExamples) count.examples.push({ line, id: parent });
    page.push({ table: name, line, id, parent, reason });
    if (page.length < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
  const unjoined = reasonOrder.flatMap((reason) => {
    const count = reason === 'filtered' ? undefined : counts.get(reason);
    return count === undefined || reason === 'filtered' ? [] : [{ reason, ...count }];
  });
  return {
    ...{ table: name, role: 'joined', rows: rows.rows, used, people: rows.people },
    ...{ filtered, unjoined },
    ...(rows.unresolved.rows > 0 && { unresolved: rows.unresolved }),
  };
}

interface RowOutcome extends Pick<UnjoinedRow, 'line' | 'id' | 'parent'> {
  readonly reason: UnjoinedReason | 'filtered';
}

function outcomeOf(
  number: number,
  name: string,
  readings: readonly JoinReading[],
  rows: RowUsageBitmap,
): RowOutcome {
  let best: RowOutcome | undefined;
  for (const reading of readings) {
    const row = reading.table.numbered(number);
    if (row === undefined) continue;
    const reason = row.notStaged ?? reasonOf(number, row, reading, rows);
    if (best !== undefined && reasonOrder.indexOf(best.reason) <= reasonOrder.indexOf(reason)) continue;
    const cells = row.notStaged === null ? reading.table.row(number) : undefined;
    const id = cells === undefined ? row.id : readRowId(name, cells);
    best = { reason, line: row.line, id, parent: reading.lacksTable ? null : row.key };
  }
  if (best === undefined) throw new Error(`row ${number} is in no staged table`);
  return best;
}

/** Returns the reason why a staged row is not used. */
function reasonOf(
  number: number,
  { key }: RowStagingStatus,
  { table, split, lacksTable, to }: JoinReading,
  rows: RowUsageBitmap,
): UnjoinedReason {
  if (lacksTable) return 'missingTable';
  if (to !== null) {
    const cells = table.row(number);
    const leadsTo = cells === undefined ? null : readJoinKey(cells, to.columns);
    if (leadsTo === null) return 'emptyId';
    if (to.target.firstOf(leadsTo) === undefined) return 'linksToNothing';
  }
  // `JoinReader` may stop at the row that it picks, and then records no later row of the key, except where a cell has
  // several keys. So the use of the key's first row counts for all of them.
  const first = key === null || split !== null ? undefined : table.firstOf(key);
  const how = Math.max(rows.of(number), first === undefined ? joinedRowUsages.none : rows.of(first));
  if (how === joinedRowUsages.none) return 'unknownId';
  return how === joinedRowUsages.byRowLeftOut ? 'parentLeftOut' : 'notPicked';
}
