import type { Contact } from '../../../model/contact.ts';
import type { FieldValues } from '../../../model/draft.ts';
import { formatIdentifier, type Identifier } from '../../../model/identifier.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Step } from '../../../steps/step.ts';
import type { UpdateContactEffect } from '../../../steps/update-contact.ts';
import type { PlannedStep, WaitWithoutRowSlot } from '../../run/step.ts';
import type { ImportContext } from '../context.ts';
import type { KnownKeyUpdate, PersonOutcome } from './end.ts';
import {
  hashDesiredStates,
  hashFieldValues,
  hashValue,
  type RememberedPerson,
  type ValueHashes,
} from './memory.ts';
import type { Person } from './person.ts';

/** One person of the input, with what is known before any request. */
export interface PersonTask {
  readonly context: ImportContext;
  readonly person: Person;
  /** Remembered from earlier runs. */
  readonly remembered: RememberedPerson | undefined;
  /** The values that this run processes, by `selectPendingValues`. */
  readonly values: FieldValues;
  /**
   * Hashes of the values left out because they belong to another person. They are remembered as applied, so that they
   * are not processed again.
   */
  readonly left?: ValueHashes | undefined;
  /**
   * True for a new person whose identifier another contact still has: the row that changes it comes later in the input.
   */
  readonly isGivenUpLater: boolean;
}

/** The changes made for a person so far, in this session or in an interrupted one. */
export interface PersonProgress {
  readonly did: Extract<Outcome, 'created' | 'updated' | 'merged'> | undefined;
  /** The number of merges done; the step record of the next merge gets its `item` from it. */
  readonly merges: number;
  /** The time (ms) when this run created the contact; undefined where it did not. */
  readonly createdAt: number | undefined;
  /** Hashes of the row's values that the contact is known to have now. */
  readonly applied: ValueHashes;
  /** The identifier that was not sent because it belongs to another contact. */
  readonly leftOut: 'email' | 'phone' | undefined;
  /** The notes about the identifier that was not sent. */
  readonly notes: readonly Problem[];
  /** An update of this row that may be in flight since an earlier session. */
  readonly inFlight: { readonly effect: UpdateContactEffect; readonly item: string } | undefined;
  /** The target contact of this session's merge, as it was before the merge. */
  readonly mergedInto?: Contact | undefined;
  /** The workspace's answer to a refused create. */
  readonly refusal: RefusedRequest | undefined;
}

/** The workspace's answer to a request that it does not accept. */
export interface RefusedRequest {
  /** The identifiers of the person when the request was sent, as text. */
  readonly of?: readonly string[];
  readonly status: number;
  readonly message: string;
}

/** The progress before anything was sent. */
export const noProgress: PersonProgress = {
  did: undefined,
  merges: 0,
  createdAt: undefined,
  applied: {},
  leftOut: undefined,
  notes: [],
  inFlight: undefined,
  refusal: undefined,
};

/** The result of one attempt to import a person: another look-up, or the end. */
export type PersonAttemptResult = RepeatLookupResult | FinishedPerson;

/** The result that calls for another look-up with this progress: the workspace has changed since the last one. */
export interface RepeatLookupResult {
  readonly kind: 'again';
  readonly progress: PersonProgress;
}

/** The final result of a person in this run. */
export interface FinishedPerson {
  readonly kind: 'end';
  readonly end: PersonOutcome;
}

/** Returns a rejected result: the row is at fault, and nothing of it was sent. */
export function finishAsRejected(
  { person }: PersonTask,
  problem: Problem,
  contact: number | null = null,
): FinishedPerson {
  return createFinishedPerson({ outcome: 'rejected', contact, problems: [problem, ...person.draft.dropped] });
}

/** Returns a stale result: the plan is out of date for the person, and nothing of the row was sent. */
export function finishAsStale({ draft }: Person, reason: string): FinishedPerson {
  const problem = { code: 'plan.stale', column: null, reason };
  return createFinishedPerson({ outcome: 'stale', contact: null, problems: [problem, ...draft.dropped] });
}

/**
 * Returns a rejected result with the workspace's own message. After a 429 returns a failed one instead, because the row
 * is not at fault and a retry sends it.
 */
export function finishAsRefused(
  task: PersonTask,
  progress: PersonProgress,
  { status, message }: RefusedRequest,
  contact: number | null = null,
): FinishedPerson {
  const reason =
    status === 403
      ? `403: the token lacks permission for this request (${message})`
      : `${status} from the workspace: ${message}`;
  if (status === 429) return finishAsFailed(task, progress, reason);
  return finishAsRejected(task, { code: 'workspace.refused', column: null, reason }, contact);
}

/** Returns a failed result; the changes made so far are remembered. */
export function finishAsFailed(task: PersonTask, progress: PersonProgress, message: string): FinishedPerson {
  const problem = { code: 'workspace.failed', column: null, reason: message };
  return createFinishedPerson({
    outcome: 'failed',
    contact: null,
    problems: [problem, ...task.person.draft.dropped],
    remember: progress.did === undefined ? undefined : buildKnownKeyUpdate(task, progress, null, {}),
  });
}

export function createFinishedPerson(personEnd: PersonOutcome): FinishedPerson {
  return { kind: 'end', end: personEnd };
}

export function createRepeatLookupResult(progress: PersonProgress): RepeatLookupResult {
  return { kind: 'again', progress };
}

/** Returns a step on the contact itself; `contacts` are the contacts that it changes, as last read. */
export function planContactWriteStep<E>(
  { context, person }: PersonTask,
  step: Step<E>,
  effect: E,
  contacts: readonly Contact[],
): PlannedStep<E> {
  const withoutSlot: WaitWithoutRowSlot = (wait, why) => context.pool.withoutSlot(wait, why);
  return { seq: person.carrier.seq, step, effect, before: step.before(effect, contacts), withoutSlot };
}

/**
 * Returns what to remember of the person: the values remembered before, as far as the row still mentions them, updated
 * with the values that the contact has now.
 */
export function buildKnownKeyUpdate(
  { context, person, remembered, left }: PersonTask,
  { did, applied, leftOut }: PersonProgress,
  contact: Contact | null,
  steps: ValueHashes,
): KnownKeyUpdate {
  const known = remembered?.contacts.length === 1 ? (remembered.contacts[0] ?? null) : null;
  const isLeftOut = ({ kind, value }: Identifier) =>
    kind === leftOut || (applied[kind] === undefined && wasLeftOut(remembered, kind, value));
  return {
    contact: contact?.id ?? known,
    identifiers: person.identifiers.filter((each) => !isLeftOut(each)).map(formatIdentifier),
    created: did === 'created' || remembered?.created === true,
    applied: { ...stillSaid(context, person, remembered?.applied ?? {}), ...applied, ...left, ...steps },
  };
}

/** Returns true if earlier runs left an identifier out because it belongs to another person. */
function wasLeftOut(
  remembered: RememberedPerson | undefined,
  kind: Identifier['kind'],
  value: string,
): boolean {
  if (remembered === undefined || remembered.lastSent.length === 0) return false;
  const isDone = remembered.applied[kind] === hashValue(value);
  return isDone && !remembered.lastSent.includes(formatIdentifier({ kind, value }));
}

/**
 * Returns the hashes without those of values that the row no longer mentions: if a value comes back, it counts as
 * changed.
 */
function stillSaid({ steps }: ImportContext, { draft }: Person, applied: ValueHashes): ValueHashes {
  if (Object.keys(applied).length === 0) return applied;
  const said = { ...hashFieldValues(draft.values), ...hashDesiredStates(steps, draft, true) };
  return Object.fromEntries(Object.entries(applied).filter(([field]) => Object.hasOwn(said, field)));
}
