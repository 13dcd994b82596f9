import type { RunJournal, StepName, StepState } from '../../journal/index.ts';
import type { Answer } from '../../model/answer.ts';
import type { Contact } from '../../model/contact.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import type { WorkspacePort } from '../../steps/port.ts';
import type { Effected, Settled, Step } from '../../steps/step.ts';
import { askUntil, newContactBackoff, untilAnswered, type WithoutSlot } from './waits.ts';

/** What a step needs of its run. */
export interface StepContext {
  readonly workspace: WorkspacePort;
  readonly journal: RunJournal;
  readonly clock: Clock;
  /** Aborted when the run must stop: no new request leaves then. */
  readonly signal: AbortSignal;
  readonly limits: { readonly settleMs: number; readonly attempts: number };
  /** The plan of which the run does exactly what it has, where it does one. */
  readonly plan?: { takes(name: StepName, effect: unknown): boolean } | undefined;
}

/** How a step ended. */
export type StepEnd =
  | { readonly kind: 'done'; readonly contactId: number | null; readonly contact: Contact | null }
  /** Surely not applied, in the workspace's own words. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** Whom it was about is not there. */
  | { readonly kind: 'absent'; readonly message: string }
  /** Somebody else was faster. */
  | { readonly kind: 'other'; readonly contact: Contact }
  /** Sent, perhaps applied, and nobody can read it back. */
  | { readonly kind: 'uncertain' }
  /** Not sent: the import does a plan that has no such step. */
  | { readonly kind: 'unplanned'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

const unplanned: StepEnd = {
  kind: 'unplanned',
  message:
    'this change is not in the plan: something has changed since the plan was made, and it was not sent',
};

/** What an answer takes that had nothing to wait for; far below the processing time of a new contact. */
const lateMs = 1_000;

/** Steps of the run itself stand below the rows. */
export const runSeq = -1;

/** A step of a row, or of the run itself, that may have been sent. */
export interface SentStep<E> {
  readonly seq: number;
  /** Which of several of that step; empty where there is only one. */
  readonly item?: string;
  readonly step: Step<E>;
  readonly effect: E;
  readonly withoutSlot: WithoutSlot;
  /** What is remembered beyond the run, together with the step's intent, its acknowledgement, and its being reverted. */
  readonly remember?: { readonly [K in 'sent' | 'acked' | 'notSent']: () => void };
}

/** A step that is to be sent. */
export interface PlannedStep<E> extends SentStep<E> {
  /** What an undo needs (`Step.before`). */
  readonly before: unknown;
  /** What the step of an undo changes in what is remembered of the contact: kept with the intent. */
  readonly memory?: unknown;
}

/**
 * Performs a step so that it takes effect once: its intent is durable before the request leaves, and a lost answer is
 * settled by reading; only what is surely absent is sent again (promise 2).
 */
export async function performStep<E>(context: StepContext, planned: PlannedStep<E>): Promise<StepEnd> {
  let end: StepEnd | undefined;
  if (context.plan?.takes(nameOf(planned), planned.effect) === false) return unplanned;
  for (let attempt = 1; attempt <= context.limits.attempts; attempt += 1) {
    const sentAt = await intend(context, planned);
    const answer = await sendUnqueued(context, planned);
    if (answer.kind === 'ok') noteLate(context, planned, sentAt);
    if (answer.kind !== 'unknown') return ended(context, planned, answer);
    context.journal.mayArriveLate(planned.step.mayArriveLate(planned.effect));
    // Counted from now: between its intent and its leaving lie all waits for the workspace, of 429, 449 or an outage.
    end = await settleStep(context, planned, context.clock.now());
    if (end !== undefined) return end;
    await pause(context, planned, attempt);
  }
  return {
    kind: 'failed',
    message: `no answer, and after ${context.limits.attempts} attempts it is still not there`,
  };
}

/**
 * Performs a step of a contact that may not be ready yet: 404 soon after its create, at `newSince` (ms), is a wait.
 */
export async function performReady<E>(
  context: StepContext,
  planned: PlannedStep<E>,
  newSince: number | undefined,
): Promise<StepEnd> {
  const { clock, signal, limits } = context;
  const { first, longest } = newContactBackoff(limits.settleMs);
  let pause = first;
  for (;;) {
    const end = await performStep(context, planned);
    if (end.kind !== 'absent' || newSince === undefined) return end;
    const left = newSince + limits.settleMs - clock.now();
    if (left <= 0) return end;
    const ms = Math.min(pause, left);
    const until = newSince + limits.settleMs;
    await planned.withoutSlot(() => clock.sleep(ms, signal), { for: 'newContact', until });
    pause = Math.min(pause * 2, longest);
  }
}

/**
 * What became of a step that may have been sent, at `leftBy` at the latest, which is in an earlier session unless said
 * otherwise; undefined where it surely did not take effect.
 */
export async function settleStep<E>(
  context: StepContext,
  planned: SentStep<E>,
  leftBy: number = context.journal.leftBy(nameOf(planned)),
): Promise<StepEnd | undefined> {
  const { step, effect } = planned;
  const { clock, signal, limits, workspace } = context;
  const total = step.eventuallyVisible ? limits.settleMs : 0;
  let message: string | undefined;
  const waitsFor = step.creates(effect).length > 0 ? 'sentCreate' : 'sentChange';
  const end = await planned.withoutSlot(
    () =>
      askUntil<StepEnd>(clock, signal, { ...newContactBackoff(limits.settleMs), total }, leftBy, async () => {
        const settled = await readable(context, nameOf(planned), () => step.settle(workspace, effect));
        message = settled.kind === 'unknown' ? settled.message : undefined;
        switch (settled.kind) {
          case 'done':
            return { kind: 'done', contactId: settled.contact?.id ?? null, contact: settled.contact };
          case 'unknowable':
            return { kind: 'uncertain' };
          case 'other':
            return settled;
          case 'absent':
          case 'unknown':
            return undefined;
        }
      }),
    { for: waitsFor, until: leftBy + total },
  );
  if (end?.kind === 'done') acked(context, planned);
  if (end?.kind === 'uncertain') context.journal.mark(nameOf(planned), 'uncertain');
  if (end === undefined && message !== undefined) {
    // Not known to be absent, so it must not be sent again: the step stays `sent`, and a retry asks once more.
    return { kind: 'failed', message: `whether it took effect could not be read: ${message}` };
  }
  return end;
}

/** Asks until there is an answer: a read that is queued or fails says nothing of what stands there. */
async function readable(
  context: StepContext,
  name: StepName,
  read: () => Promise<Settled>,
): Promise<Settled> {
  return await untilAnswered(context, { ...name, kind: 'unread' }, read, ({ kind }) => kind !== 'unknown');
}

async function intend<E>(context: StepContext, planned: PlannedStep<E>): Promise<number> {
  const { step, effect, before, memory, remember } = planned;
  const sentAt = context.clock.now();
  await context.journal.intend(
    { ...nameOf(planned), state: 'sent', intent: effect, before: before ?? null, sentAt, memory },
    step.creates(effect),
    remember === undefined ? [] : [remember.sent],
  );
  return sentAt;
}

function nameOf<E>({ seq, step, item = '' }: SentStep<E>): StepName {
  return { seq, name: step.name, item };
}

function acked<E>(context: StepContext, planned: SentStep<E>, created?: boolean | undefined): void {
  const also = planned.remember === undefined ? [] : [planned.remember.acked];
  context.journal.mark(nameOf(planned), 'acked', also, created);
}

/** Lets the workspace breathe before the same is sent again; what was waited out while it was settled is enough. */
async function pause<E>(
  { clock, signal, limits }: StepContext,
  planned: SentStep<E>,
  attempt: number,
): Promise<void> {
  if (planned.step.eventuallyVisible) return;
  const { first, longest } = newContactBackoff(limits.settleMs);
  await planned.withoutSlot(() => clock.sleep(Math.min(longest, first * 2 ** (attempt - 1)), signal));
}

/** A create that had to wait before it left shows as much later: whoever looks for its person must know. */
function noteLate<E>({ clock, journal }: StepContext, { step, effect }: SentStep<E>, sentAt: number): void {
  if (clock.now() - sentAt > lateMs) journal.mayArriveLate(step.creates(effect));
}

/** Sends, and waits out 449 without its slot: nothing was done then, so the same intent still holds. */
async function sendUnqueued<E>(context: StepContext, planned: SentStep<E>): Promise<Answer<Effected>> {
  return await untilAnswered(
    context,
    { ...nameOf(planned), kind: 'queued' },
    () => send(context, planned),
    ({ kind }) => kind !== 'queued',
    planned.withoutSlot,
  );
}

async function send<E>(context: StepContext, planned: SentStep<E>): Promise<Answer<Effected>> {
  try {
    return await planned.step.send(context.workspace, planned.effect);
  } catch (error) {
    // Where the client stops on purpose it guarantees that nothing of it left for good: the next start need not wait for
    // it to show, nor doubt it. Of anything else nobody knows when it was thrown, so the step stays in flight.
    if (error instanceof FatalError) revert(context, planned, 'planned');
    throw error;
  }
}

function ended<E>(
  context: StepContext,
  planned: SentStep<E>,
  answer: Exclude<Answer<Effected>, { kind: 'unknown' }>,
): StepEnd {
  switch (answer.kind) {
    case 'ok':
      acked(context, planned, answer.value.created);
      return { kind: 'done', contactId: answer.value.contactId, contact: null };
    case 'refused':
    case 'absent':
      revert(context, planned, 'refused');
      return answer;
    case 'queued':
      revert(context, planned, 'planned');
      return { kind: 'failed', message: `still queued after 15 minutes: ${answer.message}` };
  }
}

/** Nothing of the step was applied. */
function revert<E>(context: StepContext, planned: SentStep<E>, state: StepState): void {
  const { step, effect, remember } = planned;
  const also = remember === undefined ? [] : [remember.notSent];
  context.journal.revert(nameOf(planned), state, step.creates(effect), also);
}
