import type * as z from 'zod';
import type { NextStep } from '../../app/import/report/summary.ts';
import type { Command } from './command.ts';
import { getRoute, streamRoute } from './route.ts';
import type { problemChoice } from './schemas/run-details.ts';
import type { runChoice } from './schemas/runs.ts';

/** A next step of a run, as `status` says it; with a command where that is one that the page can start. */
export interface Step {
  readonly why: string;
  /** As it is typed in a terminal. */
  readonly line: NextStep['command'];
  readonly command: Command | null;
}

/** A row behind a code. */
export interface ProblemRow {
  readonly seq: number;
  readonly line: number;
  readonly key: string | null;
  readonly column: string | null;
  /** What the cell has, where the row was kept. */
  readonly cell: string | null;
  readonly reason: string;
}

/** Rows in the order of the input; `next` is what to go on after, null where these are the last. */
export interface ProblemRows {
  readonly rows: readonly ProblemRow[];
  readonly next: string | null;
}

/** A file of a run, in its folder. */
export interface RunFile {
  /** From the project folder. */
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

export const runDetailRoutes = {
  /** Whenever they are other ones: the lists of a run are written after its end. */
  nextSteps: streamRoute<z.output<typeof runChoice>, { readonly steps: readonly Step[] }>(
    '/api/runs/:run/next',
  ),
  problemRows: getRoute<z.output<typeof problemChoice>, ProblemRows>('/api/runs/:run/problems'),
  /** The page of a run, to be shown in a frame without scripts; null where there is none. */
  report: getRoute<
    z.output<typeof runChoice>,
    { readonly html: string | null; readonly files: readonly RunFile[] }
  >('/api/runs/:run/report'),
};
