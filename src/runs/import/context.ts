import type { OnConflict, OnMatch } from '../../identity/decide.ts';
import type { IdentifyBy } from '../../identity/look-up.ts';
import type { Snapshot } from '../../identity/snapshot.ts';
import type { RunJournal } from '../../journal/index.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { KeepRules } from '../../model/keep.ts';
import type { Clock } from '../../model/ports.ts';
import type { AttachTagsExtension } from '../../steps/attach-tags.ts';
import type { FieldRules } from '../../steps/field-rules.ts';
import type { WorkspacePort } from '../../steps/port.ts';
import type { Listener } from '../events.ts';
import type { ApprovalsOf } from './approved-merges.ts';
import type { ContactTurns } from './person/turns.ts';
import type { RowPool } from './pool.ts';

/** What a run does of what its rows ask for. */
export interface Scope {
  /** Steps that are held back. */
  readonly hold: ReadonlySet<string>;
  /** Carries out the held steps and nothing else. */
  readonly heldOnly: boolean;
  /** Compares every row with the workspace, whatever earlier runs remember. */
  readonly full: boolean;
  /** Takes up what is still open of rows that an earlier run could not finish. */
  readonly retrying: boolean;
  /** Sends comments again that may have been sent. */
  readonly resend: boolean;
  /** Approved merges of a row; undefined where the run is not about approvals. */
  readonly approvalsOf: ApprovalsOf | undefined;
}

/** What the mapping says of the steps after a contact's own, for all rows alike. */
export interface BelongingsRules {
  /** The lifecycle stages in their order, where they are stated. */
  readonly stages: readonly string[] | undefined;
  readonly allowBackward: boolean;
  /** Whether conversations of people who were there already are touched, too. */
  readonly existingConversations: boolean;
  /** Whether people who were there already get comments, too. */
  readonly existingComments: boolean;
  /** Whether tags are recorded for contact-tags.csv or attached; otherwise they are field values. */
  readonly tags: boolean;
}

/** What the steps of one import share. */
export interface ImportContext {
  readonly workspace: WorkspacePort;
  readonly journal: RunJournal;
  readonly clock: Clock;
  /** Aborted when the run must stop: no new request leaves then. */
  readonly signal: AbortSignal;
  readonly listen: Listener;
  readonly pool: RowPool;
  readonly turns: ContactTurns;
  readonly fields: readonly CustomField[];
  readonly rules: FieldRules;
  readonly belongings: BelongingsRules;
  readonly keep: KeepRules;
  readonly policy: {
    readonly onMatch: OnMatch;
    readonly onConflict: OnConflict;
    readonly identify: readonly IdentifyBy[];
    /** From more people on than this a shared phone says nobody's identity. */
    readonly switchboard: number;
  };
  readonly scope: Scope;
  /** All contacts as they were when the session began, where that is how people are looked up. */
  readonly snapshot: Snapshot | undefined;
  readonly attachTags: AttachTagsExtension | undefined;
  readonly limits: { readonly settleMs: number; readonly attempts: number };
}
