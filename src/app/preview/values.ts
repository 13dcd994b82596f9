import { compileValueTable } from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { ValueCounter } from '../draft/profile/value-counts.ts';
import type { PreviewInput } from './given-input.ts';
import { openInputForMapping, parseUnsavedMapping, type UnsavedMapping } from './mapping-text.ts';
import { type ReadProgress, readAllRows } from './read-through.ts';

/** A text that a target looks up in its table of values, and the result. */
export interface ValueTableRow {
  /** '' for an empty cell. */
  readonly text: string;
  /** The number of rows with it; 0 if the table lists it and no row so far has it. */
  readonly n: number;
  /** True if the table lists it. */
  readonly isListed: boolean;
  /** The table's value for the text; null if the table maps it to null or does not list it. */
  readonly becomes: string | null;
}

/** The texts of the rows so far, the most frequent first, and the progress. */
export interface ValueTableProgress extends ReadProgress {
  readonly distinct: { readonly n: number; readonly atLeast: boolean };
  readonly values: readonly ValueTableRow[];
}

const mostValues = 500;

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
  const table = compileValueTable(loaded, target);
  if (table === undefined) throw noTable(target, mapping.file);
  const input = await openInputForMapping(given, loaded, signal);
  const counts = new ValueCounter();
  const tellValues = (progress: ReadProgress): void => {
    const found = counts.frequent(mostValues);
    const seen = new Set(found.map(({ value }) => value.toLowerCase()));
    const unseen = table.listed.filter((text) => !seen.has(text.toLowerCase()));
    const values = [...found, ...unseen.map((value) => ({ value, n: 0 }))].map(({ value, n }) => {
      const becomes = table.becomes(value);
      return { text: value, n, isListed: becomes !== undefined, becomes: becomes ?? null };
    });
    tell({ ...progress, distinct: counts.distinct, values });
  };
  await readAllRows(
    input,
    (item) => {
      if (item.kind === 'row') for (const text of table.textsOf(item)) counts.add(text);
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
