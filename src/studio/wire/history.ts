import type * as z from 'zod';
import type { Rhythm } from '../../app/status/report/rhythm.ts';
import type { RunLine } from '../../app/status/report/run-list.ts';
import type { FolderVerification } from '../../app/verify/report/folder-verification.ts';
import type { Verification } from '../../app/verify/report/verification.ts';
import { getRoute } from './route.ts';
import type { pipelineChoice, undoPreview } from './schemas/history.ts';
import type { processChoice } from './schemas/processes.ts';
import type { nothing } from './schemas/project.ts';

export type { FolderVerification, Rhythm };

/** What a verification has found, in the words of the terminal. */
export interface ShownVerification extends Omit<Verification, 'fields'> {
  readonly headline: string;
  readonly fields: readonly { readonly field: string; readonly words: string; readonly n: number }[];
}

/** What `undo --dry-run` says, as far as the page shows it. */
export type UndoPlan = z.output<typeof undoPreview>;

/** A pipeline whose last attempt has failed. */
export interface PipelineFailure {
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  readonly exitCode: number;
  /** Attempts in a row. */
  readonly failures: number;
  /** ISO 8601, UTC: the first of them. */
  readonly since: string;
}

/** A pipeline that ran in a rhythm, and has not since. */
export interface LatePipeline {
  readonly pipeline: string;
  readonly kind: RunLine['kind'];
  readonly rhythm: Rhythm;
}

/** Everything that has run in the work dir. */
export interface History {
  /** As `runs --json` has them, newest first. */
  readonly runs: readonly RunLine[];
  /** Whether there are older ones. */
  readonly more: boolean;
  readonly failing: readonly PipelineFailure[];
  readonly late: readonly LatePipeline[];
}

/** A pipeline that exports, as its file says. */
export interface ExportPipeline {
  /** From the project folder. */
  readonly path: string;
  /** Its name; null where the file has a mistake. */
  readonly pipeline: string | null;
  /** The mistake, which `check` says more of. */
  readonly problem: string | null;
  /** What is exported, in words: `contacts (csv, incremental)`. */
  readonly what: readonly string[];
  /** Its folder as the file names it. */
  readonly to: string;
  /** ISO 8601, UTC; null where it never ended well. */
  readonly lastSuccessAt: string | null;
  readonly failing: PipelineFailure | null;
  /** Guessed from when its exports began; null where none shows. */
  readonly rhythm: Rhythm | null;
  readonly lastRun: RunLine | null;
}

/** An export of a pipeline: one night of it. */
export interface Night
  extends Pick<RunLine, 'run' | 'state' | 'startedAt' | 'seconds' | 'exitCode' | 'counts'> {
  /** Why it ended as it did. */
  readonly message: string | null;
  /** From the project folder; null where it did not appear, or is outside of the project. */
  readonly folder: string | null;
  /** Of its files together, by the manifest; null where that is not there any more. */
  readonly bytes: number | null;
  /** Whether everything is in it, by the manifest. */
  readonly full: boolean | null;
}

export const historyRoutes = {
  history: getRoute<z.output<typeof nothing>, History>('/api/history'),
  exportPipelines: getRoute<z.output<typeof nothing>, { readonly pipelines: readonly ExportPipeline[] }>(
    '/api/exports',
  ),
  /** Newest first. */
  nights: getRoute<z.output<typeof pipelineChoice>, { readonly nights: readonly Night[] }>(
    '/api/exports/:pipeline',
  ),
  /** What `verify RUN` has found; null while it works, and where it could not begin. */
  runVerification: getRoute<z.output<typeof processChoice>, { readonly found: ShownVerification | null }>(
    '/api/processes/:id/verification',
  ),
  /** The same of `verify FOLDER`. */
  folderVerification: getRoute<z.output<typeof processChoice>, { readonly found: FolderVerification | null }>(
    '/api/processes/:id/folder',
  ),
  /** What `undo --dry-run` says. */
  undoPreview: getRoute<z.output<typeof processChoice>, { readonly found: UndoPlan | null }>(
    '/api/processes/:id/undo',
  ),
};
