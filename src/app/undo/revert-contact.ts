import type { RowRecord, StepRecord } from '../../journal/index.ts';
import type { Contact } from '../../model/contact.ts';
import { idToIdentifier } from '../../model/identifier.ts';
import type { Problem } from '../../model/problem.ts';
import { createAssigneeStep } from '../../steps/assignee.ts';
import { createConversationStep } from '../../steps/conversation.ts';
import { createLifecycleStep } from '../../steps/lifecycle.ts';
import type { Step } from '../../steps/step.ts';
import { buildUpdateEffect, createContactUpdateStep, hasTakenEffect } from '../../steps/update-contact.ts';
import type { WaitWithoutSlot } from '../run/at-once.ts';
import { type PlannedStep, performStep, type RowStep, type StepResult, settleStep } from '../run/step.ts';
import { getContactFieldValue, isSameFieldValue } from '../run/written-value.ts';
import type { UndoContext } from './context.ts';
import {
  buildRevertEffects,
  decideContactReversion,
  missingContactProblem,
  toFieldChanges,
  toValueColumnName,
  type ValueReversion,
} from './decide.ts';
import {
  computeFieldHashChanges,
  createFieldHashWriter,
  type FieldHashChange,
  parseFieldHashChanges,
} from './memory.ts';
import type { WrittenContact } from './written-values.ts';

/** A contact that the undo has not finished. */
export interface PendingUndoItem {
  readonly seq: number;
  readonly subject: WrittenContact;
  /** The steps that an interrupted session sent for the contact. */
  readonly open: readonly StepRecord[];
}

/** A contact that is being reverted in a slot of the pool. */
export interface ActiveUndoItem extends PendingUndoItem {
  readonly withoutSlot: WaitWithoutSlot;
}

const rules = { mapping: {} };
const states = {
  lifecycle: createLifecycleStep(rules),
  assignee: createAssigneeStep(),
  conversation: createConversationStep(rules),
};

/**
 * Reverts one contact: settles its steps in flight, reads it, decides, sends the changes; returns its row for the
 * journal.
 */
export async function revertContact(context: UndoContext, item: ActiveUndoItem): Promise<RowRecord> {
  const { contact: id } = item.subject;
  const { withoutSlot } = item;
  const before = await settleOpen(context, item);
  const { did } = before;
  if (before.failure !== undefined) return ended(item, { did, failures: [before.failure], kept: [] });
  const answer = await context.workspace.contacts.read(idToIdentifier(id), { waits: { withoutSlot } });
  if (answer.kind !== 'ok' && answer.kind !== 'absent')
    return ended(item, { did, failures: [failed('contact', answer.message)], kept: [] });
  // A workspace may answer with the contact into which the requested one was merged.
  if (answer.kind === 'absent' || answer.value.id !== id)
    return ended(item, { did, failures: [], kept: [missingContactProblem] });
  const contact = answer.value;
  const arrived = noteUnsettled(context, before.unsettled, contact);
  if (context.wrote.isOwn(contact)) return ended(item, { did: false, failures: [], kept: [own] });
  const { kept, putBack } = decideContactReversion(
    contact,
    context.wrote.valuesOf(id),
    createUndoDecisionRules(context),
  );
  const done = await putAllBack(context, item, contact, putBack);
  return ended(item, { ...done, did: did || arrived || done.did, kept: [...kept, ...done.kept] });
}

/** Creates the rules by which an undo decides. */
export function createUndoDecisionRules({
  rules: of,
  asked,
  idOf,
}: Pick<UndoContext, 'rules' | 'asked' | 'idOf'>) {
  return { rules: of, conversations: asked.conversations, idOf };
}

/** The problem that is recorded for a contact that the run created; undo-kept.csv lists such contacts anyway. */
const own: Problem = { code: 'undo.created', column: null, reason: 'the run created this contact' };

interface Done {
  readonly did: boolean;
  readonly failures: readonly Problem[];
  readonly kept: readonly Problem[];
}

/** Settles the steps in flight of an interrupted session; `unsettled` are those whose effect is not fully visible. */
async function settleOpen(
  context: UndoContext,
  item: ActiveUndoItem,
): Promise<{
  readonly did: boolean;
  readonly unsettled: readonly StepRecord[];
  readonly failure?: Problem | undefined;
}> {
  let did = item.open.some(({ state }) => state === 'acked');
  const unsettled: StepRecord[] = [];
  for (const open of item.open.filter(({ state }) => state === 'sent')) {
    const step = stepNamed(context, open.name);
    const sent = sentStep(context, item, step, step.parse(open.intent), parseFieldHashChanges(open.memory));
    const end = await settleStep(context, { ...sent, item: open.item });
    if (end?.kind === 'failed') return { did, unsettled, failure: failed(open.name, end.message) };
    if (end === undefined) unsettled.push(open);
    else did = true;
  }
  return { did, unsettled };
}

/**
 * Records each unsettled step as applied or as not sent: if part of an update is visible, the update was applied, and
 * the contact was edited since. Returns true if any step was applied.
 */
function noteUnsettled(context: UndoContext, steps: readonly StepRecord[], contact: Contact): boolean {
  for (const open of steps) {
    const arrived = hasPart(context, open, contact);
    const also = arrived ? [createFieldHashWriter(context.journal, parseFieldHashChanges(open.memory))] : [];
    context.journal.mark(open, arrived ? 'acked' : 'planned', also);
  }
  return steps.some((open) => hasPart(context, open, contact));
}

function hasPart({ rules: of }: UndoContext, { name, intent }: StepRecord, contact: Contact): boolean {
  const update = createContactUpdateStep(of);
  if (name !== update.name) return false;
  return hasTakenEffect(update.parse(intent), contact, of);
}

function stepNamed({ rules: of }: UndoContext, name: string): Step<unknown> {
  const step = [createContactUpdateStep(of), ...Object.values(states)].find((each) => each.name === name);
  if (step === undefined) throw new Error(`an undo takes no step ${name}`);
  return step;
}

/** Sends the reverting changes, step by step; a failed step does not stop the next. */
async function putAllBack(
  context: UndoContext,
  item: ActiveUndoItem,
  contact: Contact,
  putBack: readonly ValueReversion[],
): Promise<Done> {
  const changes = toFieldChanges(putBack, context.rules);
  const effect =
    changes.length === 0 ? undefined : buildUpdateEffect(contact, changes, context.rules, undefined);
  const fields = putBack.filter(({ kind }) => kind === 'contact' || kind === 'custom');
  let done: Done = { did: false, failures: [], kept: [] };
  if (changes.length > 0 && effect === undefined) {
    done = {
      ...done,
      failures: [failed('update', 'the contact has no first name, and an update must send one')],
    };
  } else if (effect !== undefined) {
    done = await take(context, item, contact, createContactUpdateStep(context.rules), effect, fields);
    if (done.did) done = { ...done, kept: await notCleared(context, item, contact, fields) };
  }
  const wanted = buildRevertEffects(contact.id, putBack);
  for (const name of ['lifecycle', 'assignee', 'conversation'] as const) {
    const value = putBack.filter(({ kind }) => kind === name);
    const state: Step<unknown> = states[name];
    if (wanted[name] !== undefined)
      done = joined(done, await take(context, item, contact, state, wanted[name], value));
  }
  return done;
}

function joined(one: Done, other: Done): Done {
  return {
    did: one.did || other.did,
    failures: [...one.failures, ...other.failures],
    kept: [...one.kept, ...other.kept],
  };
}

async function take<E>(
  context: UndoContext,
  item: ActiveUndoItem,
  contact: Contact,
  step: Step<E>,
  effect: E,
  values: readonly ValueReversion[],
): Promise<Done> {
  const remembered = context.wrote.rememberedOf(contact.id);
  const memory = computeFieldHashChanges(context.journal, remembered, values.map(toValueColumnName));
  const before = step.before(effect, [contact]);
  const sent = sentStep(context, item, step, effect, memory);
  const planned: PlannedStep<E> = { ...sent, item: newItem(item, step.name), before, memory };
  const end = await performStep(context, planned);
  if (end.kind === 'done') return { did: true, failures: [], kept: [] };
  return {
    did: false,
    failures: [failed(values.map(toValueColumnName).join(', '), messageOf(end))],
    kept: [],
  };
}

function sentStep<E>(
  { journal }: UndoContext,
  { seq, withoutSlot }: ActiveUndoItem,
  step: Step<E>,
  effect: E,
  memory: readonly FieldHashChange[],
): RowStep<E> {
  const nothing = () => undefined;
  const remember = { sent: nothing, acked: createFieldHashWriter(journal, memory), notSent: nothing };
  return { seq, step, effect, withoutSlot, remember };
}

/** Returns the item name for a new step, different from those of earlier sessions, whose records stay. */
function newItem({ open }: ActiveUndoItem, name: string): string {
  const before = open.filter((step) => step.name === name).length;
  return before === 0 ? '' : String(before + 1);
}

/**
 * Reads cleared fields back, and returns a problem for each that is not empty: the interface does not specify that an
 * empty value clears a field. If the contact cannot be read, returns a problem for each cleared field.
 */
async function notCleared(
  { workspace, rules: of }: UndoContext,
  { withoutSlot }: ActiveUndoItem,
  { id }: Contact,
  values: readonly ValueReversion[],
): Promise<readonly Problem[]> {
  const cleared = values.filter(({ to }) => to === null || to === '');
  if (cleared.length === 0) return [];
  const answer = await workspace.contacts.read(idToIdentifier(id), { waits: { withoutSlot } });
  if (answer.kind !== 'ok')
    return cleared.map((value) =>
      problem('undo.unread', value, `it was sent empty, and could not be read back`),
    );
  return cleared
    .filter(
      ({ kind, name }) =>
        !isSameFieldValue(kind, name, getContactFieldValue(answer.value, kind, name, null), null, of),
    )
    .map((value) =>
      problem('undo.notCleared', value, 'the workspace did not clear it: it was empty before the run'),
    );
}

function problem(code: string, value: ValueReversion, reason: string): Problem {
  return { code, column: toValueColumnName(value), reason };
}

function failed(what: string, message: string): Problem {
  return { code: 'undo.failed', column: what, reason: message };
}

function messageOf(end: Exclude<StepResult, { kind: 'done' }>): string {
  if (end.kind === 'refused') return `${end.status} from the workspace: ${end.message}`;
  return 'message' in end ? end.message : 'whether it took effect cannot be verified';
}

function ended({ seq, subject }: ActiveUndoItem, { did, failures, kept }: Done): RowRecord {
  const { line, sheet, key, contact, identifier } = subject;
  const outcome =
    failures.length > 0 ? 'failed' : did ? 'updated' : kept.length > 0 ? 'skipped' : 'unchanged';
  return {
    ...{ seq, line: line ?? 0, sheet, outcome, key, contact, identifier: identifier ?? undefined },
    problems: [...failures, ...kept],
    ...{ cells: null, raw: null, hash: null },
  };
}
