import type { RunRecord, Shipping } from '../../journal/index.ts';
import type { Clock } from '../../model/ports.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { ExportListener } from '../run/events.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import type { CompleteExport } from './folder/publish.ts';

/** What an export is handed from outside. */
export interface ExportRequest {
  readonly pipeline: LoadedExportPipeline;
  readonly workspace: Workspace;
  /** What the workspace is remembered by: its base URL, or `sandbox:<id>`. */
  readonly place: string;
  /** What a resume opens again: the base URL, or `sandbox`. */
  readonly target: string;
  readonly workDir: string;
  /** Longshore's own, for the manifest. */
  readonly version: string;
  /** A new run instead of continuing an unfinished one. */
  readonly fresh: boolean;
  /** Somebody wants the unfinished run itself to be gone on with, however old it is. */
  readonly resumed: boolean;
  /** Everything, also where the pipeline asks for increments. */
  readonly full: boolean;
  /** Lets the export appear although the pipeline expects something else. */
  readonly accept: boolean;
  /**
   * Brings a complete export to where others look for it, with the sync state for the next one (a file, where there is one),
   * before the journal calls the run finished; answers where it is then. Asked again for a run that was not finished.
   */
  readonly deliver?: Deliver | undefined;
  /** How a command is typed here: `command(['resume', run])`. */
  readonly command: (words: readonly string[]) => string;
  readonly clock: Clock;
  /** Where the journal is durable, too. */
  readonly shipping?: Shipping | undefined;
  readonly listen: ExportListener;
  /** Stops the run at its next safe point; its reason is a FatalError. */
  readonly stop: AbortController;
}

export type Deliver = (
  run: RunRecord,
  complete: CompleteExport,
  syncState: string | undefined,
) => Promise<CompleteExport>;

/** What an export came to; the journal is still open, for whoever reports on it. */
export interface ExportEnd extends RunEnd {
  /** The complete export, where it appeared. */
  readonly complete: CompleteExport | undefined;
}
