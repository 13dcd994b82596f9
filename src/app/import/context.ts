import type { OnConflict, OnMatch } from '../../identity/decide.ts';
import type { IdentifyBy } from '../../identity/look-up.ts';
import type { Snapshot } from '../../identity/snapshot.ts';
import type { RunJournal, RunRecord, SamePerson } from '../../journal/index.ts';
import { columnOf, keepRules } from '../../mapping/index.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { KeepRules } from '../../model/keep.ts';
import type { Clock } from '../../model/ports.ts';
import { type FieldRules, fieldRules } from '../../steps/field-rules.ts';
import type { WorkspacePort } from '../../steps/port.ts';
import { type ContactStep, contactSteps } from '../../steps/registry.ts';
import type { Listener } from '../run/events.ts';
import type { AgreedPlan } from './agreed-plan.ts';
import type { AnswersOf } from './answered-questions.ts';
import type { ApprovalsOf } from './approved-merges.ts';
import { ContactTurns } from './person/turns.ts';
import type { RowPool } from './pool.ts';
import type { ImportRequest } from './request.ts';

/** What a run does of what its rows ask for. */
export interface Scope {
  /** Steps that are held back. */
  readonly hold: ReadonlySet<string>;
  /** Carries out the held steps and nothing else. */
  readonly deferredOnly: boolean;
  /** Compares every row with the workspace, whatever earlier runs remember. */
  readonly full: boolean;
  /** Takes up what is still open of rows that an earlier run could not finish. */
  readonly retrying: boolean;
  /** Sends comments again that may have been sent. */
  readonly resend: boolean;
  /** Approved merges of a row; undefined where the run is not about approvals. */
  readonly approvalsOf: ApprovalsOf | undefined;
  /** What a person has answered about a row; undefined where the run is not about answers. */
  readonly answersOf: AnswersOf | undefined;
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
  /** The steps that follow a contact's own values, in their order. */
  readonly steps: readonly ContactStep[];
  readonly keep: KeepRules;
  readonly policy: {
    readonly onMatch: OnMatch;
    readonly onConflict: OnConflict;
    /** Whether a person is recognised by keys, identifiers and names together, or by one identifier. */
    readonly samePerson: 'evidence' | 'identifier';
    /** What is done with a row that may be an existing person's. */
    readonly unsure: 'review' | SamePerson;
    /** What is done with people who were there, and are not any more or asked to be forgotten. */
    readonly onDeleted: 'skip' | 'recreate';
    readonly identify: readonly IdentifyBy[];
    /** From more people on than this a shared phone says nobody's identity. */
    readonly switchboard: number;
    /** Nobody else creates contacts meanwhile: who is not in the snapshot is not there. */
    readonly exclusive: boolean;
  };
  readonly scope: Scope;
  /** The fields that the mapping writes, as the run knows them: whether they are filled is kept with each row. */
  readonly fillFields: readonly string[];
  /** The column that first names are read from; null where the mapping names none. */
  readonly firstNameColumn: string | null;
  /** The plan of which the import does exactly what it has, where it does one. */
  readonly plan?: AgreedPlan | undefined;
  /** All contacts as they were when the session began, where that is how people are looked up. */
  readonly snapshot: Snapshot | undefined;
  readonly limits: { readonly settleMs: number; readonly attempts: number };
}

/** What the parts of a run have built before its rows begin. */
export interface Built
  extends Pick<ImportContext, 'clock' | 'journal' | 'pool' | 'signal' | 'limits' | 'plan'> {
  readonly run: RunRecord;
  readonly fields: readonly CustomField[];
  readonly snapshot: Snapshot | undefined;
  readonly approvalsOf: ApprovalsOf | undefined;
  readonly answersOf: AnswersOf | undefined;
}

/** What the rows of a run share, from what was asked for and what was built. */
export function importContext(request: ImportRequest, built: Built): ImportContext {
  const { pipeline, workspace, listen } = request;
  const { mapping, policy, extensions } = pipeline.import;
  const { clock, journal, pool, signal, limits, plan, run, fields, snapshot } = built;
  const scope = scopeOf(request, run, built);
  return {
    workspace,
    clock,
    listen,
    journal,
    pool,
    signal,
    limits,
    plan,
    fields,
    snapshot,
    fillFields: run.fields ?? [],
    firstNameColumn: columnOf(mapping.mapping.contact.firstName),
    turns: new ContactTurns(),
    rules: fieldRules(fields),
    keep: keepRules(mapping),
    steps: contactSteps({ mapping: mapping.mapping, attachTags: extensions?.attachTags }),
    policy: {
      onMatch: policy.onMatch,
      // What a person approved is a conflict still, and looked at as one.
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

function scopeOf(
  { pipeline, full }: ImportRequest,
  run: RunRecord,
  { approvalsOf, answersOf }: Pick<Built, 'approvalsOf' | 'answersOf'>,
): Scope {
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
  };
}
