import type { OnConflictPolicy, OnMatchPolicy } from '../../identity/decide.ts';
import type { MatchIdentifierKind } from '../../identity/look-up.ts';
import type { ContactSnapshot } from '../../identity/snapshot.ts';
import type { QuestionAnswer, RunJournal } from '../../journal/index.ts';
import { collectKeepRules, findFirstColumnOfRule } from '../../mapping/index.ts';
import type { Contact } from '../../model/contact.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { KeepRulesByField } from '../../model/keep.ts';
import type { Clock } from '../../model/ports.ts';
import { createFieldComparator, type FieldComparator } from '../../steps/field-rules.ts';
import type { WorkspacePort } from '../../steps/port.ts';
import { type ContactStep, createContactSteps } from '../../steps/registry.ts';
import type { RunListener } from '../run/events.ts';
import type { BoundPlan } from './agreed-plan.ts';
import type { FindRowAnswers } from './answered-questions.ts';
import type { FindRowApprovals } from './approved-merges.ts';
import { ContactLockQueue } from './person/turns.ts';
import type { RowPool } from './pool.ts';
import type { PreparedImport } from './request.ts';

/** The work that a run does for its rows, with the approvals and answers that it applies. */
export interface ImportScope {
  /** The names of the deferred steps. */
  readonly hold: ReadonlySet<string>;
  /** Runs the deferred steps and nothing else. */
  readonly deferredOnly: boolean;
  /** Compares every row with the workspace, whatever earlier runs remember. */
  readonly full: boolean;
  /** True if the run is a retry: it takes rows that an earlier run left open. */
  readonly retrying: boolean;
  /** Sends comments again that may have been sent already. */
  readonly resend: boolean;
  /** Returns the approved merges of a row; undefined where the run has no approvals. */
  readonly approvalsOf: FindRowApprovals | undefined;
  /** Returns the answers about a row; undefined where the run has no answers. */
  readonly answersOf: FindRowAnswers | undefined;
  /** The contacts of answered rows as the run found them first: what its own rows write is no change since an answer. */
  readonly contactsAsFound: Map<number, Contact>;
}

/** The services, rules and settings that all rows of an import share. */
export interface ImportContext {
  readonly workspace: WorkspacePort;
  readonly journal: RunJournal;
  readonly clock: Clock;
  /** Aborted when the run must stop: no new request is sent after that. */
  readonly signal: AbortSignal;
  readonly listen: RunListener;
  readonly pool: RowPool;
  readonly turns: ContactLockQueue;
  readonly fields: readonly CustomField[];
  readonly rules: FieldComparator;
  /** The steps that follow a contact's own values, in order. */
  readonly steps: readonly ContactStep[];
  readonly keep: KeepRulesByField;
  readonly policy: {
    readonly onMatch: OnMatchPolicy;
    readonly onConflict: OnConflictPolicy;
    /** `evidence` recognises a person by keys, identifiers and names together, `identifier` by one identifier. */
    readonly samePerson: 'evidence' | 'identifier';
    /**
     * The answer assumed if the evidence does not decide whether a row and a contact are one person; `review` asks the
     * user.
     */
    readonly unsure: 'review' | QuestionAnswer;
    /** Applies to people whose contact was deleted, or who asked to be forgotten. */
    readonly onDeleted: 'skip' | 'recreate';
    readonly identify: readonly MatchIdentifierKind[];
    /** The number of people up to which a shared phone still identifies a person. */
    readonly switchboard: number;
    /** True if only this import creates contacts: a person missing from the snapshot does not exist. */
    readonly exclusive: boolean;
  };
  readonly scope: ImportScope;
  /** The fields that the mapping writes, as recorded for the run; each row records which of them are filled. */
  readonly fillFields: readonly string[];
  /** The column of first names; null where the mapping names none. */
  readonly firstNameColumn: string | null;
  /** The plan that the import applies exactly; undefined where it has none. */
  readonly plan?: BoundPlan | undefined;
  /** All contacts as they were when the session began; undefined where contacts are looked up one by one. */
  readonly snapshot: ContactSnapshot | undefined;
  readonly limits: { readonly settleMs: number; readonly attempts: number };
}

/** The parts of an import's context that a session has before it processes any row. */
export type ImportSessionContext = Pick<
  ImportContext,
  'workspace' | 'listen' | 'clock' | 'journal' | 'pool' | 'signal' | 'limits' | 'plan'
>;

/** Returns the context that the rows of a run share. */
export function createImportContext(
  prepared: PreparedImport,
  session: ImportSessionContext,
  found: Pick<ImportContext, 'fields' | 'snapshot'>,
): ImportContext {
  const { request, run } = prepared;
  const { mapping, policy, extensions } = request.pipeline.import;
  const scope = scopeOf(prepared);
  return {
    ...session,
    ...found,
    fillFields: run.fields ?? [],
    firstNameColumn: findFirstColumnOfRule(mapping.mapping.contact.firstName),
    turns: new ContactLockQueue(),
    rules: createFieldComparator(found.fields),
    keep: collectKeepRules(mapping),
    steps: createContactSteps({ mapping: mapping.mapping, attachTags: extensions?.attachTags }),
    policy: {
      onMatch: policy.onMatch,
      // Approvals are compared with the proposed pairs, and only `review` proposes every conflict.
      onConflict: scope.approvalsOf === undefined ? policy.onConflict : 'review',
      samePerson: run.samePerson ?? policy.samePerson,
      unsure: policy.unsure,
      onDeleted: policy.onDeleted,
      identify: mapping.mapping.identify,
      switchboard: policy.maxPeoplePerPhone,
      exclusive: policy.workspace === 'exclusive',
    },
    scope,
  };
}

function scopeOf({ request, run, approvalsOf, answersOf }: PreparedImport): ImportScope {
  const { pipeline, full } = request;
  const { selection } = run;
  const { deferred, policy } = pipeline.import;
  return {
    hold: new Set<string>(deferred),
    deferredOnly: selection.kind === 'deferred',
    full: full || run.full,
    retrying: selection.kind === 'retry',
    resend: policy.uncertain === 'resend' || (selection.kind === 'retry' && selection.resend),
    approvalsOf,
    answersOf,
    contactsAsFound: new Map(),
  };
}
