import type { CommitShipper, RunRecord } from '../../journal/index.ts';
import type { CommandFactory } from '../../model/command.ts';
import type { Clock } from '../../model/ports.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { ExportListener } from '../run/events.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import type { PublishedExport } from './folder/publish.ts';

/** The settings of an export, and the clients and callbacks that it works with. */
export interface ExportRequest {
  readonly pipeline: LoadedExportPipeline;
  readonly workspace: Workspace;
  /** The place of the workspace, by which the journal knows it: its base URL, or `sandbox:ID`. */
  readonly place: string;
  /** The target that `resume` opens: the base URL, or `sandbox`. */
  readonly target: string;
  readonly workDir: string;
  /** Longshore's version, for the manifest. */
  readonly version: string;
  /** Starts a new run instead of continuing an unfinished one. */
  readonly fresh: boolean;
  /** Continues exactly the unfinished run, however old it is. */
  readonly resumed: boolean;
  /** Exports everything, even if the pipeline is incremental. */
  readonly full: boolean;
  /** Publishes the export even if `expect` is not met. */
  readonly accept: boolean;
  /**
   * Stores a complete export, and the sync state at the path `syncState` if there is one, in their final place; returns
   * the export in that place. Called before the journal records the run as finished, and again if that did not happen.
   */
  readonly deliver?: DeliverExport | undefined;
  /** Creates a command for the target of this export: `command('resume', run)`. */
  readonly command: CommandFactory;
  readonly clock: Clock;
  /** Copies the journal's commits elsewhere. */
  readonly shipping?: CommitShipper | undefined;
  readonly listen: ExportListener;
  /** Stops the run at its next safe point; its reason is a FatalError. */
  readonly stop: AbortController;
}

export type DeliverExport = (
  run: RunRecord,
  complete: PublishedExport,
  syncState: string | undefined,
) => Promise<PublishedExport>;

/** The end of an export; the journal is still open for its report. */
export interface ExportEnd extends RunEnd {
  /** The published export; undefined if there is none. */
  readonly complete: PublishedExport | undefined;
}
