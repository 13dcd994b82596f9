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

/** The runs and processes of the work dir, started in the studio or elsewhere, and the state of the studio. */
export interface WorkDirActivity extends Pick<ProjectInfo, 'workspace'> {
  /** As `runs --json` has them, newest first. */
  readonly runs: readonly RunListEntry[];
  readonly processes: readonly StudioProcess[];
  /** How far the import of the requested pipeline has come; null without one, and if it cannot be read. */
  readonly progress: ImportProgress | null;
}

/** How far the import of a pipeline has come. */
export interface ImportProgress {
  readonly pipeline: string;
  /** The pipeline's mapping, relative to the project folder; null if the pipeline cannot be loaded. */
  readonly mapping: string | null;
  /** The number of open questions in the pipeline and its mapping. */
  readonly questions: number;
  /** When its newest plan was made (ISO 8601, UTC); null if there is none. */
  readonly plannedAt: string | null;
  /** Its newest import of all rows; null if there is none. */
  readonly run: RunListEntry | null;
  /** True if that import was undone. */
  readonly isUndone: boolean;
  /** The exit code of the last `verify` of this import, 0 if nothing is open; null if there was none. */
  readonly verification: number | null;
}

export const runRoutes = {
  runs: defineGetRoute<z.output<typeof emptyRequestSchema>, { readonly runs: readonly RunListEntry[] }>(
    '/api/runs',
  ),
  /** As `status --json` has it. */
  status: defineGetRoute<z.output<typeof runRequestSchema>, RunStatus | ExportStatus>('/api/runs/:run'),
  /** Streams the status of a run after each change, until it has ended. */
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
