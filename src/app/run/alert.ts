import { hostname } from 'node:os';
import { join } from 'node:path';
import { type AttemptRecord, openJournalDatabase, recordAttempt } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { RowCounts } from '../../model/outcome.ts';
import { type Alert, chooseAlertEvent, classifyCommandResult, sendAlert } from '../../notify/index.ts';
import type { NotifySettings } from '../../pipeline/index.ts';
import { formatQuantity } from '../../report/figures.ts';
import { createSecretScrubber } from '../../report/scrub.ts';
import { systemClock, systemRandomness } from '../../workspace/index.ts';
import type { CommandCallbacks } from './caller.ts';
import { formatErrorNextStep, type Invocation } from './command-line.ts';
import { appendToRunLog } from './report/log.ts';
import type { FailureStreak, FleetPorts, ReportedFailure } from './target.ts';
import { readEnvVariable } from './variables.ts';

/** The maximum number of characters of a reason: longer ones are lists of mistakes, which `check` prints in full. */
const longest = 1_000;

/** Returns the reason that a command stopped, with e-mails and phones masked; no details of an unexpected error. */
export function formatAlertReason(error: unknown): string {
  const isForeseen =
    error instanceof FatalError && (error.reason !== 'unexpected' || error.next !== undefined);
  if (!isForeseen) {
    // The message may quote cells of the input.
    return 'unexpected error; see the log of the command.';
  }
  const text = withoutPeople(error.message);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Masks e-mail addresses and phone numbers, which an error about an input may quote. */
function withoutPeople(text: string): string {
  return text
    .replace(/[^\s"'<>(),;:=]+@[^\s"'<>(),;:]+/g, '[e-mail]')
    .replace(/\+\d(?:[\s().-]{0,2}\d){6,14}/g, '[phone]');
}

const forPeople = ['rejected', 'failed', 'proposed', 'stale', 'uncertain'] as const;

/** Returns the message of the alert about a run that was completed. */
export function formatRunEndAlert(
  event: Alert['event'],
  streak: Pick<Alert, 'failures' | 'failingSince'>,
  {
    exitCode,
    rows,
    unreadable,
  }: Pick<EndedRunSummary, 'rows' | 'unreadable'> & { readonly exitCode: number },
): string {
  const ended = exitCode === 0 ? 'finished.' : `finished; ${whatIsLeft(rows, unreadable)}.`;
  if (event !== 'recovery') return ended;
  const attempts = streak.failures === 1 ? 'a failed attempt' : `${streak.failures} failed attempts`;
  return `works again after ${attempts} since ${streak.failingSince}: ${ended}`;
}

function whatIsLeft(rows: RowCounts | undefined, unreadable = 0): string {
  if (rows === undefined) {
    const whose = formatQuantity(unreadable, 'contact');
    return `${whose} could not be read completely: see the manifest; the next export reads them again`;
  }
  const left = forPeople.flatMap((outcome) => (rows[outcome] > 0 ? [`${rows[outcome]} ${outcome}`] : []));
  return `rows that need attention: ${left.join(', ')}`;
}

/** The result of a run, as its summary states it. */
export interface EndedRunSummary extends Pick<Alert, 'outcome' | 'startedAt' | 'finishedAt' | 'seconds'> {
  readonly run: string;
  /** Set for an import. */
  readonly rows?: RowCounts | undefined;
  /** Set for an export; null if the export was not completed. */
  readonly counts?: Readonly<Record<string, number>> | null;
  /** Set for an export: the number of contacts whose messages could not be read. */
  readonly unreadable?: number | undefined;
}

/** The end of a command, with the report of its run; `report` is undefined if no run began. */
interface Ended {
  readonly exitCode: number;
  readonly report: { readonly run: EndedRunSummary; readonly next: string | undefined } | undefined;
  readonly error: unknown;
}

/** A command that runs a loaded pipeline, and sends an alert when it ends. */
interface AlertedCommand extends Pick<Alert, 'pipeline' | 'kind' | 'rehearsal'> {
  /** The pipeline as the alert names it. */
  readonly name: string;
  readonly notify: NotifySettings;
  /** The token for requests to the workspace. */
  readonly token: string;
  readonly workDir: string;
  readonly invocation: Invocation;
  readonly fleet: Pick<FleetPorts, 'earlier' | 'outlook' | 'collect' | 'sent'> | undefined;
}

/**
 * Records the end of a command that was not interrupted, and sends an alert about it if the settings of the pipeline
 * ask for one; an error in doing so is only reported as a warning.
 */
export async function sendRunAlert(
  command: AlertedCommand,
  startedAt: number,
  ended: Ended,
  caller: CommandCallbacks,
): Promise<void> {
  try {
    await send(command, startedAt, ended, caller);
  } catch (error) {
    caller.warn(`no alert was sent: ${textOf(error)}`);
  }
}

async function send(
  { pipeline, name, kind, rehearsal, notify, token, workDir, invocation, fleet }: AlertedCommand,
  startedAt: number,
  ended: Ended,
  caller: CommandCallbacks,
): Promise<void> {
  const { exitCode, error, report } = ended;
  const run = report?.run;
  const end = { kind, exitCode, reason: error === undefined ? undefined : reasonOf(error) };
  const verdict = classifyCommandResult(end);
  if (verdict === 'interrupted') return;
  const endedAt = systemClock.now();
  const failed = verdict === 'failed';
  const attempts = remember(workDir, { pipeline, kind, rehearsal }, { exitCode, endedAt, failed }, caller);
  const outlook = failed ? fleet?.outlook(exitCode, error) : undefined;
  const { isReported = false, sentence = '' } = outlook ?? {};
  const over = failed ? undefined : fleet?.earlier.reported?.over;
  const before = withFleetFailures(attempts?.before, over ?? fleet?.earlier);
  const event = chooseAlertEvent({ ...end, isReported }, before, notify.on);
  if (event === undefined) return;
  const secret = readEnvVariable(notify.secretEnv, invocation);
  const scrub = createSecretScrubber([secret, notify.url, token]);
  const streak = streakOf(failed, before, attempts?.now.failures ?? 0, endedAt);
  const message =
    error === undefined
      ? formatRunEndAlert(event, streak, { exitCode, rows: run?.rows, unreadable: run?.unreadable })
      : `${formatAlertReason(error)}${sentence}`;
  const own = error instanceof FatalError ? formatErrorNextStep(error, invocation) : undefined;
  const next = nextOf(outlook?.step ?? (report === undefined ? own : report.next), outlook?.next);
  const alert: Alert = {
    event,
    pipeline: name,
    kind,
    ...runOf(run, error, startedAt, endedAt),
    exitCode,
    message: scrub(message),
    next: next === undefined ? null : scrub(next),
    ...streak,
    rehearsal,
    host: hostname(),
  };
  if (await isSharedAlert(fleet, outlook?.failure, alert)) return caller.note(sharedAlertNote);
  const { stop, release } = caller.stoppable();
  const delivery = await sendAlert({
    url: notify.url,
    secret: secret === '' ? undefined : secret,
    alert,
    clock: systemClock,
    randomness: systemRandomness,
    signal: stop.signal,
  }).finally(release);
  const { host } = new URL(notify.url);
  const text = delivery.delivered
    ? `Alert sent to ${host} (${event}).`
    : `the alert (${event}) did not reach ${host}: ${delivery.reason}`;
  if (delivery.delivered) caller.note(text);
  else caller.warn(text);
  await fleet?.sent(delivery.delivered, outlook?.failure);
  if (run === undefined) return;
  await appendToRunLog(
    run.run,
    { runsDir: join(workDir, 'runs'), clock: systemClock, scrub, problem: (text) => caller.warn(text) },
    { event: 'alert', warning: !delivery.delivered, text },
  );
}

/** Logged where no alert of its own is sent. */
export const sharedAlertNote =
  'The alert is sent together with those of other jobs that failed for the same reason.';

/** Returns true if an alert is sent together with those of other jobs of the fleet. */
async function isSharedAlert(
  fleet: AlertedCommand['fleet'],
  failure: ReportedFailure | undefined,
  alert: Alert,
): Promise<boolean> {
  const { isShared = false, waits } = fleet?.earlier.reported ?? {};
  if (alert.event === 'recovery') return isShared || waits !== undefined;
  if (fleet === undefined || failure === undefined || alert.event !== 'failure') return false;
  return await fleet.collect(failure, alert);
}

/** Returns the failures in a row, with this one if it failed. */
function streakOf(
  failed: boolean,
  before: Pick<AttemptRecord, 'failures' | 'failingSince'>,
  recorded: number,
  endedAt: number,
): Pick<Alert, 'failures' | 'failingSince'> {
  const failures = failed ? Math.max(recorded, before.failures + 1) : before.failures;
  const since = before.failingSince ?? (failed ? endedAt : null);
  return { failures, failingSince: since === null ? null : isoTime(since) };
}

/** Returns the next step of a failure; `again` runs the pipeline once more, where a person has to do that. */
export function nextOf(own: string | undefined, again: string | undefined): string | undefined {
  if (own === undefined || again === undefined || own.includes(' fleet ')) return own ?? again;
  return `${own}\nThen: ${again}`;
}

/** Returns the attempt before, with the failures that only the fleet knows of: a journal has none of what began no run. */
function withFleetFailures(
  before: Pick<AttemptRecord, 'exitCode' | 'failures' | 'failingSince'> | undefined,
  earlier: FailureStreak | undefined,
) {
  const own = before ?? { exitCode: 0, failures: 0, failingSince: null };
  if (earlier === undefined || earlier.failures <= own.failures) return own;
  const { failures, failingSince } = earlier;
  return { ...own, failures, failingSince: own.failingSince ?? failingSince };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

function reasonOf(error: unknown) {
  return error instanceof FatalError ? error.reason : 'unexpected';
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Records the end of the attempt. Returns undefined if the journal cannot be written, because the alert must be sent
 * even then.
 */
function remember(
  workDir: string,
  of: Parameters<typeof recordAttempt>[1],
  end: Parameters<typeof recordAttempt>[2],
  caller: CommandCallbacks,
): ReturnType<typeof recordAttempt> | undefined {
  try {
    const file = openJournalDatabase(workDir);
    try {
      return recordAttempt(file, of, end);
    } finally {
      file.close();
    }
  } catch (error) {
    caller.warn(`the result of this attempt could not be saved: ${textOf(error)}`);
    return undefined;
  }
}

function runOf(run: EndedRunSummary | undefined, error: unknown, startedAt: number, endedAt: number) {
  if (run === undefined) {
    return {
      run: null,
      outcome: reasonOf(error) === 'unexpected' ? 'failed' : 'stopped',
      startedAt: isoTime(startedAt),
      finishedAt: isoTime(endedAt),
      seconds: Math.round((endedAt - startedAt) / 1_000),
    } as const;
  }
  const { run: id, outcome, startedAt: begun, finishedAt, seconds, rows, counts } = run;
  return {
    ...{ run: id, outcome, startedAt: begun, finishedAt, seconds },
    ...(rows !== undefined && { rows }),
    ...(counts !== undefined && counts !== null && { counts }),
  };
}
