import type { Hint } from '../../model/command.ts';
import { type ErrorPlace, FatalError } from '../../model/fatal-error.ts';
import { type PartialColumns, profileColumns } from './columns.ts';
import { countRows, type PartialCounts } from './counts.ts';
import { type CurrentRow, currentRow, type RowSelector } from './current-row.ts';
import type { PreviewSource } from './given-input.ts';
import { type InputPreviewResult, previewInput } from './look.ts';
import type { MappingText } from './mapping-text.ts';
import { type ReasonPage, type RowsOfReason, rowsOfReason } from './rows-of-reason.ts';
import { seededSpread } from './spread-rows.ts';
import { countValues, type TableSoFar } from './values.ts';

/** A job about an input, run in its own process: plain JSON. */
export type InputJob =
  /** `seed`, in [0, 1), selects the rows shown from all over the file. */
  | { readonly kind: 'look'; readonly input: PreviewSource; readonly rows: number; readonly seed: number }
  | { readonly kind: 'columns'; readonly input: PreviewSource }
  | { readonly kind: 'counts'; readonly input: PreviewSource; readonly mapping: MappingText }
  | {
      readonly kind: 'rows';
      readonly input: PreviewSource;
      readonly mapping: MappingText;
      readonly page: ReasonPage;
    }
  | {
      readonly kind: 'row';
      readonly input: PreviewSource;
      readonly mapping: MappingText;
      readonly row: RowSelector;
    }
  | {
      readonly kind: 'values';
      readonly input: PreviewSource;
      readonly mapping: MappingText;
      readonly target: string;
    };

/** An event of a job: plain JSON. `columns`, `counts` and `values` are sent repeatedly, the last time with `done`. */
export type InputEvent<Next = string> =
  | { readonly kind: 'look'; readonly look: InputPreviewResult }
  | { readonly kind: 'columns'; readonly columns: PartialColumns }
  | { readonly kind: 'counts'; readonly counts: PartialCounts }
  | { readonly kind: 'rows'; readonly rows: RowsOfReason }
  | { readonly kind: 'row'; readonly row: CurrentRow | null }
  | { readonly kind: 'values'; readonly values: TableSoFar }
  /** The error that ends a job, such as a mistake in the mapping or an unreadable input, and what to do next. */
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly place: ErrorPlace | null;
      readonly next: Next | null;
    };

/**
 * Runs a job and emits its results, or a FatalError as `refused`. Throws unexpected errors, and any error once `signal` is
 * aborted.
 */
export async function runInput(
  job: InputJob,
  emit: (event: InputEvent<Hint>) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    await run(job, emit, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof FatalError) || error.reason === 'unexpected') throw error;
    emit({
      kind: 'refused',
      message: error.message,
      place: error.place ?? null,
      next: error.next ?? null,
    });
  }
}

async function run(job: InputJob, emit: (event: InputEvent) => void, signal: AbortSignal): Promise<void> {
  const { input } = job;
  switch (job.kind) {
    case 'look': {
      const look = await previewInput(input, { rows: job.rows, spread: seededSpread(job.seed) }, signal);
      return emit({ kind: 'look', look });
    }
    case 'columns':
      return await profileColumns(input, (columns) => emit({ kind: 'columns', columns }), signal);
    case 'counts':
      return await countRows(input, job.mapping, (counts) => emit({ kind: 'counts', counts }), signal);
    case 'rows':
      return emit({ kind: 'rows', rows: await rowsOfReason(input, job.mapping, job.page, signal) });
    case 'row':
      return emit({ kind: 'row', row: await currentRow(input, job.mapping, job.row, signal) });
    case 'values':
      return await countValues(
        input,
        job.mapping,
        job.target,
        (values) => emit({ kind: 'values', values }),
        signal,
      );
  }
}
