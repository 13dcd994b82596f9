import type { ColumnProfile } from '../draft/profile/column-profile.ts';
import { typeOf } from '../draft/profile/column-type.ts';
import { TableProfiling } from '../draft/profile/table-profile.ts';
import type { ValueCount } from '../draft/profile/value-counts.ts';
import { type GivenInput, openWhole } from './given-input.ts';
import { type Progress, readThrough } from './read-through.ts';

/** What the rows so far show of a column. */
export interface ColumnFigures {
  readonly name: string;
  /** Rows with a value. */
  readonly filled: number;
  readonly distinct: { readonly n: number; readonly atLeast: boolean };
  readonly type: string;
  /** The type in words. */
  readonly words: string;
  /** The rule that a draft writes for a custom field of it, without the column and the name. */
  readonly rule: { readonly type: string; readonly [key: string]: unknown };
  readonly longest: number;
  /** The most frequent values; where there are only unique ones, examples. Counts are "at least" where `distinct` is. */
  readonly frequent: readonly ValueCount[];
  /** What stands for "nothing". */
  readonly nulls: readonly string[];
}

/** What the rows so far show of all columns. */
export interface ColumnsSoFar extends Progress {
  /** Rows with values: neither broken, nor blank, nor totals. */
  readonly counted: number;
  readonly columns: readonly ColumnFigures[];
  /** Columns beyond the most that are looked at. */
  readonly moreColumns: number;
}

const mostFrequent = 25;
const stride = 500;

/** Reads all rows of an input for what its columns hold; `tell` hears it again and again until it is done. */
export async function profileColumns(
  given: GivenInput,
  tell: (soFar: ColumnsSoFar) => void,
  signal: AbortSignal,
): Promise<void> {
  const input = await openWhole(given, signal);
  const profiling = new TableProfiling(input.facts, stride, true);
  const tellFigures = (progress: Progress): void => {
    const { rows: counted, columns, moreColumns } = profiling.profile();
    tell({ ...progress, counted, columns: columns.map(figuresOf), moreColumns });
  };
  await readThrough(input, (item) => profiling.add(item), tellFigures, signal);
}

function figuresOf(column: ColumnProfile): ColumnFigures {
  const { kind, type, options, words, others } = typeOf(column);
  const { name, filled, longest, nulls, values } = column;
  return {
    ...{ name, filled, type: kind, words, longest, nulls: [...nulls] },
    rule: { type, ...options, ...(others > 0 && { onInvalid: 'drop' }) },
    distinct: values?.distinct ?? { n: 0, atLeast: false },
    frequent: values?.frequent(mostFrequent) ?? [],
  };
}
