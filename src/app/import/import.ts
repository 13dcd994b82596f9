import type { RunState } from '../../journal/index.ts';
import {
  countFinishedItems,
  countRowsWithProblem,
  countRunRows,
  endRun,
  markReachedKeys,
  type NamedLock,
  openRunJournal,
  type RunJournal,
  type RunRecord,
  readContactCount,
  setRunLeftBehindCounts,
  storeContactCount,
} from '../../journal/index.ts';
import { compileMapping, compileTagFinalizer, listFieldsToCreate } from '../../mapping/index.ts';
import { hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatLeftBehindTitle, leftBehindTitle } from '../../model/left-behind.ts';
import type { RowCounts } from '../../model/outcome.ts';
import { toMaxConcurrency } from '../../workspace/index.ts';
import { withDamageCheck } from '../retry/corrected-rejects.ts';
import { formatHint } from '../run/command-line.ts';
import { getCompletedRunExitCode, getFatalReasonExitCode } from '../run/exit-code.ts';
import {
  addUnreachedRowLosses,
  type ErrorBudgetStop,
  summariseLosses,
} from '../run/left-behind/left-behind.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import { withRunLock } from '../run/under-lock.ts';
import { runUntilDoneOrStopped } from '../run/until-stopped.ts';
import { openBoundPlan, unbindRunFromPlan } from './agreed-plan.ts';
import {
  createOverBudgetListener,
  ErrorBudget,
  findFirstUnreachableRowNumber,
  findSandboxBudgetStop,
  OverBudgetError,
} from './budget.ts';
import { doubledContactCode, recheckCreatedContacts } from './closing-pass.ts';
import { createImportContext, type ImportSessionContext } from './context.ts';
import { ensureCustomFields, ensureTags } from './ensure.ts';
import { removeInputCopy } from './live-input.ts';
import { prepareLookupSnapshot } from './lookup-strategy.ts';
import { RowPool } from './pool.ts';
import { prepareImport } from './prepare.ts';
import type { ImportRequest, PreparedImport } from './request.ts';
import { findLongestWait, StandstillReporter } from './row-waits.ts';
import { importRows } from './rows.ts';
import { removeIndexOfRun } from './scan.ts';

/** The most rows that may wait for the workspace at once: the cells and the draft of each stay in memory. */
const mostWaiting = 5_000;
/**
 * The most rows that are active ahead of the requests, beyond a quarter of their number. Where at most one request is
 * allowed, the rows go one by one.
 */
const mostAhead = 32;

/**
 * Imports a pipeline: continues its unfinished run or starts a new one. Throws a FatalError if no run could start; an
 * error that stops the run later is part of the returned end.
 */
export async function runImport(request: ImportRequest): Promise<RunEnd> {
  return await withRunLock(request, `the import into ${request.place}`, async (file, lock) => {
    return await runPrepared(await prepareImport(request, file), lock);
  });
}

async function runPrepared(prepared: PreparedImport, lock: NamedLock): Promise<RunEnd> {
  const { request, file, run, continued, index } = prepared;
  const { clock, waits = clock, listen, workspace, stop, workDir, shipping } = request;
  const { notReached, read, created } = countRunRows(file, run);
  listen({ kind: 'started', run: run.id, total: read, finished: read - notReached, continued });
  const { limits, timeout } = request.pipeline.import;
  const most = toMaxConcurrency(limits.concurrency);
  const pool = new RowPool({
    // A journal that is copied to a database may keep rows waiting as long as the workspace does. No rows go ahead there:
    // if the machine is lost, another one cannot know about any row whose intent was copied whether its request left.
    active: () =>
      shipping === undefined
        ? countActiveRows(workspace.concurrencyLimit()) + Math.min(mostAhead, most - 1)
        : countActiveRows(most),
    waiting: mostWaiting,
  });
  const maxConcurrentIntents = () => pool.counts.active;
  const journal = openRunJournal(file, run, clock, { maxConcurrentIntents, shipping });
  const standstill = new StandstillReporter(listen);
  const plan = run.plan === undefined ? undefined : openBoundPlan(workDir, run, request.command);
  const limit = Math.min(request.limit, plan?.limit ?? Number.POSITIVE_INFINITY);
  const session: ImportSessionContext = {
    ...{ workspace, listen, clock: waits, journal, pool, plan },
    signal: stop.signal,
    limits: { settleMs: limits.settle, attempts: limits.attempts },
  };
  const error = await runUntilDoneOrStopped(
    {
      ...{ clock, stop, workspace, lock, journal, timeout },
      beat() {
        listen({ kind: 'underWay', ...pool.counts, concurrency: workspace.concurrencyFound() });
        const waitsFor = standstill.look(findLongestWait(pool.waits), waits.now());
        return { ...pool.counts, ...(waitsFor && { waitsFor }) };
      },
      stopping: (reason) => listen({ kind: 'stopping', reason }),
    },
    () => runAllRows({ ...prepared, request: { ...request, limit } }, session),
  );
  plan?.close();
  const ended = await endImport(prepared, error, { journal, limit }).finally(() => index.close());
  // A finished run is never continued, so what only a continued run needs is removed.
  if (ended.run.state === 'finished') {
    removeIndexOfRun(workDir, run);
    removeInputCopy(request);
  }
  // A plan for only the first rows is done after them; the rest of the run is not bound to it.
  const isPlanDone = ended.run.state === 'finished' || (error === undefined && limit === plan?.limit);
  if (plan !== undefined && isPlanDone) unbindRunFromPlan(file, workDir, ended.run);
  noteContacts(prepared, created);
  return ended;
}

/**
 * Returns how many rows may be active: more than the concurrent requests that are allowed at present, because some rows
 * wait for the journal, and not many more, because each keeps its cells, its draft and its promises in memory.
 */
function countActiveRows(concurrency: number): number {
  return Math.floor(concurrency * 1.25);
}

async function runAllRows(prepared: PreparedImport, session: ImportSessionContext): Promise<void> {
  const { request, file, facts, index, run, source } = prepared;
  const { pipeline, stop, limit } = request;
  const { mapping, policy } = pipeline.import;
  recordLosses(prepared);
  const end = findFirstUnreachableRowNumber(prepared);
  const needed = index.fieldsBefore(end);
  const missing = listFieldsToCreate(mapping, facts.customFields).filter(({ name }) => needed.has(name));
  const fields = await ensureCustomFields(session, file, missing, facts.customFields);
  const { tags } = mapping.mapping;
  if (tags !== undefined) await ensureTags(session, file, index.tagNames(end), tags);
  reportDuplicates(prepared);
  const snapshot = await prepareLookupSnapshot(prepared);
  const context = createImportContext(prepared, session, { fields, snapshot });
  const halt = (reason: FatalError) => {
    if (!stop.signal.aborted) stop.abort(reason);
  };
  try {
    await importRows(context, file, {
      source,
      map: withDamageCheck(compileMapping(mapping, { ...facts, customFields: fields })),
      index,
      takesAll: run.selection.kind === 'all',
      gather: {
        index,
        duplicates: policy.duplicates,
        identify: mapping.mapping.identify,
        keep: context.keep,
        settleTags: compileTagFinalizer(mapping),
      },
      budget: new ErrorBudget(policy.maxErrors),
      limit,
      overBudget: createOverBudgetListener(request, halt),
      stop: halt,
    });
  } finally {
    snapshot?.close();
  }
  if (stop.signal.aborted) return;
  session.journal.flush();
  const isWhole = countRunRows(file, run).notReached === 0;
  if (isWhole && run.selection.kind === 'all') await markReachedKeys(file, run, stop.signal);
  // A continued run may have used a snapshot in an earlier session. If no session used one, every person was looked up
  // by single reads, and the list need not be checked for duplicates.
  const hadList = snapshot !== undefined || (prepared.continued && run.selection.kind === 'all');
  if (policy.workspace !== 'exclusive' || !hadList || !isWhole) return;
  const { journal } = session;
  const { maxPeoplePerPhone } = policy;
  const settleMs = pipeline.import.limits.settle;
  await recheckCreatedContacts({ ...request, journal, maxPeoplePerPhone, settleMs }, file, run);
}

/** Adds the contacts that this session created to the workspace's last contact count. */
function noteContacts({ file, run }: PreparedImport, createdBefore: number): void {
  const counted = readContactCount(file, run.workspace);
  if (counted === undefined) return;
  storeContactCount(file, run.workspace, counted + countRunRows(file, run).created - createdBefore);
}

function reportDuplicates({ request: { listen, pipeline }, index, continued }: PreparedImport): void {
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

/** Reports what a new run will leave behind, before anything is sent; a continued run has reported it already. */
function recordLosses({
  request: { listen, command, invocation, pipeline },
  run,
  continued,
}: PreparedImport): void {
  const items = continued ? [] : summariseLosses(run.leftBehind ?? []);
  if (items.length === 0) return;
  const note = (text: string) => listen({ kind: 'note', text });
  const details = formatHint(command('check', pipeline.file), invocation);
  note(`${leftBehindTitle}, as far as the input shows it (details: ${details}):`);
  for (const item of items.slice(0, mostTold)) note(`  ${formatLeftBehindTitle(item)}`);
  if (items.length > mostTold) note(`  and ${items.length - mostTold} more`);
}

async function endImport(
  prepared: PreparedImport,
  stoppedBy: FatalError | undefined,
  { journal, limit }: { readonly journal: Pick<RunJournal, 'settled'>; readonly limit: number },
): Promise<RunEnd> {
  const { request, file, truncated, unended } = prepared;
  // If the journal cannot be written, the end of the run cannot be recorded either: that error is thrown.
  await journal.settled();
  const rows = countRunRows(file, prepared.run);
  const state = toRunEndState(stoppedBy, rows);
  const over = findSandboxBudgetStop(prepared);
  const run = withRealStop(prepared, {
    rows,
    state,
    stop: stoppedBy instanceof OverBudgetError ? stoppedBy.stop : over,
  });
  const atBreak = truncated !== undefined && state === 'finished' ? brokenOff(request, truncated) : undefined;
  const error = stoppedBy ?? atBreak;
  // An input with a defective end was accepted: the user must check whether its rows are complete.
  const toCheck = state === 'finished' ? unended : undefined;
  const doubled = countRowsWithProblem(file, run.number, doubledContactCode);
  const exitCode =
    error === undefined
      ? getCompletedRunExitCode(rows, run.matched, doubled + (toCheck === undefined ? 0 : 1))
      : getFatalReasonExitCode(error.reason, error.signal);
  const endedAt = request.clock.now();
  const wouldStop = over && `The real import would stop at row ${over.row}: ${over.message}`;
  const waiting =
    state === 'stopped' && error === undefined ? describeWaitingRows(prepared, limit) : undefined;
  const message = error?.message ?? wouldStop ?? toCheck ?? waiting ?? null;
  endRun(file, run.number, { state, exitCode, message, endedAt });
  return { file, run: { ...run, state, exitCode, message, endedAt }, exitCode, error };
}

/** Returns a sentence about the rows before the limit that wait for rows after it; undefined if there are none. */
function describeWaitingRows({ file, run }: PreparedImport, limit: number): string | undefined {
  if (run.selection.kind !== 'all') return undefined;
  const first = Math.min(limit, run.items);
  const n = first - countFinishedItems(file, run.number, first);
  if (n === 0) return undefined;
  return n === 1
    ? `1 of the first ${first} rows waits for a later row of the same person, and is imported with it.`
    : `${n} of the first ${first} rows wait for later rows of the same people, and are imported with them.`;
}

/**
 * Replaces the predicted stop at the error budget in the run's losses by the real one, or removes it. The prediction
 * stays only if the run's first session ends unfinished without a stop at the budget.
 */
function withRealStop(
  { file, run, continued }: PreparedImport,
  {
    rows,
    state,
    stop,
  }: { readonly rows: RowCounts; readonly state: RunState; readonly stop: ErrorBudgetStop | undefined },
): RunRecord {
  const isStillToCome = stop === undefined && state !== 'finished' && !continued;
  if (run.leftBehind === null || isStillToCome) return run;
  const left = rows.notReached > 0 ? rows.notReached : undefined;
  return setRunLeftBehindCounts(file, run, addUnreachedRowLosses(run.leftBehind, stop, run.items, left));
}

/**
 * Returns the error for an input that breaks off: every row before the break has its outcome, and the input must be
 * exported again.
 */
function brokenOff({ pipeline, command }: ImportRequest, truncated: string): FatalError {
  const { file } = pipeline;
  return new FatalError('input', `${truncated} Every row before that was processed.`, {
    next: hint`Export the input again, then: ${command('import', file)}\nOnly what is new or has changed is sent.`,
  });
}

/** Returns the state that a run ends in; the next import of the pipeline continues every state except `finished`. */
export function toRunEndState(error: FatalError | undefined, rows: RowCounts): RunState {
  if (error === undefined) return rows.notReached === 0 ? 'finished' : 'stopped';
  if (error.reason === 'interrupted') return 'interrupted';
  return error.reason === 'unexpected' ? 'failed' : 'stopped';
}
