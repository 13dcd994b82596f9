import type { RunState } from '../../journal/index.ts';
import {
  contactsCounted,
  countRows,
  countWithProblem,
  endRun,
  type JournalFile,
  type Lock,
  openRunJournal,
  type RunRecord,
  rememberContacts,
  setLeftBehind,
} from '../../journal/index.ts';
import { compileMapping, fieldsToCreate, settleTags } from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { leftBehindTitle, titleOf } from '../../model/left-behind.ts';
import type { RowCounts } from '../../model/outcome.ts';
import { mostAtOnce } from '../../workspace/index.ts';
import { rejectingDamaged } from '../retry/corrected-rejects.ts';
import { exitCodeOf, exitCodeOfRows } from '../run/exit-code.ts';
import { type BudgetStop, leftBehind, withStop } from '../run/left-behind/left-behind.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import type { StepContext } from '../run/step.ts';
import { underLock } from '../run/under-lock.ts';
import { untilStopped } from '../run/until-stopped.ts';
import { dropPlan, openAgreedPlan } from './agreed-plan.ts';
import { type Begun, begin } from './begin.ts';
import { ErrorBudget, lastToSend, OverBudget, realStop, whenOverBudget } from './budget.ts';
import { closingPass, doubledCode } from './closing-pass.ts';
import { type ImportContext, importContext } from './context.ts';
import { ensureFields, ensureTags } from './ensure.ts';
import { dropCopy } from './live-input.ts';
import { lookupStrategy } from './lookup-strategy.ts';
import { RowPool } from './pool.ts';
import type { ImportRequest } from './request.ts';
import { StandstillNotices, standstillOf } from './row-waits.ts';
import { runRows } from './rows.ts';
import { removeIndex } from './scan.ts';

/** The most rows that may wait for the workspace at once; each holds a row and its draft in memory. */
const mostWaiting = 5_000;

/**
 * Imports a pipeline: continues its unfinished run or starts a new one. Throws a FatalError if no run could start;
 * after that, what stops the run is part of the returned end.
 */
export async function runImport(request: ImportRequest): Promise<RunEnd> {
  return await underLock(request, `the import into ${request.place}`, async (file, lock) => {
    return await runBegun(request, file, lock, await begin(request, file));
  });
}

async function runBegun(
  request: ImportRequest,
  file: JournalFile,
  lock: Lock,
  begun: Begun,
): Promise<RunEnd> {
  const { clock, listen, workspace, stop } = request;
  const { run, continued } = begun;
  const { notReached, read, created } = countRows(file, run);
  listen({ kind: 'started', run: run.id, total: read, finished: read - notReached, continued });
  const { limits } = request.pipeline.import;
  const pool = new RowPool({ active: activeRows(mostAtOnce(limits.concurrency)), waiting: mostWaiting });
  const maxConcurrentIntents = () => pool.counts.active;
  const journal = openRunJournal(file, run, clock, {
    maxConcurrentIntents,
    shipping: request.shipping,
  });
  const waiting = { clock: request.waits ?? clock, signal: stop.signal, limits: stepLimits(request) };
  const standstill = new StandstillNotices(listen);
  const plan = run.plan === undefined ? undefined : openAgreedPlan(request.workDir, run, request.command);
  const limit = Math.min(request.limit, plan?.limit ?? Number.POSITIVE_INFINITY);
  const context = { ...request, ...waiting, plan, journal, pool };
  const error = await untilStopped(
    {
      ...{ clock, stop, workspace, lock, journal },
      timeout: request.pipeline.import.timeout,
      beat() {
        listen({ kind: 'underWay', ...pool.counts, concurrency: workspace.concurrencyFound() });
        const waitsFor = standstill.look(standstillOf(pool.waits), waiting.clock.now());
        return { ...pool.counts, ...(waitsFor && { waitsFor }) };
      },
      stopping: (reason) => listen({ kind: 'stopping', reason }),
    },
    () => rowsOf({ ...request, limit }, file, begun, context),
  );
  plan?.close();
  const ended = await ending(request, file, begun, error, journal).finally(() => begun.index.close());
  // A finished run is never continued, so what only a continued run needs is removed.
  if (ended.run.state === 'finished') {
    removeIndex(request.workDir, run);
    dropCopy(request);
  }
  // A plan of the first rows ends with them; the rest of the run is not bound to it.
  const isPlanDone = ended.run.state === 'finished' || (error === undefined && limit === plan?.limit);
  if (plan !== undefined && isPlanDone) dropPlan(file, request.workDir, ended.run);
  noteContacts(file, run, created);
  return ended;
}

/** Slightly more rows than requests, because some rows wait for the journal; many more would only fill memory. */
function activeRows(concurrency: number): number {
  return Math.floor(concurrency * 1.25);
}

async function rowsOf(
  request: ImportRequest,
  file: JournalFile,
  begun: Begun,
  shared: StepContext & Pick<ImportContext, 'plan' | 'pool' | 'listen'>,
): Promise<void> {
  const { pipeline, stop, limit } = request;
  const { mapping, policy } = pipeline.import;
  const { facts, index, run } = begun;
  recordLosses(request, begun);
  const end = lastToSend(request, file, begun);
  const needed = index.fieldsBefore(end);
  const missing = fieldsToCreate(mapping, facts.customFields).filter(({ name }) => needed.has(name));
  const fields = await ensureFields(shared, file, missing, facts.customFields);
  const { tags } = mapping.mapping;
  if (tags !== undefined) await ensureTags(shared, file, index.tagNames(end), tags);
  reportDuplicates(request, begun);
  const snapshot = await lookupStrategy(request, file, begun);
  const context = importContext(request, { ...shared, ...begun, fields, snapshot });
  const halt = (reason: FatalError) => {
    if (!stop.signal.aborted) stop.abort(reason);
  };
  try {
    await runRows(context, file, {
      source: begun.source,
      map: rejectingDamaged(compileMapping(mapping, { ...facts, customFields: fields })),
      index,
      takesAll: run.selection.kind === 'all',
      gather: {
        index,
        duplicates: policy.duplicates,
        identify: mapping.mapping.identify,
        keep: context.keep,
        settleTags: settleTags(mapping),
      },
      budget: new ErrorBudget(policy.maxErrors),
      limit,
      overBudget: whenOverBudget(request, halt),
      stop: halt,
    });
  } finally {
    snapshot?.close();
  }
  // Without a list every person was looked up; an earlier session of the run may have used one.
  const hadList = snapshot !== undefined || (begun.continued && run.selection.kind === 'all');
  if (policy.workspace !== 'exclusive' || !hadList || stop.signal.aborted) return;
  shared.journal.flush();
  if (countRows(file, run).notReached > 0) return;
  const { maxPeoplePerPhone } = policy;
  const settleMs = pipeline.import.limits.settle;
  await closingPass({ ...request, journal: shared.journal, maxPeoplePerPhone, settleMs }, file, run);
}

/** Adds the contacts that this session created to the workspace's last contact count. */
function noteContacts(file: JournalFile, run: RunRecord, createdBefore: number): void {
  const counted = contactsCounted(file, run.workspace);
  if (counted === undefined) return;
  rememberContacts(file, run.workspace, counted + countRows(file, run).created - createdBefore);
}

function reportDuplicates({ listen, pipeline }: ImportRequest, { index, continued }: Begun): void {
  if (continued) return;
  const { groups, folded, weakPhones } = index.counts();
  const { duplicates, maxPeoplePerPhone } = pipeline.import.policy;
  if (groups > 0) {
    const people = groups === 1 ? 'one person' : `${groups} people`;
    const text = `${folded + groups} rows of the input describe ${people} (duplicates: ${duplicates}).`;
    listen({ kind: 'note', text });
  }
  if (weakPhones > 0) {
    const numbers = weakPhones === 1 ? 'One phone number is' : `${weakPhones} phone numbers are`;
    const text = `${numbers} shared by more than ${maxPeoplePerPhone} people of the input: kept as a value, not used for matching.`;
    listen({ kind: 'note', text });
  }
}

const mostTold = 8;

/** Reports what the import will lose, before anything is sent. */
function recordLosses({ listen, command, pipeline }: ImportRequest, { run, continued }: Begun): void {
  const items = continued ? [] : leftBehind(run.leftBehind ?? []);
  if (items.length === 0) return;
  const note = (text: string) => listen({ kind: 'note', text });
  note(`${leftBehindTitle}, as far as the input shows it (details: ${command(['check', pipeline.file])}):`);
  for (const item of items.slice(0, mostTold)) note(`  ${titleOf(item)}`);
  if (items.length > mostTold) note(`  and ${items.length - mostTold} more`);
}

async function ending(
  request: ImportRequest,
  file: JournalFile,
  begun: Begun,
  stoppedBy: FatalError | undefined,
  journal: Pick<StepContext['journal'], 'settled'>,
): Promise<RunEnd> {
  // If the journal cannot be written, the end of the run cannot be recorded either: that error is thrown.
  await journal.settled();
  const { truncated, unended } = begun;
  const rows = countRows(file, begun.run);
  const state = runState(stoppedBy, rows);
  const over = realStop(request, file, begun);
  const run = withRealStop(file, begun, {
    rows,
    state,
    stop: stoppedBy instanceof OverBudget ? stoppedBy.stop : over,
  });
  const atBreak = truncated !== undefined && state === 'finished' ? brokenOff(request, truncated) : undefined;
  const error = stoppedBy ?? atBreak;
  // A person must check whether the rows are complete.
  const toCheck = state === 'finished' ? unended : undefined;
  const doubled = countWithProblem(file, run.number, doubledCode);
  const exitCode =
    error === undefined
      ? exitCodeOfRows(rows, run.matched, doubled + (toCheck === undefined ? 0 : 1))
      : exitCodeOf(error.reason, error.signal);
  const endedAt = request.clock.now();
  const wouldStop = over && `The real import would stop at row ${over.row}: ${over.message}`;
  const message = error?.message ?? wouldStop ?? toCheck ?? null;
  endRun(file, run.number, { state, exitCode, message, endedAt });
  return { file, run: { ...run, state, exitCode, message, endedAt }, exitCode, error };
}

/**
 * Replaces the stop that the input predicted by the real one: the workspace causes rejected rows, too. A prediction is
 * dropped once rows beyond it are processed.
 */
function withRealStop(
  file: JournalFile,
  { run, continued }: Begun,
  {
    rows,
    state,
    stop,
  }: { readonly rows: RowCounts; readonly state: RunState; readonly stop: BudgetStop | undefined },
): RunRecord {
  const isStillToCome = stop === undefined && state !== 'finished' && !continued;
  if (run.leftBehind === null || isStillToCome) return run;
  const left = rows.notReached > 0 ? rows.notReached : undefined;
  return setLeftBehind(file, run, withStop(run.leftBehind, stop, run.items, left));
}

/** Every row before the break has its outcome: nothing is left to continue, but the input must be exported again. */
function brokenOff({ pipeline, command }: ImportRequest, truncated: string): FatalError {
  const { file } = pipeline;
  return new FatalError('input', `${truncated} Every row before that was processed.`, {
    next: `Export the input again, then: ${command(['import', file])}\nOnly what is new or has changed is sent.`,
  });
}

function stepLimits({ pipeline }: ImportRequest): { settleMs: number; attempts: number } {
  return { settleMs: pipeline.import.limits.settle, attempts: pipeline.import.limits.attempts };
}

/** Returns the state that a run ends in; the next import of the pipeline continues every state except `finished`. */
export function runState(error: FatalError | undefined, rows: RowCounts): RunState {
  if (error === undefined) return rows.notReached === 0 ? 'finished' : 'stopped';
  if (error.reason === 'interrupted') return 'interrupted';
  return error.reason === 'unexpected' ? 'failed' : 'stopped';
}
