import type * as z from 'zod';
import type { RunRhythm } from '../../app/status/report/rhythm.ts';
import type { RunListEntry } from '../../app/status/report/run-list.ts';
import type { FolderVerification } from '../../app/verify/report/folder-verification.ts';
import type { Verification } from '../../app/verify/report/verification.ts';
import { defineGetRoute } from './route.ts';
import type { exportRunsRequestSchema, undoPreviewSchema } from './schemas/history.ts';
import type { processRequestSchema } from './schemas/processes.ts';
import type { emptyRequestSchema } from './schemas/project.ts';

export type { FolderVerification, RunRhythm };

/** The result of a verification, with the headline and the labels that the terminal shows. */
export interface LabelledVerification extends Omit<Verification, 'fields'> {
  readonly headline: string;
  readonly fields: readonly { readonly field: string; readonly words: string; readonly n: number }[];
}

/** The output of `undo --dry-run --json`, as far as the page shows it. */
export type UndoPlan = z.output<typeof undoPreviewSchema>;

/** A pipeline whose latest attempt failed. */
export interface FailingPipelineEntry {
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  readonly exitCode: number;
  /** The number of failed attempts in a row. */
  readonly failures: number;
  /** The time of the first of these attempts, ISO 8601, UTC. */
  readonly since: string;
}

/** A pipeline whose next run is overdue by the usual interval of its runs. */
export interface LatePipeline {
  readonly pipeline: string;
  readonly kind: RunListEntry['kind'];
  readonly rhythm: RunRhythm;
}

/** The runs of the work dir, with the pipelines that fail or are late. */
export interface RunHistory {
  /** As `runs --json` has them, newest first. */
  readonly runs: readonly RunListEntry[];
  /** True if older runs are left out. */
  readonly more: boolean;
  readonly failing: readonly FailingPipelineEntry[];
  readonly late: readonly LatePipeline[];
}

/** An export pipeline of the project, with its latest run. */
export interface ExportPipelineEntry {
  /** From the project folder. */
  readonly path: string;
  /** The pipeline's name; null for an invalid file. */
  readonly pipeline: string | null;
  /** The error message of an invalid file; `check` says more. */
  readonly problem: string | null;
  /** Labels of the exported objects: `contacts (csv, incremental)`. */
  readonly what: readonly string[];
  /** The folder of its exports. */
  readonly to: string;
  /** The time of its last success, ISO 8601, UTC; null for none. */
  readonly lastSuccessAt: string | null;
  readonly failing: FailingPipelineEntry | null;
  /** The usual interval of its exports; null if none is recognised. */
  readonly rhythm: RunRhythm | null;
  readonly lastRun: RunListEntry | null;
}

/** A run of an export pipeline. */
export interface ExportRun
  extends Pick<RunListEntry, 'run' | 'state' | 'startedAt' | 'seconds' | 'exitCode' | 'counts'> {
  /** The message with which it ended; null for none. */
  readonly message: string | null;
  /** The export's folder, from the project folder; null if it was not published, was replaced, or is outside of the project. */
  readonly folder: string | null;
  /** The size of its files by the manifest; null without one. */
  readonly bytes: number | null;
  /** True for a full export, by the manifest; null without one. */
  readonly full: boolean | null;
}

export const historyRoutes = {
  history: defineGetRoute<z.output<typeof emptyRequestSchema>, RunHistory>('/api/history'),
  exportPipelines: defineGetRoute<
    z.output<typeof emptyRequestSchema>,
    { readonly pipelines: readonly ExportPipelineEntry[] }
  >('/api/exports'),
  /** Returns the runs of an export pipeline, newest first. */
  nights: defineGetRoute<z.output<typeof exportRunsRequestSchema>, { readonly nights: readonly ExportRun[] }>(
    '/api/exports/:pipeline',
  ),
  /** The result of `verify RUN`; null while it runs, and if it could not start. */
  runVerification: defineGetRoute<
    z.output<typeof processRequestSchema>,
    { readonly found: LabelledVerification | null }
  >('/api/processes/:id/verification'),
  /** The result of `verify FOLDER`; null while it runs, and if it could not start. */
  folderVerification: defineGetRoute<
    z.output<typeof processRequestSchema>,
    { readonly found: FolderVerification | null }
  >('/api/processes/:id/folder'),
  /** The result of `undo --dry-run`; null while it runs, and if it could not start. */
  undoPreview: defineGetRoute<z.output<typeof processRequestSchema>, { readonly found: UndoPlan | null }>(
    '/api/processes/:id/undo',
  ),
};
