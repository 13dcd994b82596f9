import { type JournalDatabase, listRejects, type RowRecord, type RunRecord } from '../../../journal/index.ts';
import type { Problem } from '../../../model/problem.ts';
import { formatRowLine } from '../../../model/row-place.ts';
import { chooseCsvListStyle, formatCsvList, iteratePagesAsync } from '../../../report/csv-list.ts';

/** The columns that rejects.csv adds; if the input is itself an older rejects.csv, they are replaced, not doubled. */
export const rejectsCsvExtraColumns = ['_row', '_sheet', '_line', '_code', '_column', '_reason', '_raw'];

/** A rejected or failed row, for a table in which users correct cells. */
export interface RejectedRow {
  /** The number of the row in its run, from 0; the next page starts after it, and corrections refer to it. */
  readonly seq: number;
  /** The row's sheet; undefined unless the input has several sheets. */
  readonly sheet?: string | null | undefined;
  /** The line of the row in the input. */
  readonly line: number;
  readonly key: string | null;
  readonly outcome: RowRecord['outcome'];
  /** Cells by column of the input; empty for a row that could not be read. */
  readonly cells: Readonly<Record<string, string>>;
  /** Problems of the cells, by column. */
  readonly problems: Readonly<Record<string, readonly Problem[]>>;
  /** Problems of the row as a whole. */
  readonly ofRow: readonly Problem[];
  /** The text of a row that could not be read; null for others. */
  readonly raw: string | null;
}

/** Corrected cells of rows, by `seq` and column. */
export type CorrectionsByRow = ReadonlyMap<number, Readonly<Record<string, string>>>;

/** Returns at most `limit` rejected and failed rows of a run after the given one, in the input's order. */
export function readRejectedRowsPage(
  file: JournalDatabase,
  run: RunRecord,
  after: number | undefined,
  limit: number,
): readonly RejectedRow[] {
  return listRejects(file, run.number, after ?? -1, limit).map(
    ({ seq, line, sheet, key, outcome, cells, problems, raw }) => {
      const own = (cells ?? []).filter(([column]) => !rejectsCsvExtraColumns.includes(column));
      const inCells = problems.flatMap((each) =>
        each.column === null ? [] : [[each.column, each] as const],
      );
      return {
        ...{ seq, line, sheet, key, outcome, raw },
        cells: Object.fromEntries(own.map(([column, cell]) => [column, cell ?? ''])),
        problems: Object.fromEntries(
          inCells.map(([column]) => [column, problems.filter((each) => each.column === column)]),
        ),
        ofRow: problems.filter(({ column }) => column === null),
      };
    },
  );
}

/**
 * Yields the text of rejects.csv in chunks, with corrected cells in place of the old ones; yields nothing if no row was
 * rejected or failed.
 */
export async function* formatRejectsCsv(
  file: JournalDatabase,
  run: RunRecord,
  corrected: CorrectionsByRow = new Map(),
): AsyncIterable<string> {
  const more = [...corrected.values()].flatMap((cells) => Object.keys(cells));
  const columns = [...new Set([...(await readInputColumnsOfRejects(file, run)), ...more])];
  const rows = rejectPages(file, run.number);
  yield* formatCsvList(
    [...columns, ...rejectsCsvExtraColumns],
    rows,
    (row) => record(row, columns, run.id, corrected.get(row.seq)),
    chooseCsvListStyle(run),
  );
}

/** Returns the columns of the input in order. Rows may have different ones, so all rejected rows are read. */
export async function readInputColumnsOfRejects(
  file: JournalDatabase,
  run: RunRecord,
): Promise<readonly string[]> {
  const columns = new Set<string>(run.columns ?? []);
  for await (const page of rejectPages(file, run.number)) {
    for (const row of page) for (const [column] of row.cells ?? []) columns.add(column);
  }
  return [...columns].filter((column) => !rejectsCsvExtraColumns.includes(column));
}

function rejectPages(file: JournalDatabase, run: number): AsyncIterable<readonly RowRecord[]> {
  return iteratePagesAsync((after, limit) => listRejects(file, run, after?.seq ?? -1, limit));
}

function record(
  row: RowRecord,
  columns: readonly string[],
  run: string,
  corrected: Readonly<Record<string, string>> = {},
): string[] {
  const cells = new Map([...(row.cells ?? []), ...Object.entries(corrected)]);
  const join = (part: (problem: RowRecord['problems'][number]) => string | null) =>
    row.problems.map((problem) => part(problem) ?? '').join(' | ');
  return [
    ...columns.map((column) => cells.get(column) ?? ''),
    row.hash === null ? '' : `${run}:${row.hash}`,
    row.sheet ?? '',
    formatRowLine(row.line),
    join((problem) => problem.code),
    join((problem) => problem.column),
    join((problem) => problem.reason),
    row.raw ?? '',
  ];
}
