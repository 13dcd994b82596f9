import { isSecretColumn } from '../draft/columns/secret-columns.ts';
import type { ColumnProfile } from '../draft/profile/column-profile.ts';
import { findColumnType } from '../draft/profile/column-type.ts';
import { TableProfiler } from '../draft/profile/table-profile.ts';
import type { CountedValue } from '../draft/profile/value-counts.ts';
import { openWholeInput, type PreviewInput } from './given-input.ts';
import { type ReadingProgress, visitAllRows } from './read-through.ts';

/** The profile of a column in the rows so far. */
export interface ColumnStatistics {
  readonly name: string;
  /** The number of rows with a value. */
  readonly filled: number;
  readonly distinct: { readonly n: number; readonly atLeast: boolean };
  readonly type: string;
  /** A description of the type, such as the notation of its dates. */
  readonly words: string;
  /** The rule that a draft writes for a custom field of the column, without the column and the name. */
  readonly rule: { readonly type: string; readonly [key: string]: unknown };
  readonly longest: number;
  /** Empty for a column of passwords, keys or tokens; otherwise the most frequent values, or examples if all are unique. Counts are lower bounds if `distinct.atLeast` is true. */
  readonly frequent: readonly CountedValue[];
  /** Words for "nothing" that were seen. */
  readonly nulls: readonly string[];
}

/** The statistics of all columns in the rows so far, and the progress. */
export interface ColumnStatisticsProgress extends ReadingProgress {
  /** The number of rows with values: neither broken, nor blank, nor totals. */
  readonly counted: number;
  readonly columns: readonly ColumnStatistics[];
  /** The number of columns beyond those that are profiled. */
  readonly moreColumns: number;
}

const mostFrequent = 25;
const stride = 500;

/**
 * Reads all rows of an input to profile its columns; calls `tell` with the figures so far, the last time with `done`.
 */
export async function profileColumns(
  given: PreviewInput,
  tell: (soFar: ColumnStatisticsProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const input = await openWholeInput(given, signal);
  const profiling = new TableProfiler(input.facts, stride, true);
  const tellFigures = (progress: ReadingProgress): void => {
    const { rows: counted, columns, moreColumns } = profiling.profile();
    tell({ ...progress, counted, columns: columns.map(figuresOf), moreColumns });
  };
  await visitAllRows(input, (item) => profiling.add(item), tellFigures, signal);
}

function figuresOf(column: ColumnProfile): ColumnStatistics {
  const { kind, type, options, words, others } = findColumnType(column);
  const { name, filled, longest, nulls, values } = column;
  const isSecret = isSecretColumn(name);
  return {
    ...{ name, filled, type: kind, words, longest, nulls: isSecret ? [] : [...nulls] },
    rule: { type, ...options, ...(others > 0 && { onInvalid: 'drop' }) },
    distinct: values?.distinct ?? { n: 0, atLeast: false },
    frequent: isSecret ? [] : (values?.frequent(mostFrequent) ?? []),
  };
}
