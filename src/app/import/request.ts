import type { InputIndex } from '../../identity/input-index/index.ts';
import type { CommitShipper, JournalDatabase, RowSelection, RunRecord } from '../../journal/index.ts';
import type { CommandFactory } from '../../model/command.ts';
import type { Clock } from '../../model/ports.ts';
import type { Source } from '../../model/row.ts';
import type { UnjoinedRow } from '../../model/table-use.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import type { WorkspacePort } from '../../steps/port.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { CommentDecisionFile } from '../retry/comment-decisions.ts';
import type { Invocation } from '../run/command-line.ts';
import type { RunListener } from '../run/events.ts';
import type { SourceWorkspaceOpener } from '../run/live-workspace.ts';
import type { WorkspaceFacts } from '../run/workspace-facts.ts';
import type { FindRowAnswers } from './answered-questions.ts';
import type { AnswerListDecisions } from './approvals.ts';
import type { FindRowApprovals } from './approved-merges.ts';
import type { FreshStartPolicy } from './bind.ts';

/** The client functions for request counts, the reasons of waits and stops, and closing the connection. */
export type WorkspaceConnection = Pick<
  Workspace,
  'requests' | 'waitsFor' | 'whyStopped' | 'perPath' | 'concurrencyFound' | 'concurrencyLimit' | 'close'
>;

/** The request of an import: its pipeline, rows, clients, clock and listener. */
export interface ImportRequest {
  readonly pipeline: LoadedImportPipeline;
  /** The part of the target that an import uses, and the connection behind it. */
  readonly workspace: WorkspacePort & WorkspaceConnection;
  /** The name that the workspace is remembered by: its base URL, or `sandbox:<id>`. */
  readonly place: string;
  /** The name by which a resume opens the workspace again: its base URL, or `sandbox`. */
  readonly target: string;
  readonly workDir: string;
  /** The workspace to read; undefined unless the pipeline's input is one. */
  readonly liveSource?: SourceWorkspaceOpener | undefined;
  /** The rule for starting a new run instead of continuing an unfinished one. */
  readonly fresh: FreshStartPolicy;
  /** The rows of the input to take. */
  readonly selection: RowSelection;
  /** The decisions in the file that `selection` names; set only if its kind is `approve`. */
  readonly approvals?: AnswerListDecisions;
  /** The decisions about uncertain comments that a retry starts with. */
  readonly decisions?: CommentDecisionFile;
  /** The plan (absolute path) that the import follows exactly. */
  readonly plan?: string | undefined;
  /** Compares every row with the workspace, whatever earlier runs remember. */
  readonly full: boolean;
  /** The most items of the input to take. */
  readonly limit: number;
  /** Returns a command: `command('resume', run)`. */
  readonly command: CommandFactory;
  readonly invocation: Invocation;
  readonly clock: Clock;
  /** The clock for waits for the workspace; the normal clock unless a plan uses another. */
  readonly waits?: Clock;
  /** False if the work dir is a copy that is removed after the command, so that results need not outlast it. */
  readonly durable?: boolean;
  /** The second place where the journal is stored durably. */
  readonly shipping?: CommitShipper | undefined;
  /**
   * Writes the list of rows that could not be joined into the folder of a run; undefined where they are only counted.
   */
  readonly listUnjoined?:
    | ((runDir: string, pages: AsyncIterable<readonly UnjoinedRow[]>) => Promise<void>)
    | undefined;
  readonly listen: RunListener;
  /** Stops the run at its next safe point; its reason is a FatalError. */
  readonly stop: AbortController;
}

/** An import that is ready for its rows: its input is indexed, its workspace checked, and its run in the journal. */
export interface PreparedImport {
  readonly request: ImportRequest;
  readonly file: JournalDatabase;
  readonly source: Source;
  readonly run: RunRecord;
  readonly continued: boolean;
  readonly facts: WorkspaceFacts;
  /** The index that tells which person each row of the input belongs to. */
  readonly index: InputIndex;
  /** The most rows that need a look-up; undefined where an earlier session has counted them. */
  readonly lookupsNeeded: number | undefined;
  /** False if the mapping rejects every row of the run that this session has read. */
  readonly takesAny: boolean;
  readonly approvalsOf: FindRowApprovals | undefined;
  readonly answersOf: FindRowAnswers | undefined;
  /** A sentence that says where the input breaks off. */
  readonly truncated: string | undefined;
  /** A sentence about a defect at the end of the input that the pipeline accepts (`unended: accept`). */
  readonly unended: string | undefined;
}
