import type * as z from 'zod';
import type { RunListEntry } from '../../app/status/report/run-list.ts';
import type { ExportStatus, RunStatus } from '../../app/status/report/run-status.ts';
import type { StudioProcess } from './processes.ts';
import { changeRoute, getRoute, streamRoute } from './route.ts';
import type { emptyRequest } from './schemas/project.ts';
import type { runRequest } from './schemas/runs.ts';

export type { RunListEntry } from '../../app/status/report/run-list.ts';
export type { ExportStatus, RunStatus } from '../../app/status/report/run-status.ts';

/** The runs and processes of the work dir, started in the studio or elsewhere. */
export interface WorkDirActivity {
  /** As `runs --json` has them, newest first. */
  readonly runs: readonly RunListEntry[];
  readonly processes: readonly StudioProcess[];
}

export const runRoutes = {
  runs: getRoute<z.output<typeof emptyRequest>, { readonly runs: readonly RunListEntry[] }>('/api/runs'),
  /** As `status --json` has it. */
  status: getRoute<z.output<typeof runRequest>, RunStatus | ExportStatus>('/api/runs/:run'),
  /** Streams the status of a run after each change, until it has ended. */
  watchRun: streamRoute<z.output<typeof runRequest>, RunStatus | ExportStatus>('/api/runs/:run/watch'),
  /** Streams the runs and processes after each change. */
  watchActivity: streamRoute<z.output<typeof emptyRequest>, WorkDirActivity>('/api/activity'),
  /** Asks the process of a run to checkpoint and end, also one that was started in a terminal. */
  stopRun: changeRoute<z.output<typeof runRequest>, { readonly asked: boolean }>(
    'POST',
    '/api/runs/:run/stop',
  ),
};
