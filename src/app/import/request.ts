import type { Selection, Shipping } from '../../journal/index.ts';
import type { CommandText } from '../../model/command-line.ts';
import type { Clock } from '../../model/ports.ts';
import type { UnjoinedRow } from '../../model/table-use.ts';
import type { LoadedPipeline } from '../../pipeline/index.ts';
import type { WorkspacePort } from '../../steps/port.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { CommentDecisions } from '../retry/comment-decisions.ts';
import type { Listener } from '../run/events.ts';
import type { LiveSource } from '../run/live-workspace.ts';
import type { Approvals } from './approvals.ts';
import type { Fresh } from './bind.ts';

/** How requests are counted and ended. */
export type Connection = Pick<
  Workspace,
  'requests' | 'waitsFor' | 'whyStopped' | 'perPath' | 'concurrencyFound' | 'close'
>;

/** What an import is handed from outside. */
export interface ImportRequest {
  readonly pipeline: LoadedPipeline;
  /** All that an import reaches of its target, and the connection behind it. */
  readonly workspace: WorkspacePort & Connection;
  /** What the workspace is remembered by: its base URL, or `sandbox:<id>`. */
  readonly place: string;
  /** What a resume opens again: the base URL, or `sandbox`. */
  readonly target: string;
  readonly workDir: string;
  /** The workspace that is read, where the pipeline's input is one. */
  readonly liveSource?: LiveSource | undefined;
  /** A new run instead of continuing an unfinished one. */
  readonly fresh: Fresh;
  /** Which rows of the input are taken up. */
  readonly selection: Selection;
  /** The approved merges, where the selection is about them. */
  readonly approvals?: Approvals;
  /** What a person has decided about uncertain comments, where a retry begins with it. */
  readonly decisions?: CommentDecisions;
  /** The plan (absolute path) that the import does exactly. */
  readonly plan?: string | undefined;
  /** Compares every row with the workspace, whatever earlier runs remember. */
  readonly full: boolean;
  /** Takes up that many items of the input at the most. */
  readonly limit: number;
  /** How a command is typed here: `command(['resume', run])`. */
  readonly command: CommandText;
  readonly clock: Clock;
  /** By what rows wait for the workspace; the clock unless a plan takes another. */
  readonly waits?: Clock;
  /** Whether what was done has to outlast the command; it has unless the work dir is a copy that goes away. */
  readonly durable?: boolean;
  /** Where the journal is durable, too. */
  readonly shipping?: Shipping | undefined;
  /** Writes the list of joined rows that belong to nothing into the folder of a run; without it they are only counted. */
  readonly listUnjoined?:
    | ((runDir: string, pages: AsyncIterable<readonly UnjoinedRow[]>) => Promise<void>)
    | undefined;
  readonly listen: Listener;
  /** Stops the run at its next safe point; its reason is a FatalError. */
  readonly stop: AbortController;
}
