import { compileLookedUpTexts } from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { type CountedValue, ValueCounter } from '../draft/profile/value-counts.ts';
import { clusterSpellings, type SpellingCluster } from './clusters.ts';
import type { PreviewInput } from './given-input.ts';
import { openInputForMapping, parseUnsavedMapping, type UnsavedMapping } from './mapping-text.ts';
import { type ReadingProgress, visitAllRows } from './read-through.ts';

/** The texts of the rows so far that a target looks up in its table of values, and the progress. */
export interface ValueTableProgress extends ReadingProgress {
  /** The number of distinct texts without the empty one, as in the statistics of a column. */
  readonly distinct: { readonly n: number; readonly atLeast: boolean };
  /** The counted values, the most frequent first, '' for an empty cell; before `done` only the first of them. */
  readonly values: readonly CountedValue[];
  /** The likely spellings of one value among the counted values; none before `done`. */
  readonly clusters: readonly SpellingCluster[];
}

/** The maximum number of values in an event before the last. */
const mostSoFar = 500;

/**
 * Counts the texts that a target such as `customFields.Plan` looks up in its table of values, listed or not; calls
 * `tell` with the counts so far, the last time with `done`.
 */
export async function countValueTableLookups(
  given: PreviewInput,
  mapping: UnsavedMapping,
  target: string,
  tell: (soFar: ValueTableProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const { loaded } = parseUnsavedMapping(mapping);
  const textsOf = compileLookedUpTexts(loaded, target);
  if (textsOf === undefined) throw noTable(target, mapping.file);
  const input = await openInputForMapping(given, loaded, signal);
  const counts = new ValueCounter();
  const tellValues = (progress: ReadingProgress): void => {
    const { distinct } = counts;
    const values = counts.frequent(progress.done ? distinct.n : mostSoFar);
    const n = distinct.n - (values.some(({ value }) => value === '') ? 1 : 0);
    const clusters = progress.done ? clusterSpellings(values) : [];
    tell({ ...progress, distinct: { ...distinct, n }, values, clusters });
  };
  await visitAllRows(
    input,
    (item) => {
      if (item.kind === 'row') for (const text of textsOf(item)) counts.add(text);
    },
    tellValues,
    signal,
  );
}

function noTable(target: string, file: string): FatalError {
  return new FatalError('usage', `The mapping ${file} has no ${target} with a table of values.`, {
    place: { file, key: target },
    next: 'Choose a target that reads a column.',
  });
}
