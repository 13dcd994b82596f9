import type { CommentPartState, TaggedContactRecord } from '../../../journal/index.ts';
import type { Problem } from '../../../model/problem.ts';
import { type CommentEffect, type CommentStep, planCommentParts } from '../../../steps/comments.ts';
import type { ContactStepInput, ManualStep, SingleEffectStep } from '../../../steps/contact-step.ts';
import type { ContactStep } from '../../../steps/registry.ts';
import type { Step } from '../../../steps/step.ts';
import { type PlannedStep, performStep, type StepResult, settleStep } from '../../run/step.ts';
import type { ImportContext } from '../context.ts';
import { hasCommentTextChanged, hashValue, type PendingComment, type ValueHashes } from './memory.ts';
import type { Person } from './person.ts';

/** The input of one person's contact steps. */
export interface ContactStepsTask extends ContactStepInput {
  readonly person: Person;
  /** True if the journal remembered the contact before this run. */
  readonly isRemembered: boolean;
  /** The time (ms) since which a new contact may not be ready yet; undefined for an existing one. */
  readonly newSince: number | undefined;
  /** The hashes of the desired states to send, by state. */
  readonly desired: ValueHashes;
  /** The hashes of the states that earlier imports applied, by state. */
  readonly remembered: ValueHashes;
  readonly comments: readonly PendingComment[];
}

/** The result of the contact steps. */
export interface ContactStepsResult {
  /** True if anything was changed in the workspace. */
  readonly did: boolean;
  readonly uncertain: boolean;
  readonly failures: readonly Problem[];
  readonly notes: readonly Problem[];
  readonly applied: ValueHashes;
  readonly tagged: TaggedContactRecord | undefined;
  readonly also: readonly (() => void)[];
}

/** The result where there was nothing to do. */
export const noStepsResult: ContactStepsResult = {
  did: false,
  uncertain: false,
  failures: [],
  notes: [],
  applied: {},
  tagged: undefined,
  also: [],
};

/** Runs the contact's steps in order; a failed step does not stop the next ones. */
export async function runContactSteps(
  context: ImportContext,
  task: ContactStepsTask,
): Promise<ContactStepsResult> {
  let end = noStepsResult;
  for (const step of context.steps) end = joined(end, await take(context, task, step));
  return end;
}

async function take(
  context: ImportContext,
  task: ContactStepsTask,
  step: ContactStep,
): Promise<Partial<ContactStepsResult>> {
  switch (step.kind) {
    case 'state':
      return await sendState(context, task, step);
    case 'list':
      return takeList(task, step);
    case 'comments':
      return await takeComments(context, task, step);
  }
}

function joined(one: ContactStepsResult, more: Partial<ContactStepsResult>): ContactStepsResult {
  const { failures = [], notes = [], also = [] } = more;
  return {
    did: one.did || more.did === true,
    uncertain: one.uncertain || more.uncertain === true,
    failures: [...one.failures, ...failures],
    notes: [...one.notes, ...notes],
    applied: { ...one.applied, ...more.applied },
    tagged: more.tagged ?? one.tagged,
    also: [...one.also, ...also],
  };
}

function takeList(task: ContactStepsTask, step: ManualStep): Partial<ContactStepsResult> {
  const hash = task.desired[step.state];
  return hash === undefined ? {} : { tagged: step.list(task), applied: { [step.state]: hash } };
}

async function sendState<E>(
  context: ImportContext,
  task: ContactStepsTask,
  step: SingleEffectStep<E>,
): Promise<Partial<ContactStepsResult>> {
  const hash = task.desired[step.state];
  if (hash === undefined) return {};
  const applied = { [step.state]: hash };
  const earlier = await settleEarlier(context, task, step);
  if (earlier === undefined) {
    const plan = step.plan({ ...task, isApplied: task.remembered[step.state] === hash });
    if (plan.kind !== 'effect') {
      const notes = plan.kind === 'left' ? [plan.note] : [];
      // Under `fill` an existing contact may keep a state other than the row's; then the row's state is not remembered
      // as applied, so that the next run checks it again.
      return { notes, applied: task.only === 'changed' || task.created ? applied : {} };
    }
    const end = await performStep(context, plannedStep(context, task, step, plan.effect), task.newSince);
    return end.kind === 'done' ? { did: true, applied } : { failures: [failure(step.state, end)] };
  }
  return earlier.kind === 'done' ? { did: true, applied } : { failures: [failure(step.state, earlier)] };
}

/**
 * Settles the step of an earlier session of this run; returns undefined if there is none or if it must be sent again.
 */
async function settleEarlier<E>(
  context: ImportContext,
  task: ContactStepsTask,
  step: SingleEffectStep<E>,
): Promise<{ readonly kind: 'done' } | (StepResult & { readonly kind: 'failed' }) | undefined> {
  const open = task.person.open.find(({ name }) => name === step.name);
  if (open?.state === 'acked') return { kind: 'done' };
  if (open?.state !== 'sent') return undefined;
  const { journal } = context;
  const effect = step.parse(open.intent);
  // The request may still arrive, so later rows of this contact must wait for it.
  journal.mayArriveLate(step.mayArriveLate(effect));
  const end = await settleStep(context, plannedStep(context, task, step, effect));
  return end?.kind === 'done' || end?.kind === 'failed' ? end : undefined;
}

function plannedStep<E>(
  { pool }: ImportContext,
  { person, contact }: ContactStepsTask,
  step: Step<E>,
  effect: E,
): PlannedStep<E> {
  const before = step.before(effect, [contact]);
  return {
    seq: person.carrier.seq,
    step,
    effect,
    before,
    withoutSlot: (wait, why) => pool.withoutSlot(wait, why),
  };
}

/**
 * Sends a person's comments in order, each part once. A comment that may have been sent is not sent again unless the
 * user asks for it. A failed comment holds back the later ones, so that the order is kept.
 */
async function takeComments(
  context: ImportContext,
  task: ContactStepsTask,
  step: CommentStep,
): Promise<Partial<ContactStepsResult>> {
  let end = noStepsResult;
  for (const pending of task.comments) {
    end = joined(end, await takeComment(context, task, step, pending));
    if (end.failures.length > 0) break;
    end = joined(end, { notes: listRepetitions(pending) });
  }
  return end;
}

const sentOnce = 'another row of the same person has the same comment, which is sent once';

/** Returns a note for each comment that counts as one that is taken for the first time. */
function listRepetitions({ comment, known }: PendingComment): readonly Problem[] {
  if (known !== undefined && !known.parts.includes('open')) return [];
  const note = leftOut(comment.id, 'comments.repeated', sentOnce);
  return Array.from({ length: comment.repetitions }, () => note);
}

async function takeComment(
  context: ImportContext,
  task: ContactStepsTask,
  step: CommentStep,
  { comment, known, repeats, isCarriedOver = false }: PendingComment,
): Promise<Partial<ContactStepsResult>> {
  const { journal, clock } = context;
  const text = hashValue(comment.text);
  const effects = planCommentParts(task.contact.id, comment);
  const leave = (state: 'skipped' | 'left', code: string, why: string) => {
    const left = { id: comment.id, parts: effects.map(() => state), text, sentAt: null };
    return {
      notes: [leftOut(comment.id, code, why)],
      also: [journal.comments.remember(comment.under, left)],
    };
  };
  if (repeats === 'contact')
    return leave(
      'left',
      'comments.repeated',
      'it was sent to this contact before, for a row with another key or identifier',
    );
  if (known === undefined && !(task.created || task.isRemembered || step.existing))
    return leave(
      'skipped',
      'comments.left',
      'the contact was there before; "comments.existing: send" sends it with the next import',
    );
  if (repeats === 'row') return leave('left', 'comments.repeated', sentOnce);
  const { resend } = context.scope;
  const wasSent = known?.parts.some((part) => part !== 'open' && !(resend && part === 'uncertain')) === true;
  if (wasSent && hasCommentTextChanged(known, comment.text))
    return await leaveEditedComment(context, task, step, { comment, known });
  const parts: CommentPartState[] = wasSent ? [...known.parts] : effects.map(() => 'open');
  let end = noStepsResult;
  for (const [n, effect] of effects.entries()) {
    const item = namePart(comment, n, effects.length);
    const remember = (part: CommentPartState) => {
      const after = { id: comment.id, parts: parts.with(n, part), text, sentAt: clock.now() };
      return journal.comments.remember(comment.under, after);
    };
    const planned = {
      ...plannedStep(context, task, step, effect),
      item,
      remember: { sent: remember('uncertain'), acked: remember('sent'), notSent: remember('open') },
    };
    const taken = await takePart(context, task, planned, parts[n] ?? 'open', known?.sentAt ?? null);
    end = joined(end, taken.end);
    if (taken.part === undefined) return end;
    parts[n] = taken.part;
  }
  if (!isCarriedOver || parts.some((part, n) => part !== known?.parts[n])) return end;
  const carried = { id: comment.id, parts, text, sentAt: known?.sentAt ?? null };
  return { ...end, also: [...end.also, journal.comments.remember(comment.under, carried)] };
}

/** Leaves out a comment whose text has changed since it was sent; its parts that may be there stay uncertain. */
async function leaveEditedComment(
  context: ImportContext,
  task: ContactStepsTask,
  step: CommentStep,
  { comment, known }: Pick<PendingComment, 'comment' | 'known'>,
): Promise<Partial<ContactStepsResult>> {
  const effects = planCommentParts(task.contact.id, comment);
  let end: ContactStepsResult = { ...noStepsResult, notes: [createEditedCommentProblem(comment.id)] };
  for (const [n, effect] of effects.entries()) {
    if (known?.parts[n] !== 'uncertain') continue;
    const item = namePart(comment, n, effects.length);
    const planned = { ...plannedStep(context, task, step, effect), item };
    await keepUncertain(context, task, planned, known.sentAt);
    end = joined(end, uncertainComment(planned));
  }
  return end;
}

/** Returns the name of a part of a comment, such as `story (2/3)`. */
function namePart({ item }: PendingComment['comment'], n: number, of: number): string {
  return of === 1 ? item : `${item} (${n + 1}/${of})`;
}

/** Sends one part of a comment if needed and returns its state; `part` is undefined where it failed. */
async function takePart(
  context: ImportContext,
  task: ContactStepsTask,
  planned: PlannedStep<CommentEffect>,
  part: CommentPartState,
  sentAt: number | null,
): Promise<{ readonly part: CommentPartState | undefined; readonly end: Partial<ContactStepsResult> }> {
  if (part !== 'open' && part !== 'uncertain') return { part, end: {} };
  if (part === 'uncertain' && !context.scope.resend) {
    await keepUncertain(context, task, planned, sentAt);
    return { part, end: uncertainComment(planned) };
  }
  const end = await performStep(context, planned, task.newSince);
  switch (end.kind) {
    case 'done':
      return { part: 'sent', end: { did: true } };
    case 'uncertain':
      return { part: 'uncertain', end: uncertainComment(planned) };
    default:
      return { part: undefined, end: { failures: [failure(`comment ${planned.item}`, end)] } };
  }
}

/** Records in this run, too, that the comment is uncertain. */
async function keepUncertain(
  { journal }: ImportContext,
  { person }: ContactStepsTask,
  { item = '', step, effect, seq }: PlannedStep<CommentEffect>,
  sentAt: number | null,
): Promise<void> {
  const name = { seq, name: step.name, item };
  const open = person.open.find((each) => each.name === step.name && each.item === item);
  if (open === undefined) {
    await journal.intend({ ...name, state: 'uncertain', intent: effect, before: null, sentAt }, []);
  } else journal.mark(name, 'uncertain');
}

function uncertainComment({ item }: PlannedStep<CommentEffect>): Partial<ContactStepsResult> {
  const reason = `comment ${item} may have been added, and it cannot be verified through the API`;
  return { uncertain: true, notes: [{ code: 'comments.uncertain', column: null, reason }] };
}

/** Returns the problem of a comment whose text has changed since it was sent. */
export function createEditedCommentProblem(id: string): Problem {
  return leftOut(id, 'comments.edited', 'its text has changed since, and a comment cannot be changed');
}

function leftOut(id: string, code: string, why: string): Problem {
  return { code, column: null, reason: `comment ${id} was left out: ${why}` };
}

/** Returns the problem of a step that failed. */
function failure(step: string, end: Exclude<StepResult, { kind: 'done' }>): Problem {
  const reason = 'message' in end ? end.message : 'the workspace could not say whether it took effect';
  const isRefused = end.kind === 'refused' && end.status !== 429;
  const code = isRefused ? 'workspace.refused' : 'workspace.failed';
  return { code, column: null, reason: `${step}: ${reason}` };
}
