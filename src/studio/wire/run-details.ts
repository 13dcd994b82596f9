import type * as z from 'zod';
import type { NextStep } from '../../app/import/report/summary.ts';
import type { StudioCommand } from './command.ts';
import { defineFileRoute, defineGetRoute, defineStreamRoute } from './route.ts';
import type {
  problemRowsRequestSchema,
  runFileRequestSchema,
  runRowsRequestSchema,
} from './schemas/run-details.ts';
import type { runRequestSchema } from './schemas/runs.ts';

/** A next step after a run, as `status` lists it; the command is null if the page cannot start it. */
export interface RunNextStep {
  /** The run that it is a next step of: the requested one, or a later run of this import. */
  readonly run: string;
  readonly why: string;
  /** The command line, as it is typed in a terminal. */
  readonly line: NextStep['command'];
  readonly command: StudioCommand | null;
}

/** A problem of a row, with the cell concerned. */
export interface RowProblemEntry {
  readonly seq: number;
  readonly line: number;
  readonly key: string | null;
  readonly column: string | null;
  /** The cell; null if the problem has no column, or the row was not stored. */
  readonly cell: string | null;
  readonly reason: string;
}

/**
 * A page of problems of rows, in the order of the input; `next` is the cursor of the next page, null for the last one.
 */
export interface RowProblemsPage {
  readonly rows: readonly RowProblemEntry[];
  readonly next: string | null;
}

/** A row of a run, with what was done. */
export interface RunRowEntry {
  readonly seq: number;
  readonly line: number;
  readonly key: string | null;
  /** The id of its contact; null if there is none, or it is not known yet. */
  readonly contact: number | null;
  /** The e-mail address or phone of the row's person; null if it has none. */
  readonly identifier: string | null;
  readonly outcome: string;
  /** What is wrong with it, or why nothing was sent. */
  readonly reasons: readonly string[];
}

/** A page of a run's rows, in the order of the input; `next` is the cursor of the next page, null for the last one. */
export interface RunRowsPage {
  readonly rows: readonly RunRowEntry[];
  readonly next: string | null;
}

/** A file in the folder of a run. */
export interface RunFile {
  /** Relative to the project folder. */
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

export const runDetailRoutes = {
  /**
   * Streams the next steps of a run and of its later runs after each change; continues after the end of the run, when
   * its lists are written.
   */
  nextSteps: defineStreamRoute<z.output<typeof runRequestSchema>, { readonly steps: readonly RunNextStep[] }>(
    '/api/runs/:run/next',
  ),
  /** Returns a page of the rows that have an outcome, or only of those with the requested outcome. */
  runRows: defineGetRoute<z.output<typeof runRowsRequestSchema>, RunRowsPage>('/api/runs/:run/rows'),
  problemRows: defineGetRoute<z.output<typeof problemRowsRequestSchema>, RowProblemsPage>(
    '/api/runs/:run/problems',
  ),
  /** Returns the files in the folder of a run, by name. */
  runFiles: defineGetRoute<z.output<typeof runRequestSchema>, { readonly files: readonly RunFile[] }>(
    '/api/runs/:run/files',
  ),
  /** Answers with a file in the folder of a run. The page shows an HTML file in a frame without scripts. */
  runFile: defineFileRoute<z.output<typeof runFileRequestSchema>>('/api/runs/:run/files/:name'),
};
