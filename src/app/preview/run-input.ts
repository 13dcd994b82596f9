import type { Hint } from '../../model/command.ts';
import { type ErrorPlace, FatalError } from '../../model/fatal-error.ts';
import { type ColumnStatisticsProgress, profileColumns } from './columns.ts';
import { countMappingResults, type RowCountsProgress } from './counts.ts';
import { type PreviewRowSelector, type TracedRow, traceSelectedRow } from './current-row.ts';
import type { PreviewInput } from './given-input.ts';
import { type InputPreviewResult, previewInput } from './look.ts';
import type { UnsavedMapping } from './mapping-text.ts';
import { listMatchingRows, type RowsPage, type RowsQuery } from './matching-rows.ts';
import {
  compareNewerInput,
  findSimilarImports,
  type ImportToContinue,
  type NewerInput,
  type SimilarImport,
} from './newer-input.ts';
import { createSeededPositionGenerator } from './spread-rows.ts';
import { countValueTableLookups, type ValueTableProgress } from './values.ts';

/** A job that previews an input in a process of its own, as plain JSON. */
export type PreviewJob =
  /** `seed`, in [0, 1), selects the rows shown from all over the file. */
  | { readonly kind: 'look'; readonly input: PreviewInput; readonly rows: number; readonly seed: number }
  | { readonly kind: 'newer'; readonly input: PreviewInput; readonly of: ImportToContinue }
  | {
      readonly kind: 'similarImports';
      readonly input: PreviewInput;
      readonly imports: Parameters<typeof findSimilarImports>[1];
    }
  | { readonly kind: 'columns'; readonly input: PreviewInput }
  | { readonly kind: 'counts'; readonly input: PreviewInput; readonly mapping: UnsavedMapping }
  | {
      readonly kind: 'rows';
      readonly input: PreviewInput;
      readonly mapping: UnsavedMapping;
      readonly query: RowsQuery;
    }
  | {
      readonly kind: 'row';
      readonly input: PreviewInput;
      readonly mapping: UnsavedMapping;
      readonly row: PreviewRowSelector;
    }
  | {
      readonly kind: 'values';
      readonly input: PreviewInput;
      readonly mapping: UnsavedMapping;
      readonly target: string;
    };

/** An event of a job, as plain JSON. Events whose data has `done` are sent repeatedly; in the last one it is true. */
export type PreviewJobEvent<Next = string> =
  | { readonly kind: 'look'; readonly look: InputPreviewResult }
  | { readonly kind: 'newer'; readonly newer: NewerInput }
  | { readonly kind: 'similarImports'; readonly imports: readonly SimilarImport[] }
  | { readonly kind: 'columns'; readonly columns: ColumnStatisticsProgress }
  | { readonly kind: 'counts'; readonly counts: RowCountsProgress }
  | { readonly kind: 'rows'; readonly rows: RowsPage }
  | { readonly kind: 'row'; readonly row: TracedRow | null }
  | { readonly kind: 'values'; readonly values: ValueTableProgress }
  /** The error that ends a job, such as a mistake in the mapping or an unreadable input, and what to do next. */
  | {
      readonly kind: 'refused';
      readonly message: string;
      readonly place: ErrorPlace | null;
      readonly next: Next | null;
    };

/**
 * Runs a job and emits its results, or a FatalError as `refused`. Throws unexpected errors, and any error once `signal`
 * is aborted.
 */
export async function runPreviewJob(
  job: PreviewJob,
  emit: (event: PreviewJobEvent<Hint>) => void,
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

async function run(
  job: PreviewJob,
  emit: (event: PreviewJobEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { input } = job;
  switch (job.kind) {
    case 'look': {
      const look = await previewInput(
        input,
        { rows: job.rows, spread: createSeededPositionGenerator(job.seed) },
        signal,
      );
      return emit({ kind: 'look', look });
    }
    case 'newer':
      return emit({ kind: 'newer', newer: await compareNewerInput(input, job.of, signal) });
    case 'similarImports': {
      const imports = await findSimilarImports(input, job.imports, signal);
      return emit({ kind: 'similarImports', imports });
    }
    case 'columns':
      return await profileColumns(input, (columns) => emit({ kind: 'columns', columns }), signal);
    case 'counts':
      return await countMappingResults(
        input,
        job.mapping,
        (counts) => emit({ kind: 'counts', counts }),
        signal,
      );
    case 'rows':
      return await listMatchingRows(
        input,
        job.mapping,
        job.query,
        (rows) => emit({ kind: 'rows', rows }),
        signal,
      );
    case 'row':
      return emit({ kind: 'row', row: await traceSelectedRow(input, job.mapping, job.row, signal) });
    case 'values':
      return await countValueTableLookups(
        input,
        job.mapping,
        job.target,
        (values) => emit({ kind: 'values', values }),
        signal,
      );
  }
}
