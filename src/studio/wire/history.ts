import type * as z from 'zod';
import type { RunInterval } from '../../app/status/report/run-interval.ts';
import type { RunListEntry } from '../../app/status/report/run-list.ts';
import type { FolderVerification } from '../../app/verify/report/folder-verification.ts';
import type { Verification } from '../../app/verify/report/verification.ts';
import { defineGetRoute } from './route.ts';
import type { exportRunsRequestSchema, undoPreviewResultSchema } from './schemas/history.ts';
import type { processRequestSchema } from './schemas/processes.ts';
import type { emptyRequestSchema } from './schemas/project.ts';
import type { runRequestSchema } from './schemas/runs.ts';

export type { FolderVerification, RunInterval };

/** The result of a verification, with the labels that the terminal shows. */
export interface LabelledVerification extends Omit<Verification, 'fields'> {
  readonly fields: readonly { readonly field: string; readonly words: string; readonly n: number }[];
}

/** The part of the output of `undo --dry-run --json` that the page uses. */
export type UndoPreviewResult = z.output<typeof undoPreviewResultSchema>;

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

/** A pipeline whose next run is overdue, judged by the usual interval of its runs. */
export interface LatePipeline {
  readonly pipeline: string;
  readonly kind: RunListEntry['kind'];
  readonly rhythm: RunInterval;
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
  /** Relative to the project folder. */
  readonly path: string;
  /** The pipeline's name; null for an invalid file. */
  readonly pipeline: string | null;
  /** The error message of an invalid file, null for a valid one; `check` lists all mistakes of the file. */
  readonly problem: string | null;
  /** Labels of the exported objects: `contacts (csv, incremental)`. */
  readonly what: readonly string[];
  /**
   * The folder of its exports, relative to the project folder, or absolute if it is outside; empty for an
   * invalid file.
   */
  readonly to: string;
  /** The time of its last success (ISO 8601, UTC), exports of the local sandbox included; null for none. */
  readonly lastSuccessAt: string | null;
  readonly failing: FailingPipelineEntry | null;
  /** The usual interval of its exports; null if none is recognised. */
  readonly rhythm: RunInterval | null;
  readonly lastRun: RunListEntry | null;
}

/** A run of an export pipeline. */
export interface ExportRun
  extends Pick<RunListEntry, 'run' | 'state' | 'startedAt' | 'seconds' | 'exitCode' | 'counts'> {
  /** The message with which the run ended; null for none. */
  readonly message: string | null;
  /**
   * The export's folder, relative to the project folder; null if it was not published, was replaced, or is
   * outside of the project.
   */
  readonly folder: string | null;
  /** The size of its files by the manifest; null without a folder. */
  readonly bytes: number | null;
  /** True for a full export, false for an incremental one, by the manifest; null without a folder. */
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
  /** The result of the last `verify RUN`; null if there was none. */
  runVerification: defineGetRoute<
    z.output<typeof runRequestSchema>,
    { readonly found: LabelledVerification | null }
  >('/api/runs/:run/verification'),
  /** The result of `verify FOLDER`; null until the command has printed it, and if it ended without one. */
  folderVerification: defineGetRoute<
    z.output<typeof processRequestSchema>,
    { readonly found: FolderVerification | null }
  >('/api/processes/:id/folder'),
  /** The result of `undo --dry-run`; null until the command has printed it, and if it ended without one. */
  undoPreview: defineGetRoute<
    z.output<typeof processRequestSchema>,
    { readonly found: UndoPreviewResult | null }
  >('/api/processes/:id/undo'),
};
