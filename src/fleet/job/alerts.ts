import type { Pool } from 'pg';
import { formatAlertReason, nextOf, sharedAlertNote } from '../../app/run/alert.ts';
import { formatCommandLine, type Invocation } from '../../app/run/command-line.ts';
import type { FailureOutlook, FleetPorts } from '../../app/run/target.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatQuantity } from '../../report/figures.ts';
import { systemClock } from '../../workspace/index.ts';
import { sendFleetAlert } from '../alert.ts';
import { isLeaseLost } from '../lease/lease-end.ts';
import { isMachineFault } from '../machine-fault.ts';
import { decideJobVerdict, type JobResult } from '../queue/job.ts';
import { collectAlert, isReportedFailure, saveSentAlert, toReportedFailure } from '../queue/reported.ts';
import type { JobParameters } from './messages.ts';
import type { JobContext } from './orders.ts';

/** The failure of a job; the reason is as an alert says it. */
interface JobFailure extends Pick<JobResult, 'fault'> {
  readonly exitCode: number;
  readonly reason: string;
}

/** Returns the result of a job as far as an error of its machine or a lost lease explains it. */
export function faultOf(error: unknown): Pick<JobResult, 'fault'> {
  if (isMachineFault(error)) return { fault: 'machine' };
  return isLeaseLost(error) ? { fault: 'database' } : {};
}

/** Returns what a person has to do after an error that asks for another step in a fleet than on one machine. */
export function fleetStepOf(
  { workspace: { name, token }, kind, file }: Pick<JobParameters, 'workspace' | 'kind' | 'file'>,
  error: unknown,
  invocation: Invocation,
): string | undefined {
  if (!(error instanceof FatalError)) return undefined;
  if (error.reason === 'unauthorized')
    return 'env' in token
      ? `Set a token that ${name} accepts in ${token.env} on every machine, and restart the workers.`
      : `Put a token that ${name} accepts into ${token.file} on every machine.`;
  if (error.reason !== 'guard' || kind !== 'export') return undefined;
  const apply = formatCommandLine(['fleet', 'apply'], {}, invocation);
  return `Check the workspace; if that is what it contains, change expect in ${file}, then: ${apply}`;
}

/** Returns what the fleet does by itself after a failed attempt of a job, and whether that was reported already. */
export function foreseeFailure(
  { attempt, isLastTry, workspace, pipeline, earlier, notify }: ForeseenJob,
  { reason, ...end }: JobFailure,
  invocation: Invocation,
): FailureOutlook {
  const isTriedAgain = decideJobVerdict(end, isLastTry) !== 'person';
  const place = { workspace: workspace.name, notify };
  const failure = toReportedFailure(place, { exitCode: end.exitCode, reason }, !isTriedAgain);
  // What another machine continues is no failure of the job.
  const told = { failure, isReported: end.fault !== undefined || isReportedFailure(earlier, failure) };
  if (isTriedAgain) return { ...told, sentence: ' The fleet tries it again.' };
  const next = formatCommandLine(['fleet', 'retry', workspace.name, pipeline], {}, invocation);
  if (decideJobVerdict(end, false) === 'person') return { ...told, sentence: '', next };
  return { ...told, sentence: ` It was given up after ${formatQuantity(attempt, 'try', 'tries')}.`, next };
}

type ForeseenJob = Pick<
  JobParameters,
  'attempt' | 'isLastTry' | 'workspace' | 'pipeline' | 'earlier' | 'notify'
>;

/** Returns the ports through which the alert about a run learns of earlier alerts, and saves whether it was delivered. */
export function toAlertPorts({
  order,
  pool,
  invocation,
  send,
}: Pick<JobContext, 'order' | 'pool' | 'invocation' | 'send'>): Pick<
  FleetPorts,
  'alertName' | 'earlier' | 'outlook' | 'collect' | 'sent'
> {
  return {
    alertName: `${order.workspace.name}/${order.pipeline}`,
    earlier: order.earlier,
    outlook: (exitCode, error) => ({
      ...foreseeFailure(order, { exitCode, reason: formatAlertReason(error), ...faultOf(error) }, invocation),
      step: fleetStepOf(order, error, invocation),
    }),
    collect: (failure, text) => collect(pool, { order, send }, failure, text),
    sent: (delivered, failure) => saveSent(pool, { order, send }, delivered, failure),
  };
}

/** Sends the alert about a failure outside of a run, unless an alert about the same failure was delivered already. */
export async function alertOfFailure(
  { order, send }: Pick<JobContext, 'order' | 'send'>,
  { next, ...end }: JobFailure & { readonly next: string | null },
  invocation: Invocation,
  pool: Pool | undefined,
): Promise<void> {
  const { workspace, pipeline, kind, earlier } = order;
  const { failure, isReported, sentence, next: again } = foreseeFailure(order, end, invocation);
  if (isReported) return;
  const text = { message: `${end.reason}${sentence}`, next: nextOf(next ?? undefined, again) ?? null };
  const note = (what: string) => send({ kind: 'note', text: what });
  if (await collect(pool, { order, send }, failure, text)) return note(sharedAlertNote);
  const at = new Date(systemClock.now()).toISOString();
  const delivered = await sendFleetAlert({
    settings: order.notify,
    failure: {
      ...({ kind, outcome: 'failed', exitCode: end.exitCode, startedAt: at, finishedAt: at } as const),
      ...{ pipeline: `${workspace.name}/${pipeline}`, ...text },
    },
    ...{ earlier, invocation },
    log: note,
  });
  if (delivered !== undefined) await saveSent(pool, { order, send }, delivered, failure);
}

/**
 * Returns true if the alert about a failure waits for one alert about several jobs; false while the database does not
 * answer.
 */
async function collect(
  pool: Pool | undefined,
  { order, send }: Pick<JobContext, 'order' | 'send'>,
  ...[failure, text]: Parameters<FleetPorts['collect']>
): Promise<boolean> {
  const { notify, workspace, pipeline } = order;
  if (pool === undefined || notify?.on.includes('failure') !== true) return false;
  try {
    const of = { workspace: workspace.name, pipeline };
    return await collectAlert(pool, of, failure, text, systemClock.now());
  } catch (error) {
    send({
      kind: 'note',
      text: `the database did not take the alert, which is sent alone: ${textOf(error)}`,
    });
    return false;
  }
}

/** Saves whether an alert was delivered. If the database does not answer, the next attempt sends it once more. */
async function saveSent(
  pool: Pool | undefined,
  { order: { workspace, pipeline }, send }: Pick<JobContext, 'order' | 'send'>,
  ...[delivered, failure]: Parameters<FleetPorts['sent']>
): Promise<void> {
  if (pool === undefined) return;
  try {
    const of = { workspace: workspace.name, pipeline };
    await saveSentAlert(pool, of, delivered, failure, systemClock.now());
  } catch (error) {
    const what = delivered ? 'was sent' : 'was not sent';
    send({
      kind: 'note',
      text: `the database could not save that the alert ${what}, so the next try may send it again: ${textOf(error)}`,
    });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
