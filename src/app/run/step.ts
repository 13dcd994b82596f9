import type { RunJournal, StepKey, StepState, WaitKey } from '../../journal/index.ts';
import type { WorkspaceAnswer } from '../../model/answer.ts';
import type { Contact } from '../../model/contact.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import type { WorkspacePort } from '../../steps/port.ts';
import type { EffectResult, SettleResult, Step } from '../../steps/step.ts';
import {
  backoffForQueuedRequest,
  type CallWaitOptions,
  createBackoffForNewContact,
  formatWaitLength,
  getNextPauseMs,
  pollUntil,
} from '../../workspace/index.ts';

/**
 * The event that a row waits for without its slot in the pool, and the latest end of the wait (ms since
 * 1970).
 */
export interface RowWait {
  readonly for: 'sentCreate' | 'newContact' | 'sentChange';
  readonly until: number;
}

/** Runs a wait without the row's slot in the pool; `why` is the reason to show if all rows wait. */
export type WaitWithoutRowSlot = <T>(wait: () => Promise<T>, why?: RowWait) => Promise<T>;

/** The parts of the run that a step needs. */
export interface StepContext {
  readonly workspace: WorkspacePort;
  readonly journal: RunJournal;
  readonly clock: Clock;
  /** Aborted when the run must stop: no new request is sent then. */
  readonly signal: AbortSignal;
  readonly limits: { readonly settleMs: number; readonly attempts: number };
  /** The plan that the run must follow exactly, where there is one. */
  readonly plan?: { takes(name: StepKey, effect: unknown): boolean } | undefined;
}

/** The result of a step. */
export type StepResult =
  | { readonly kind: 'done'; readonly contactId: number | null; readonly contact: Contact | null }
  /** Certainly not applied; the message is the workspace's own. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** The contact of the step does not exist. */
  | { readonly kind: 'absent'; readonly message: string }
  /** Another client created the contact first. */
  | { readonly kind: 'other'; readonly contact: Contact }
  /** Sent and perhaps applied; reading cannot settle it. */
  | { readonly kind: 'uncertain' }
  /** Not sent: the import runs a plan that has no such step. */
  | { readonly kind: 'unplanned'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

const unplanned: StepResult = {
  kind: 'unplanned',
  message:
    'this change is not in the plan: something has changed since the plan was made, and it was not sent',
};

/**
 * If the answer to a create takes longer than this (ms), the create counts as sent when it was answered, so its contact
 * may become visible later. Far below the processing time of a new contact.
 */
const lateMs = 1_000;

/** The `seq` of steps of the run itself, below those of all rows. */
export const runLevelSeq = -1;

/** A step with its effect, and the row that it belongs to; a step of the run itself has `runLevelSeq`. */
export interface RowStep<E> {
  readonly seq: number;
  /** Tells steps of the same name apart within a row; empty if the row has only one. */
  readonly item?: string;
  readonly step: Step<E>;
  readonly effect: E;
  readonly withoutSlot: WaitWithoutRowSlot;
  /**
   * Updates what the journal remembers beyond the run, together with the step's intent (`sent`), its
   * acknowledgement (`acked`), or the record that it was not applied (`notSent`).
   */
  readonly remember?: { readonly [K in 'sent' | 'acked' | 'notSent']: () => void };
}

/** A step of a row that is to be sent, with what an undo of it will need. */
export interface PlannedStep<E> extends RowStep<E> {
  /** The values that an undo needs (`Step.before`). */
  readonly before: unknown;
  /**
   * For a step of an undo: the change to what the journal remembers of the contact, stored with the intent.
   */
  readonly memory?: unknown;
}

/**
 * Performs a step so that it takes effect once: its intent is durable before the request is sent, and a lost answer is
 * settled by reading; a step is sent again only if it certainly had no effect. For a contact created at `newSince` (ms
 * since 1970), a 404 is retried until the contact must be visible.
 */
export async function performStep<E>(
  context: StepContext,
  planned: PlannedStep<E>,
  newSince?: number,
): Promise<StepResult> {
  let end: StepResult | undefined;
  if (context.plan?.takes(nameOf(planned), planned.effect) === false) return unplanned;
  for (let attempt = 1; attempt <= context.limits.attempts; attempt += 1) {
    const answer = await send(context, planned, newSince);
    if (answer.kind !== 'unknown') return ended(context, planned, answer);
    context.journal.mayArriveLate(planned.step.mayArriveLate(planned.effect));
    // The request may have been sent only just now, as it may have waited for the workspace after its intent was
    // written (429, outage).
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
 * Settles a step that may have been sent: reads the workspace to find whether the step took effect, and records it in
 * the journal; returns undefined if it certainly did not. `leftBy` is the latest time at which the step may have been
 * sent (ms since 1970), by default the time that the journal has for it.
 */
export async function settleStep<E>(
  context: StepContext,
  planned: RowStep<E>,
  leftBy: number = context.journal.leftBy(nameOf(planned)),
): Promise<StepResult | undefined> {
  const { step, effect } = planned;
  const { limits } = context;
  const until = leftBy + (step.eventuallyVisible ? limits.settleMs : 0);
  let message: string | undefined;
  const waitsFor = step.creates(effect).length > 0 ? 'sentCreate' : 'sentChange';
  const end = await planned.withoutSlot(
    () =>
      pollUntil(
        context,
        async (): Promise<StepResult | undefined> => {
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
        (found) =>
          found === undefined ? { ...createBackoffForNewContact(limits.settleMs), until } : undefined,
      ),
    { for: waitsFor, until },
  );
  if (end?.kind === 'done') acked(context, planned);
  if (end?.kind === 'uncertain') context.journal.mark(nameOf(planned), 'uncertain');
  if (end === undefined && message !== undefined) {
    // It may have taken effect, so it must not be sent again: the step stays `sent`, and a retry reads once more.
    return { kind: 'failed', message: `whether it took effect could not be read: ${message}` };
  }
  return end;
}

/**
 * Repeats the read that settles a step until it is answered, at most as long as a queued request is repeated: a failed
 * read says nothing about the contact.
 */
async function readable<E>(
  context: StepContext,
  { step, effect, ...planned }: RowStep<E>,
): Promise<SettleResult> {
  const { clock, journal, workspace } = context;
  const wait: WaitKey = { ...nameOf({ step, effect, ...planned }), kind: 'unread' };
  const since = (now: number) => journal.waits.since(wait, now);
  const settled = await pollUntil(
    context,
    () => step.settle(workspace, effect, { waits: { queuedSince: since } }),
    ({ kind }) =>
      kind === 'unknown'
        ? { ...backoffForQueuedRequest, until: since(clock.now()) + backoffForQueuedRequest.total }
        : undefined,
  );
  journal.waits.over(wait);
  return settled;
}

/** Writes the intent. Resolves with its `sentAt` (ms) once it is durable. */
function intend<E>(context: StepContext, planned: PlannedStep<E>): Promise<number> {
  const { step, effect, before, memory, remember } = planned;
  const sentAt = context.clock.now();
  return context.journal
    .intend(
      { ...nameOf(planned), state: 'sent', intent: effect, before: before ?? null, sentAt, memory },
      step.creates(effect),
      remember === undefined ? [] : [remember.sent],
    )
    .then(() => sentAt);
}

function nameOf<E>({ seq, step, item = '' }: RowStep<E>): StepKey {
  return { seq, name: step.name, item };
}

function acked<E>(context: StepContext, planned: RowStep<E>, created?: boolean | undefined): void {
  const also = planned.remember === undefined ? [] : [planned.remember.acked];
  context.journal.mark(nameOf(planned), 'acked', also, created);
}

/**
 * Waits before a request is sent again. An eventually visible step does not wait here, because settling it has already
 * waited.
 */
async function pause<E>(
  { clock, signal, limits }: StepContext,
  planned: RowStep<E>,
  attempt: number,
): Promise<void> {
  if (planned.step.eventuallyVisible) return;
  const ms = getNextPauseMs(attempt - 1, createBackoffForNewContact(limits.settleMs));
  await planned.withoutSlot(() => clock.sleep(ms, signal));
}

/**
 * The times of a step's request (ms since 1970): when it was sent, and since when the workspace has queued it (NaN if
 * it has not).
 */
interface SentTimes {
  sentAt: number;
  queuedSince: number;
}

/**
 * Sends the request once the intent is durable. If the workspace is not ready for it, the step counts as planned and
 * releases its slot while it waits; a new intent is recorded before the request is sent again.
 */
function send<E>(
  context: StepContext,
  planned: PlannedStep<E>,
  newSince: number | undefined,
): Promise<WorkspaceAnswer<EffectResult>> {
  return intend(context, planned).then((sentAt) => {
    const times: SentTimes = { sentAt, queuedSince: Number.NaN };
    const waits = waitsOf(context, planned, newSince, times);
    return planned.step.send(context.workspace, planned.effect, { waits }).then(
      (answer) => answered(context, planned, times, answer),
      (error: unknown) => {
        // If the client stops on purpose (FatalError), nothing was sent: the next start need not read whether the step
        // took effect. After any other error it may have been sent, so the step stays in flight.
        if (error instanceof FatalError) revert(context, planned, 'planned');
        throw error;
      },
    );
  });
}

function waitsOf<E>(
  context: StepContext,
  planned: PlannedStep<E>,
  newSince: number | undefined,
  times: SentTimes,
): CallWaitOptions {
  const showsBy = newSince === undefined ? undefined : newSince + context.limits.settleMs;
  return {
    queuedSince(now) {
      times.queuedSince = context.journal.waits.since(queuedWaitOf(planned), now);
      return times.queuedSince;
    },
    showsBy,
    async withoutSlot(pausing, why) {
      revert(context, planned, 'planned');
      const until = why === 'notYet' ? showsBy : undefined;
      await planned.withoutSlot(pausing, until === undefined ? undefined : { for: 'newContact', until });
      times.sentAt = await intend(context, planned);
    },
  };
}

function queuedWaitOf<E>(planned: PlannedStep<E>): WaitKey {
  return { ...nameOf(planned), kind: 'queued' };
}

function answered<E>(
  { clock, journal }: StepContext,
  planned: PlannedStep<E>,
  { sentAt, queuedSince }: SentTimes,
  answer: WorkspaceAnswer<EffectResult>,
): WorkspaceAnswer<EffectResult> {
  const { step, effect } = planned;
  journal.waits.over(queuedWaitOf(planned));
  if (answer.kind === 'queued') {
    const waited = formatWaitLength(clock.now() - queuedSince);
    return { kind: 'queued', message: `still queued after ${waited}: ${answer.message}` };
  }
  // If the answer to a create came late, its contact may become visible late, too: the create counts as sent now.
  if (answer.kind === 'ok' && clock.now() - sentAt > lateMs) journal.mayArriveLate(step.creates(effect));
  return answer;
}

function ended<E>(
  context: StepContext,
  planned: RowStep<E>,
  answer: Exclude<WorkspaceAnswer<EffectResult>, { kind: 'unknown' }>,
): StepResult {
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

/** Records the new state of a step of which nothing was applied. */
function revert<E>(context: StepContext, planned: RowStep<E>, state: StepState): void {
  const { step, effect, remember } = planned;
  const also = remember === undefined ? [] : [remember.notSent];
  context.journal.revert(nameOf(planned), state, step.creates(effect), also);
}
