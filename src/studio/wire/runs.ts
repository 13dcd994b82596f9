import type * as z from 'zod';
import type { RunListEntry } from '../../app/status/report/run-list.ts';
import type { ExportStatus, RunStatus } from '../../app/status/report/run-status.ts';
import type { StudioProcess } from './processes.ts';
import type { ProjectInfo } from './project.ts';
import { defineChangeRoute, defineGetRoute, defineStreamRoute } from './route.ts';
import type { emptyRequestSchema } from './schemas/project.ts';
import type { activityRequestSchema, runRequestSchema } from './schemas/runs.ts';

export type { RunListEntry } from '../../app/status/report/run-list.ts';
export type { ExportStatus, RunStatus } from '../../app/status/report/run-status.ts';

/**
 * The activity of a work dir: its runs, wherever they were started, the studio's processes, the connected workspace,
 * and the progress of an import.
 */
export interface WorkDirActivity extends Pick<ProjectInfo, 'workspace'> {
  /** As `runs --json` has them, newest first. */
  readonly runs: readonly RunListEntry[];
  readonly processes: readonly StudioProcess[];
  /**
   * How far the import of the requested pipeline has come; null if none is requested, or the pipeline cannot be read.
   */
  readonly progress: ImportWorkflowProgress | null;
}

/** How far the import of a pipeline has come. */
export interface ImportWorkflowProgress {
  readonly pipeline: string;
  /**
   * The pipeline's mapping, relative to the project folder; null if the pipeline cannot be loaded, or the mapping is
   * missing or outside of the project.
   */
  readonly mapping: string | null;
  /** The options of the pipeline's source that leave out rows. */
  readonly filters: readonly string[];
  /** The number of open questions in the pipeline and its mapping. */
  readonly questions: number;
  /**
   * True if the mapping can be read, its example tests pass, and the input, once it was looked at, has the columns that
   * it reads.
   */
  readonly isMappingValid: boolean;
  /** True once it is known that every value of a column of the input is lost. */
  readonly losesColumn: boolean;
  /** When the plan that the studio keeps of it was made (ISO 8601, UTC); null if there is none. */
  readonly plannedAt: string | null;
  /** True if the pipeline, its mapping or its input was changed after the plan was made. */
  readonly isPlanOutdated: boolean;
  /** Its newest import of all rows; null if there is none. */
  readonly run: RunListEntry | null;
  /** The number of rows of the import `run` and its later runs that still need a retry. */
  readonly open: number;
  /** The number of open questions of the import `run` and its later runs whether two are one person. */
  readonly openQuestions: number;
  /** True if the import `run` was undone. */
  readonly isUndone: boolean;
  /** True if the pipeline reads another file by now than the import `run` did. */
  readonly hasNewerInput: boolean;
  /**
   * The worst result of the last `verify` of this import and of each later run of it: a value differs or cannot be read,
   * one of them was not verified (`partly`), or something is not there yet; null if none was verified.
   */
  readonly verification: 'asWritten' | 'incomplete' | 'partly' | 'different' | null;
}

export const runRoutes = {
  runs: defineGetRoute<z.output<typeof emptyRequestSchema>, { readonly runs: readonly RunListEntry[] }>(
    '/api/runs',
  ),
  /** As `status --json` has it. */
  status: defineGetRoute<z.output<typeof runRequestSchema>, RunStatus | ExportStatus>('/api/runs/:run'),
  /** Streams the status of a run after each change, also after its end: it may be continued, and its rows retried. */
  watchRun: defineStreamRoute<z.output<typeof runRequestSchema>, RunStatus | ExportStatus>(
    '/api/runs/:run/watch',
  ),
  /** Streams the activity after each change. */
  watchActivity: defineStreamRoute<z.output<typeof activityRequestSchema>, WorkDirActivity>('/api/activity', {
    paths: ['pipeline'],
  }),
  /** Asks the process of a run to checkpoint and end, also one that was started in a terminal. */
  stopRun: defineChangeRoute<z.output<typeof runRequestSchema>, { readonly asked: boolean }>(
    'POST',
    '/api/runs/:run/stop',
  ),
};
