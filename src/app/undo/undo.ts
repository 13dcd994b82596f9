import {
  type CommitShipper,
  countRunRows,
  endRun,
  findRunByNumber,
  type IrreversibleStep,
  type JournalDatabase,
  listIrreversibleSteps,
  type NamedLock,
  openRunJournal,
  type RunRecord,
  type RunState,
  recordCreatedContact,
  setRunItemCount,
} from '../../journal/index.ts';
import type { FatalError } from '../../model/fatal-error.ts';
import type { Clock } from '../../model/ports.ts';
import { contactCreateStep } from '../../steps/create-contact.ts';
import { readCustomFields } from '../../steps/ensure-field.ts';
import { createFieldComparator } from '../../steps/field-rules.ts';
import type { CallWaitOptions, Workspace } from '../../workspace/index.ts';
import { forEachConcurrently } from '../run/at-once.ts';
import type { RunListener } from '../run/events.ts';
import { getFatalReasonExitCode } from '../run/exit-code.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import { withRunLock } from '../run/under-lock.ts';
import { runUntilDoneOrStopped } from '../run/until-stopped.ts';
import { continueOrBeginUndo, getRunToUndo, type UndoRequestBase } from './begin.ts';
import type { UndoContext } from './context.ts';
import { readUnrevertedItems } from './not-reverted.ts';
import { revertContacts } from './revert-contacts.ts';
import { revertWorkspaceTags } from './revert-tags.ts';
import { withWrittenValues } from './with-wrote.ts';
import type { WrittenValueStore } from './written-values.ts';

const pageSize = 500;

/**
 * Looks up the ids of contacts that the run created, where the journal lacks them: a user needs them to delete the
 * contacts.
 */
async function resolveCreatedIds(
  context: UndoContext,
  target: RunRecord,
  concurrency: number,
): Promise<void> {
  await forEachConcurrently(concurrency, unmet(context, target), async (step, withoutSlot) => {
    context.signal.throwIfAborted();
    await resolveId(context, target, step, { withoutSlot });
  });
}

function* unmet({ file }: UndoContext, target: RunRecord): Generator<IrreversibleStep> {
  for (
    let after: Pick<IrreversibleStep, 'seq' | 'name' | 'item'> = { seq: -1, name: '\uffff', item: '' };
    ;
  ) {
    const steps = listIrreversibleSteps(file, target, after, pageSize);
    const last = steps.at(-1);
    if (last === undefined) return;
    after = last;
    yield* steps.filter(
      ({ name, contact, state }) => name === contactCreateStep.name && contact === null && state === 'acked',
    );
  }
}

async function resolveId(
  { workspace, wrote, file }: UndoContext,
  target: RunRecord,
  step: IrreversibleStep,
  waits: CallWaitOptions,
): Promise<void> {
  for (const identifier of contactCreateStep.parse(step.intent).identifiers) {
    const answer = await workspace.contacts.read(identifier, { waits });
    if (answer.kind !== 'ok') return;
    // By now the undo may have given the identifier back to a contact that was there before.
    if (wrote.isSubject(answer.value.id)) continue;
    if (wrote.isOwn(answer.value)) recordCreatedContact(file, target.number, step.seq, answer.value.id);
    return;
  }
}

/** The settings of an undo, and the clients and callbacks that it works with. */
export interface UndoRequest extends UndoRequestBase {
  readonly workDir: string;
  readonly workspace: Workspace;
  readonly limits: {
    readonly settle: number;
    readonly attempts: number;
    readonly concurrency: number;
  };
  readonly clock: Clock;
  /** Copies the journal's commits elsewhere. */
  readonly shipping?: CommitShipper | undefined;
  readonly listen: RunListener;
  readonly stop: AbortController;
}

/**
 * Undoes a run, in a new run or by continuing its unfinished undo. Throws a FatalError if the undo cannot
 * begin; a later error is part of the returned end.
 */
export async function runUndo(request: UndoRequest): Promise<RunEnd> {
  return await withRunLock(request, `the import into ${request.place}`, async (file, lock) => {
    const target = getRunToUndo(file, request);
    return await withWrittenValues(file, request.workDir, target, async (wrote) => {
      const { run, continued } = continueOrBeginUndo(file, target, request, request.clock);
      const begun = setRunItemCount(file, run, wrote.count());
      return await runBegun(request, { file, lock, wrote, target, run: begun, continued });
    });
  });
}

interface Begun {
  readonly file: JournalDatabase;
  readonly lock: NamedLock;
  readonly wrote: WrittenValueStore;
  readonly target: RunRecord;
  readonly run: RunRecord;
  readonly continued: boolean;
}

async function runBegun(request: UndoRequest, begun: Begun): Promise<RunEnd> {
  const { clock, listen, workspace, stop, limits } = request;
  const { file, lock, run, continued } = begun;
  const journal = openRunJournal(file, run, clock, { shipping: request.shipping });
  const { notReached, read } = countRunRows(file, run);
  listen({
    kind: 'started',
    run: run.id,
    total: read,
    finished: read - notReached,
    continued,
    of: 'contact',
  });
  const stepLimits = { settleMs: limits.settle, attempts: limits.attempts };
  const shared = { workspace, journal, clock, signal: stop.signal, limits: stepLimits, listen };
  let active = 0;
  const error = await runUntilDoneOrStopped(
    {
      ...{ clock, stop, workspace, lock, journal, timeout: undefined },
      beat() {
        const counts = { active, waiting: 0 };
        listen({ kind: 'underWay', ...counts, concurrency: workspace.concurrencyFound() });
        return counts;
      },
      stopping: (reason) => listen({ kind: 'stopping', reason }),
    },
    async () => {
      const rules = createFieldComparator(await readCustomFields(workspace));
      const { undo } = run;
      if (undo === undefined) throw new Error(`run ${run.id} is no undo`);
      const context: UndoContext = { ...shared, ...begun, rules, asked: undo, idOf: idsIn(file) };
      const count = (n: number) => {
        active += n;
      };
      const halt = (reason: FatalError) => {
        if (!stop.signal.aborted) stop.abort(reason);
      };
      await revertContacts(context, { concurrency: limits.concurrency, count, halt });
      const rest = async () => {
        await revertWorkspaceTags(context, begun.target.number);
        await resolveCreatedIds(context, begun.target, limits.concurrency);
      };
      await rest().catch((thrown: unknown) => {
        // A stop closes the workspace: its reason is thrown, not the error of the closed client.
        stop.signal.throwIfAborted();
        throw thrown;
      });
    },
  );
  await journal.settled();
  return await end(request, begun, error);
}

function idsIn(file: JournalDatabase): (run: number) => string {
  return (run) => findRunByNumber(file, run)?.id ?? String(run);
}

/** Records the end of the undo; if no error stopped it, the exit code is 3 if anything was not reverted, else 0. */
async function end(
  { clock }: UndoRequest,
  { file, run }: Begun,
  error: FatalError | undefined,
): Promise<RunEnd> {
  const rows = countRunRows(file, run);
  const state = stateOf(error);
  const exitCode =
    error !== undefined
      ? getFatalReasonExitCode(error.reason, error.signal)
      : (await keepsAny(file, run))
        ? leftToPeople
        : 0;
  const endedAt = clock.now();
  const message = error?.message ?? null;
  endRun(file, run.number, { state, exitCode, message, endedAt });
  return { file, run: { ...run, items: rows.read, state, exitCode, message, endedAt }, exitCode, error };
}

const leftToPeople = 3;

function stateOf(error: FatalError | undefined): RunState {
  if (error === undefined) return 'finished';
  if (error.reason === 'interrupted') return 'interrupted';
  return error.reason === 'unexpected' ? 'failed' : 'stopped';
}

async function keepsAny(file: JournalDatabase, run: RunRecord): Promise<boolean> {
  for await (const page of readUnrevertedItems(file, run)) if (page.length > 0) return true;
  return false;
}
