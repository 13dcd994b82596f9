import type { RunJournal, StepName, StepState, WaitName } from '../../journal/index.ts';
import type { Answer } from '../../model/answer.ts';
import type { Contact } from '../../model/contact.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import type { WorkspacePort } from '../../steps/port.ts';
import type { Effected, Settled, Step } from '../../steps/step.ts';
import {
  askUntil,
  type CallWaits,
  lengthOf,
  newContactBackoff,
  pauseAfter,
  queuedBackoff,
} from '../../workspace/index.ts';

/** What a row waits for without its slot in the pool, and until when (ms) at the latest. */
export interface RowWait {
  readonly for: 'sentCreate' | 'newContact' | 'sentChange';
  readonly until: number;
}

/** Waits without the slot in the pool that the row has; `why` is shown where all rows wait. */
export type WithoutSlot = <T>(wait: () => Promise<T>, why?: RowWait) => Promise<T>;

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
 * settled by reading; only what is surely absent is sent again (promise 2). About a contact that was created at `newSince`
 * (ms), 404 is a wait until it must show.
 */
export async function performStep<E>(
  context: StepContext,
  planned: PlannedStep<E>,
  newSince?: number,
): Promise<StepEnd> {
  let end: StepEnd | undefined;
  if (context.plan?.takes(nameOf(planned), planned.effect) === false) return unplanned;
  for (let attempt = 1; attempt <= context.limits.attempts; attempt += 1) {
    const answer = await send(context, planned, newSince);
    if (answer.kind !== 'unknown') return ended(context, planned, answer);
    context.journal.mayArriveLate(planned.step.mayArriveLate(planned.effect));
    // Counted from now: between its intent and its leaving lie all waits for the workspace, of 429 or an outage.
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
 * Returns what became of a step that may have been sent, at `leftBy` at the latest, which is in an earlier session unless
 * said otherwise; undefined where it surely did not take effect.
 */
export async function settleStep<E>(
  context: StepContext,
  planned: SentStep<E>,
  leftBy: number = context.journal.leftBy(nameOf(planned)),
): Promise<StepEnd | undefined> {
  const { step, effect } = planned;
  const { limits } = context;
  const until = leftBy + (step.eventuallyVisible ? limits.settleMs : 0);
  let message: string | undefined;
  const waitsFor = step.creates(effect).length > 0 ? 'sentCreate' : 'sentChange';
  const end = await planned.withoutSlot(
    () =>
      askUntil(
        context,
        async (): Promise<StepEnd | undefined> => {
          const settled = await readable(context, planned);
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
        },
        (found) => (found === undefined ? { ...newContactBackoff(limits.settleMs), until } : undefined),
      ),
    { for: waitsFor, until },
  );
  if (end?.kind === 'done') acked(context, planned);
  if (end?.kind === 'uncertain') context.journal.mark(nameOf(planned), 'uncertain');
  if (end === undefined && message !== undefined) {
    // Not known to be absent, so it must not be sent again: the step stays `sent`, and a retry asks once more.
    return { kind: 'failed', message: `whether it took effect could not be read: ${message}` };
  }
  return end;
}

/** Asks until there is an answer, as long as a queued request is asked: a read that fails says nothing of what stands there. */
async function readable<E>(
  context: StepContext,
  { step, effect, ...planned }: SentStep<E>,
): Promise<Settled> {
  const { clock, journal, workspace } = context;
  const wait: WaitName = { ...nameOf({ step, effect, ...planned }), kind: 'unread' };
  const since = (now: number) => journal.waits.since(wait, now);
  const reads = withWaits(workspace, { queuedSince: since });
  const settled = await askUntil(
    context,
    () => step.settle(reads, effect),
    ({ kind }) =>
      kind === 'unknown' ? { ...queuedBackoff, until: since(clock.now()) + queuedBackoff.total } : undefined,
  );
  journal.waits.over(wait);
  return settled;
}

/** The workspace, every call of which waits like this while it is not ready. */
function withWaits(workspace: StepContext['workspace'], waits: CallWaits): WorkspacePort {
  return workspace.through(
    (live) => (endpoint, request, options) => live(endpoint, request, { ...options, waits }),
  );
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
  const ms = pauseAfter(attempt - 1, newContactBackoff(limits.settleMs));
  await planned.withoutSlot(() => clock.sleep(ms, signal));
}

/**
 * Sends, once the intent is durable. While the workspace is not ready nothing of the step is sent: it counts as planned, gives
 * its slot back, and is intended again before it leaves.
 */
async function send<E>(
  context: StepContext,
  planned: PlannedStep<E>,
  newSince: number | undefined,
): Promise<Answer<Effected>> {
  const { clock, journal, limits } = context;
  const { step, effect } = planned;
  const wait: WaitName = { ...nameOf(planned), kind: 'queued' };
  const showsBy = newSince === undefined ? undefined : newSince + limits.settleMs;
  let queuedSince = Number.NaN;
  let sentAt = await intend(context, planned);
  const workspace = withWaits(context.workspace, {
    queuedSince(now) {
      queuedSince = journal.waits.since(wait, now);
      return queuedSince;
    },
    showsBy,
    async withoutSlot(pausing, why) {
      revert(context, planned, 'planned');
      const until = why === 'notYet' ? showsBy : undefined;
      await planned.withoutSlot(pausing, until === undefined ? undefined : { for: 'newContact', until });
      sentAt = await intend(context, planned);
    },
  });
  try {
    const answer = await step.send(workspace, effect);
    journal.waits.over(wait);
    if (answer.kind === 'queued') {
      const waited = lengthOf(clock.now() - queuedSince);
      return { kind: 'queued', message: `still queued after ${waited}: ${answer.message}` };
    }
    // A create that had to wait before it left shows as much later: the look-up of its person must know.
    if (answer.kind === 'ok' && clock.now() - sentAt > lateMs) journal.mayArriveLate(step.creates(effect));
    return answer;
  } catch (error) {
    // Where the client stops on purpose it guarantees that nothing of it left for good: the next start need not wait for
    // it to show, nor doubt it. After any other error it may have left, so the step stays in flight.
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
      return { kind: 'failed', message: answer.message };
  }
}

/** Nothing of the step was applied. */
function revert<E>(context: StepContext, planned: SentStep<E>, state: StepState): void {
  const { step, effect, remember } = planned;
  const also = remember === undefined ? [] : [remember.notSent];
  context.journal.revert(nameOf(planned), state, step.creates(effect), also);
}
