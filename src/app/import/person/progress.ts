import type { Contact } from '../../../model/contact.ts';
import type { FieldValues } from '../../../model/draft.ts';
import { identifierText } from '../../../model/identifier.ts';
import type { Outcome } from '../../../model/outcome.ts';
import type { Problem } from '../../../model/problem.ts';
import type { Step } from '../../../steps/step.ts';
import type { UpdateEffect } from '../../../steps/update-contact.ts';
import type { PlannedStep, WithoutSlot } from '../../run/step.ts';
import type { ImportContext } from '../context.ts';
import type { PersonEnd, Remembering } from './end.ts';
import { type Applied, desiredStateHashes, fieldHashes, type Remembered } from './memory.ts';
import type { Person } from './person.ts';

/** One person of the input, and what is known of them before anybody is asked. */
export interface PersonTask {
  readonly context: ImportContext;
  readonly person: Person;
  /** What earlier runs remember. */
  readonly remembered: Remembered | undefined;
  /** The values that this run looks at: those whose source changed. */
  readonly values: FieldValues;
  /** Hashes of values that are left out as another person's: remembered as applied, so that they are not asked for again. */
  readonly left?: Applied | undefined;
  /** Whether what identifies the person is somebody else's until a later row of the input gives it up. */
  readonly isGivenUpLater: boolean;
}

/** What has been brought about for a person so far, in this session or before it was interrupted. */
export interface Progress {
  readonly did: Extract<Outcome, 'created' | 'updated' | 'merged'> | undefined;
  /** How many contacts were merged: each merge has a record of its own. */
  readonly merges: number;
  /** When the contact was created (ms), where this run did it. */
  readonly createdAt: number | undefined;
  /** Hashes of the values that are in the contact now. */
  readonly applied: Applied;
  /** The identifier that was another contact's and was not sent, */
  readonly leftOut: 'email' | 'phone' | undefined;
  /** and the note that says so. */
  readonly notes: readonly Problem[];
  /** An update of this row that may be in flight since an earlier session. */
  readonly inFlight: { readonly effect: UpdateEffect; readonly item: string } | undefined;
  /** The contact that a merge of this session went into, as it was before. */
  readonly mergedInto?: Contact | undefined;
  /** What the workspace said when it refused the create. */
  readonly refusal: Refusal | undefined;
}

/** What the workspace answered to what it does not accept. */
export interface Refusal {
  /** The identifiers (texts) that it was sent with. */
  readonly of?: readonly string[];
  readonly status: number;
  readonly message: string;
}

/** Nothing was sent yet. */
export const noProgress: Progress = {
  did: undefined,
  merges: 0,
  createdAt: undefined,
  applied: {},
  leftOut: undefined,
  notes: [],
  inFlight: undefined,
  refusal: undefined,
};

/** What comes next for a person: look them up again, or their end. */
export type Next = Again | Ended;

/** The workspace is not what it was when the person was looked up: once more, knowing this. */
export interface Again {
  readonly kind: 'again';
  readonly progress: Progress;
}

export interface Ended {
  readonly kind: 'end';
  readonly end: PersonEnd;
}

/** The row is at fault, and nothing of it was sent. */
export function rejected({ person }: PersonTask, problem: Problem, contact: number | null = null): Ended {
  return end({ outcome: 'rejected', contact, problems: [problem, ...person.draft.dropped] });
}

/** The plan that the import does was made of something else: nothing of the row was sent. */
export function stale({ draft }: Person, reason: string): Ended {
  const problem = { code: 'plan.stale', column: null, reason };
  return end({ outcome: 'stale', contact: null, problems: [problem, ...draft.dropped] });
}

/** In the workspace's own words; a row that was too much for the workspace is not at fault, and a retry sends it. */
export function refused(
  task: PersonTask,
  progress: Progress,
  { status, message }: Refusal,
  contact: number | null = null,
): Ended {
  const reason =
    status === 403
      ? `403: the token lacks permission for this request (${message})`
      : `${status} from the workspace: ${message}`;
  if (status === 429) return failed(task, progress, reason);
  return rejected(task, { code: 'workspace.refused', column: null, reason }, contact);
}

/** It could not be done; what was brought about until then is remembered. */
export function failed(task: PersonTask, progress: Progress, message: string): Ended {
  const problem = { code: 'workspace.failed', column: null, reason: message };
  return end({
    outcome: 'failed',
    contact: null,
    problems: [problem, ...task.person.draft.dropped],
    remember: progress.did === undefined ? undefined : remembering(task, progress, null, {}),
  });
}

export function end(personEnd: PersonEnd): Ended {
  return { kind: 'end', end: personEnd };
}

export function again(progress: Progress): Again {
  return { kind: 'again', progress };
}

/** A step of the contact's own; `contacts` are those that it changes, as they were read. */
export function stepOf<E>(
  { context, person }: PersonTask,
  step: Step<E>,
  effect: E,
  contacts: readonly Contact[],
): PlannedStep<E> {
  const withoutSlot: WithoutSlot = (wait, why) => context.pool.withoutSlot(wait, why);
  return { seq: person.carrier.seq, step, effect, before: step.before(effect, contacts), withoutSlot };
}

/** What is remembered of the person: what is in the contact now, over what was there before. */
export function remembering(
  { context, person, remembered, left }: PersonTask,
  { did, applied }: Progress,
  contact: Contact | null,
  steps: Applied,
): Remembering {
  const known = remembered?.contacts.length === 1 ? (remembered.contacts[0] ?? null) : null;
  return {
    contact: contact?.id ?? known,
    identifiers: person.identifiers.map(identifierText),
    created: did === 'created' || remembered?.created === true,
    applied: { ...stillSaid(context, person, remembered?.applied ?? {}), ...applied, ...left, ...steps },
  };
}

/** What the row says nothing about any more is forgotten: said again, it is a change. */
function stillSaid({ steps }: ImportContext, { draft }: Person, applied: Applied): Applied {
  if (Object.keys(applied).length === 0) return applied;
  const said = { ...fieldHashes(draft.values), ...desiredStateHashes(steps, draft, true) };
  return Object.fromEntries(Object.entries(applied).filter(([field]) => Object.hasOwn(said, field)));
}
