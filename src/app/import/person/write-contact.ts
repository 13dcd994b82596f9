import type { MatchDecision } from '../../../identity/decide.ts';
import type { Contact } from '../../../model/contact.ts';
import type { Draft, FieldValues } from '../../../model/draft.ts';
import { formatIdentifier, type Identifier, idToIdentifier } from '../../../model/identifier.ts';
import type { Problem } from '../../../model/problem.ts';
import { type CreateContactEffect, contactCreateStep, planCreate } from '../../../steps/create-contact.ts';
import { computeFieldChanges, type FieldChange } from '../../../steps/field-change.ts';
import { withFirstNameColumn } from '../../../steps/first-name.ts';
import { contactMergeStep, planMerge, sortOlderFirst } from '../../../steps/merge-contacts.ts';
import { createContactUpdateStep, hasTakenEffect, planUpdate } from '../../../steps/update-contact.ts';
import { type PlannedStep, performStep, type StepResult } from '../../run/step.ts';
import { hashFieldValues, type ValueHashes } from './memory.ts';
import type { Person } from './person.ts';
import {
  createRepeatLookupResult,
  type FinishedPerson,
  finishAsFailed,
  finishAsRefused,
  finishAsRejected,
  finishAsStale,
  type PersonProgress,
  type PersonTask,
  planContactWriteStep,
  type RepeatLookupResult,
} from './progress.ts';
import { createMergeDraft } from './proposals.ts';

/** The write that a person's contact needs. */
export type ContactWriteTask =
  | Extract<MatchDecision, { kind: 'create' | 'update' }>
  | {
      readonly kind: 'merge';
      readonly contacts: readonly [Contact, Contact];
      /** The values of the proposed result that were edited before approval. */
      readonly edited?: FieldValues;
    }
  /** The contact's own values are not changed; only the steps that follow them are run. */
  | { readonly kind: 'keep'; readonly contact: Contact; readonly only: 'changed' | 'empty' };

/** A finished write; `contact` was read before the write, and is null if it was just created and is not read yet. */
export interface ContactWriteResult {
  readonly kind: 'written';
  readonly progress: PersonProgress;
  readonly contact: Contact | null;
  readonly only: 'changed' | 'empty';
}

/** Creates, updates or merges the contact, or leaves its values unchanged. */
export async function writeContact(
  task: PersonTask,
  progress: PersonProgress,
  toWrite: ContactWriteTask,
): Promise<ContactWriteResult | RepeatLookupResult | FinishedPerson> {
  switch (toWrite.kind) {
    case 'create':
      return await create(task, progress);
    case 'update':
      // The merge has sent the values to keep, by the keep rules: an update with the row's values would undo that.
      return progress.did === 'merged'
        ? written({ ...progress, applied: hashFieldValues(task.values) }, toWrite)
        : await update(task, progress, toWrite);
    case 'merge':
      return await merge(task, progress, toWrite);
    case 'keep':
      return written(progress, toWrite);
  }
}

/**
 * Returns the write for a contact that this row created: an update with the values that the contact does not have yet;
 * under `onMatch: skip` and `reject`, a task that changes no values.
 */
export function planWriteForCreatedContact({ context }: PersonTask, contact: Contact): ContactWriteTask {
  const { onMatch } = context.policy;
  if (onMatch === 'skip' || onMatch === 'reject') return { kind: 'keep', contact, only: 'changed' };
  return { kind: 'update', contact, only: onMatch === 'fill' ? 'empty' : 'changed' };
}

/**
 * Creates the contact. Planning and the handling of the answer are separate functions, so that little data of the row
 * stays in memory during the request.
 */
async function create(
  task: PersonTask,
  progress: PersonProgress,
): Promise<ContactWriteResult | RepeatLookupResult | FinishedPerson> {
  const planned = planCreateStep(task, progress);
  if ('kind' in planned) return planned;
  const sent = await performStep(task.context, planned);
  return sent.kind === 'done' && sent.contact !== null
    ? // The create was settled by reading: the contact is known and may lack values.
      await writeContact(task, createdNow(task, progress), planWriteForCreatedContact(task, sent.contact))
    : afterCreate(task, progress, sent);
}

function planCreateStep(
  task: PersonTask,
  progress: PersonProgress,
): PlannedStep<CreateContactEffect> | FinishedPerson {
  const { person } = task;
  // The create was acknowledged, or the contact was read already: a second create would make a second contact.
  if (progress.did === 'created')
    return finishAsFailed(task, progress, 'it was created, and then it was not there');
  const { refusal } = progress;
  // If another person's identifier has been removed since the refusal, this create differs from the refused one, and is
  // sent.
  if (refusal !== undefined && identifierTexts(person).join() === refusal.of?.join())
    return finishAsRefused(task, progress, refusal);
  const plan = planCreate(person.draft, person.identifiers, ownLookedUpBy(task));
  if (!plan.ok) return finishAsRejected(task, placed(task, plan.problem));
  return {
    ...planContactWriteStep(task, contactCreateStep, plan.effect, []),
    remember: { sent: () => {}, acked: () => rememberCreated(task), notSent: () => {} },
  };
}

function afterCreate(
  task: PersonTask,
  progress: PersonProgress,
  sent: StepResult,
): ContactWriteResult | RepeatLookupResult | FinishedPerson {
  switch (sent.kind) {
    case 'done':
      return written(createdNow(task, progress), { contact: null, only: 'changed' });
    case 'refused':
    case 'absent':
      // Another client may have created the person in between: look up once more before the refusal counts.
      return createRepeatLookupResult({
        ...progress,
        refusal: { status: 404, ...sent, of: identifierTexts(task.person) },
      });
    default:
      return notWritten(task, progress, sent);
  }
}

function createdNow({ context, person }: PersonTask, progress: PersonProgress): PersonProgress {
  const applied = hashFieldValues(person.draft.values);
  return { ...progress, did: 'created', createdAt: context.clock.now(), applied };
}

function identifierTexts({ identifiers }: Person): readonly string[] {
  return identifiers.map(formatIdentifier);
}

function placed({ context }: PersonTask, problem: Problem): Problem {
  return withFirstNameColumn(problem, context.firstNameColumn);
}

/** Returns the identifiers that the contact may be found by, without those that belong to another person. */
function ownLookedUpBy({ person, left = {} }: PersonTask): readonly Identifier[] {
  return person.lookedUpBy.filter(
    ({ kind }) => kind === 'id' || (left[kind] === undefined && person.shared[kind] === undefined),
  );
}

/**
 * Remembers that an import created the contact, so that other runs know it even if this run is abandoned. Skips a key
 * that already has a record waiting for the same commit: that record has more data.
 */
function rememberCreated({ context, person }: PersonTask): void {
  const { keys, rows } = person;
  const { known } = context.journal;
  const identifiers = person.identifiers.map(formatIdentifier);
  for (const [n, key] of keys.entries()) {
    if (known.isToBeRemembered(key)) continue;
    const line = rows[n]?.line ?? 0;
    known.remember({ key, line, contact: null, identifiers, created: true, applied: {} })();
  }
}

async function update(
  task: PersonTask,
  progress: PersonProgress,
  { contact, only, leaveOut, note }: ContactWriteTask & { kind: 'update' },
): Promise<ContactWriteResult | RepeatLookupResult | FinishedPerson> {
  const { context, person } = task;
  const { rules, journal } = context;
  const { inFlight } = progress;
  const isOurs = contact.id === inFlight?.effect.contactId;
  if (!isOurs && (await awaitInFlight(task, contact))) return createRepeatLookupResult(progress);
  const draft = without(leaveOut, { ...person.draft, values: task.values });
  const plan = planUpdate(draft, contact, rules, only);
  if (plan.kind === 'problem') return finishAsRejected(task, placed(task, plan.problem), contact.id);
  const changes = plan.kind === 'effect' ? plan.effect.changes : [];
  const updating = createContactUpdateStep(rules);
  // The update of the earlier session has arrived after all if nothing is left to change, or at least one of its values
  // is there: the others were edited since.
  const arrived = isOurs && (plan.kind !== 'effect' || hasTakenEffect(inFlight.effect, contact, rules));
  if (arrived) {
    journal.mark({ seq: person.carrier.seq, name: updating.name, item: inFlight.item }, 'acked');
  }
  if (plan.kind === 'effect') {
    const item = isOurs && !arrived ? inFlight.item : newItem(person, updating.name);
    const planned = { ...planContactWriteStep(task, updating, plan.effect, [contact]), item };
    const sent = await performStep(context, planned);
    if (sent.kind !== 'done') return notWritten(task, progress, sent, contact.id);
  }
  const isDone = plan.kind === 'effect' || isOurs;
  const all = computeFieldChanges(draft.values, contact, rules, 'changed');
  return written(
    {
      ...progress,
      did: progress.did ?? (isDone ? 'updated' : undefined),
      applied: appliedBy(draft, changes, all, progress.applied),
      leftOut: leaveOut,
      notes: note === undefined ? progress.notes : [...progress.notes, note],
    },
    { contact, only },
  );
}

/**
 * Returns the `item` of a new update step, which differs from earlier ones: the record of an earlier update stays, with
 * the values that it replaced.
 */
function newItem({ open }: Person, name: string): string {
  const sent = open.filter(
    (step) => step.name === name && (step.state === 'acked' || step.state === 'sent'),
  ).length;
  return sent === 0 ? '' : String(sent + 1);
}

/**
 * Returns the hashes of the row's values that the contact has now. If the contact kept another value under `fill`, the
 * row's value counts as not applied.
 */
function appliedBy(
  { values }: Draft,
  done: readonly FieldChange[],
  wanted: readonly FieldChange[],
  before: ValueHashes,
): ValueHashes {
  const name = (change: FieldChange) =>
    change.kind === 'custom' ? `customFields.${change.name}` : change.name;
  const taken = new Set(done.map(name));
  const notTaken = new Set(wanted.map(name).filter((field) => !taken.has(field)));
  const all = Object.entries({ ...before, ...hashFieldValues(values) });
  return Object.fromEntries(all.filter(([field]) => !notTaken.has(field)));
}

function without(identifier: 'email' | 'phone' | undefined, draft: Draft): Draft {
  if (identifier === undefined) return draft;
  const { [identifier]: _, ...contact } = draft.values.contact;
  return { ...draft, values: { ...draft.values, contact } };
}

/** Waits until an earlier row's unanswered update must have arrived; returns false where there was none to wait for. */
async function awaitInFlight({ context }: PersonTask, contact: Contact): Promise<boolean> {
  const { journal, clock, signal, limits, pool } = context;
  const sentAt = journal.lastSentAbout(formatIdentifier(idToIdentifier(contact.id)));
  const left = sentAt === undefined ? 0 : sentAt + limits.settleMs - clock.now();
  if (left <= 0) return false;
  const until = clock.now() + left;
  await pool.withoutSlot(() => clock.sleep(left, signal), { for: 'sentChange', until });
  return true;
}

async function merge(
  task: PersonTask,
  progress: PersonProgress,
  { contacts, edited }: ContactWriteTask & { kind: 'merge' },
): Promise<RepeatLookupResult | FinishedPerson> {
  const { context, person } = task;
  const { keep, rules } = context;
  const plan = planMerge(contacts, createMergeDraft(context, person, contacts), keep, rules, edited);
  if (plan.kind === 'problem') return finishAsRejected(task, placed(task, plan.problem));
  const { merges } = progress;
  const item = merges === 0 ? '' : String(merges + 1);
  const planned = {
    ...planContactWriteStep(task, contactMergeStep, plan.effect, sortOlderFirst(contacts)),
    item,
  };
  const sent = await performStep(context, planned);
  // After the merge the person is looked up again, which reads the merged contact.
  if (sent.kind !== 'done') return notWritten(task, progress, sent);
  const [mergedInto] = sortOlderFirst(contacts);
  return createRepeatLookupResult({ ...progress, did: 'merged', merges: merges + 1, mergedInto });
}

/** Returns what follows for a person whose contact was not written: another look-up, or the end with an outcome. */
function notWritten(
  task: PersonTask,
  progress: PersonProgress,
  sent: Exclude<StepResult, { kind: 'done' }>,
  contact: number | null = null,
): RepeatLookupResult | FinishedPerson {
  switch (sent.kind) {
    case 'refused':
      // The row is at fault only if nothing of it was sent.
      return progress.did === undefined
        ? finishAsRefused(task, progress, sent, contact)
        : finishAsFailed(task, progress, sent.message);
    case 'absent':
    case 'other':
      return createRepeatLookupResult(progress);
    case 'uncertain':
      return finishAsFailed(task, progress, 'whether it took effect cannot be verified');
    case 'unplanned':
      return progress.did === undefined
        ? finishAsStale(task.person, sent.message)
        : finishAsFailed(task, progress, sent.message);
    case 'failed':
      return finishAsFailed(task, progress, sent.message);
  }
}

function written(
  progress: PersonProgress,
  { contact, only }: Pick<ContactWriteResult, 'contact' | 'only'>,
): ContactWriteResult {
  return { kind: 'written', progress, contact, only };
}
