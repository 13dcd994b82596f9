import type { CommitShipper, RunRecord } from '../../journal/index.ts';
import type { MakeCommand } from '../../model/command.ts';
import type { Clock } from '../../model/ports.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { ExportListener } from '../run/events.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import type { CompleteExport } from './folder/publish.ts';

/** The request of an export, with everything it gets from outside. */
export interface ExportRequest {
  readonly pipeline: LoadedExportPipeline;
  readonly workspace: Workspace;
  /** The name that the journal has for the workspace: its base URL, or `sandbox:<id>`. */
  readonly place: string;
  /** The target that a resume opens again: the base URL, or `sandbox`. */
  readonly target: string;
  readonly workDir: string;
  /** Longshore's version, for the manifest. */
  readonly version: string;
  /** A new run instead of continuing an unfinished one. */
  readonly fresh: boolean;
  /** Continues exactly the unfinished run, however old it is. */
  readonly resumed: boolean;
  /** Exports everything, also where the pipeline asks for increments. */
  readonly full: boolean;
  /** Lets the export appear although `expect` is not met. */
  readonly accept: boolean;
  /**
   * Delivers a complete export to its consumers, with the sync state for the next one (a file, where there is one),
   * before the journal records the run as finished; returns its place then. Called again for a run that was not
   * finished.
   */
  readonly deliver?: DeliverExport | undefined;
  /** Returns a command: `command('resume', run)`. */
  readonly command: MakeCommand;
  readonly clock: Clock;
  /** Makes the journal durable elsewhere, too. */
  readonly shipping?: CommitShipper | undefined;
  readonly listen: ExportListener;
  /** Stops the run at its next safe point; its reason is a FatalError. */
  readonly stop: AbortController;
}

export type DeliverExport = (
  run: RunRecord,
  complete: CompleteExport,
  syncState: string | undefined,
) => Promise<CompleteExport>;

/** The end of an export; the journal is still open, for the report. */
export interface ExportEnd extends RunEnd {
  /** The complete export, where it appeared. */
  readonly complete: CompleteExport | undefined;
}
