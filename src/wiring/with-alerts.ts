import { hostname } from 'node:os';
import { join } from 'node:path';
import { type AttemptRecord, noteAttempt, openJournalFile } from '../journal/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import type { RowCounts } from '../model/outcome.ts';
import { type Alert, occasionOf, sendAlert, verdictOf } from '../notify/index.ts';
import { counted } from '../report/figures.ts';
import { addToLog, scrubber } from '../report/index.ts';
import { exitCodeOfError } from '../runs/exit-code.ts';
import type { NotifySettings } from '../runs/pipeline/index.ts';
import { systemClock, systemRandomness } from '../workspace/index.ts';
import type { Caller, CommandEnd } from './caller.ts';
import { assertAllowed, variable } from './variables.ts';

/** Longer ones are lists of mistakes, which `check` prints whole. */
const longest = 1_000;

/** What stopped a command, in words that may leave the house: what an input says of people stays in it. */
export function stoppedBy(error: unknown): string {
  if (!(error instanceof FatalError) || error.reason === 'unexpected') {
    // Its text comes from anywhere, and may quote anything.
    return 'unexpected error; see the log of the command.';
  }
  const text = withoutPeople(error.message);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** E-mail addresses and phone numbers, as an error about an input may quote them. */
function withoutPeople(text: string): string {
  return text
    .replace(/[^\s"'<>(),;:=]+@[^\s"'<>(),;:]+/g, '[e-mail]')
    .replace(/\+\d(?:[\s().-]{0,2}\d){6,14}/g, '[phone]');
}

const forPeople = ['rejected', 'failed', 'proposed', 'stale', 'uncertain'] as const;

/** What a run came to that nothing stopped. */
export function endedWith(
  event: Alert['event'],
  streak: { readonly failures: number; readonly failingSince: string | null },
  end: {
    readonly exitCode: number;
    readonly rows: RowCounts | undefined;
    readonly unreadable: number | undefined;
  },
): string {
  const ended = end.exitCode === 0 ? 'finished.' : `finished; ${whatIsLeft(end)}.`;
  if (event !== 'recovery') return ended;
  const attempts = streak.failures === 1 ? 'a failed attempt' : `${streak.failures} failed attempts`;
  return `works again after ${attempts} since ${streak.failingSince}: ${ended}`;
}

function whatIsLeft({ rows, unreadable = 0 }: Parameters<typeof endedWith>[2]): string {
  if (rows === undefined) {
    const whose = counted(unreadable, 'contact');
    return `${whose} could not be read completely: see the manifest; the next export reads them again`;
  }
  const left = forPeople
    .filter((outcome) => rows[outcome] > 0)
    .map((outcome) => `${rows[outcome]} ${outcome}`);
  return `rows that need attention: ${left.join(', ')}`;
}

/** A command over a loaded pipeline that may have somebody to tell. */
export interface AlertedCommand {
  /** Its name. */
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  readonly notify: NotifySettings | undefined;
  /** The token that the workspace is asked with. */
  readonly token: string;
  /** `sandbox` or a base URL, where the command line or the journal named it. */
  readonly workspace: string | undefined;
  readonly workDir: string;
}

/** How it ended: with a run, or before one began. */
export type Ending<End extends CommandEnd> =
  | End
  | { readonly exitCode: number; readonly run: undefined; readonly error: unknown };

/**
 * Works and tells whoever the pipeline names what it came to; no alert changes what it came to. Where somebody is told, an
 * error is handed to the caller first and not thrown on: the telling may take a minute.
 */
export async function withAlerts<End extends CommandEnd>(
  command: AlertedCommand,
  caller: Caller,
  work: () => Promise<End>,
): Promise<Ending<End>> {
  const { notify } = command;
  if (notify === undefined) return await work();
  assertAllowed(notify.secretEnv);
  const startedAt = systemClock.now();
  let ending: Ending<End>;
  try {
    ending = await work();
  } catch (error) {
    caller.failed(error);
    ending = { exitCode: exitCodeOfError(error), run: undefined, error };
  }
  try {
    await tell({ ...command, notify }, startedAt, ending, caller);
  } catch (error) {
    caller.warn(`no alert was sent: ${error instanceof Error ? error.message : String(error)}`);
  }
  return ending;
}

type Telling = AlertedCommand & { readonly notify: NotifySettings };

async function tell(
  command: Telling,
  startedAt: number,
  ending: Ending<CommandEnd>,
  caller: Caller,
): Promise<void> {
  const { pipeline, kind, notify, workDir } = command;
  const { exitCode, error } = ending;
  const end = { kind, exitCode, reason: error === undefined ? undefined : reasonOf(error) };
  const verdict = verdictOf(end);
  if (verdict === 'interrupted') return;
  const endedAt = systemClock.now();
  const rehearsal = command.workspace === 'sandbox';
  const attempts = remember(
    workDir,
    { pipeline, kind, rehearsal },
    { exitCode, endedAt, failed: verdict === 'failed' },
    caller,
  );
  const event = occasionOf(end, attempts?.before, notify.on);
  if (event === undefined) return;
  const secret = variable(notify.secretEnv);
  const scrub = scrubber([secret, notify.url, command.token]);
  const streak = streakOf(verdict === 'failed' ? attempts?.now : attempts?.before);
  const message =
    error === undefined
      ? endedWith(event, streak, { exitCode, rows: ending.run?.rows, unreadable: ending.run?.unreadable })
      : stoppedBy(error);
  const alert: Alert = {
    event,
    pipeline,
    kind,
    ...runOf(ending, startedAt, endedAt),
    exitCode,
    message: scrub(message),
    next: nextOf(ending, scrub),
    ...streak,
    rehearsal,
    host: hostname(),
  };
  const delivery = await caller.stoppable((stop) =>
    sendAlert({
      url: notify.url,
      secret: secret === '' ? undefined : secret,
      alert,
      clock: systemClock,
      randomness: systemRandomness,
      signal: stop.signal,
    }),
  );
  const { host } = new URL(notify.url);
  const text = delivery.delivered
    ? `Alert sent to ${host} (${event}).`
    : `the alert (${event}) did not reach ${host}: ${delivery.reason}`;
  if (delivery.delivered) caller.note(text);
  else caller.warn(text);
  if (ending.run === undefined) return;
  await addToLog(
    ending.run.run,
    { runsDir: join(workDir, 'runs'), clock: systemClock, scrub, problem: (text) => caller.warn(text) },
    { event: 'alert', warning: !delivery.delivered, text },
  );
}

function reasonOf(error: unknown) {
  return error instanceof FatalError ? error.reason : 'unexpected';
}

/** Notes how the attempt ended; undefined where the journal cannot be written, which must not keep an alert back. */
function remember(
  workDir: string,
  of: Parameters<typeof noteAttempt>[1],
  end: Parameters<typeof noteAttempt>[2],
  caller: Caller,
): ReturnType<typeof noteAttempt> | undefined {
  try {
    const file = openJournalFile(workDir);
    try {
      return noteAttempt(file, of, end);
    } finally {
      file.close();
    }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    caller.warn(`the result of this attempt could not be saved: ${detail}`);
    return undefined;
  }
}

function streakOf(attempt: AttemptRecord | undefined): Pick<Alert, 'failures' | 'failingSince'> {
  const since = attempt?.failingSince ?? null;
  return {
    failures: attempt?.failures ?? 0,
    failingSince: since === null ? null : new Date(since).toISOString(),
  };
}

function runOf({ run, error }: Ending<CommandEnd>, startedAt: number, endedAt: number) {
  if (run === undefined) {
    return {
      run: null,
      outcome: reasonOf(error) === 'unexpected' ? 'failed' : 'stopped',
      startedAt: new Date(startedAt).toISOString(),
      finishedAt: new Date(endedAt).toISOString(),
      seconds: Math.round((endedAt - startedAt) / 1_000),
    } as const;
  }
  const { run: id, outcome, startedAt: begun, finishedAt, seconds, rows, counts } = run;
  return {
    run: id,
    outcome,
    startedAt: begun,
    finishedAt,
    seconds,
    ...(rows !== undefined && { rows }),
    ...(counts !== undefined && counts !== null && { counts }),
  };
}

function nextOf(ending: Ending<CommandEnd>, scrub: (text: string) => string): string | null {
  const { error } = ending;
  const next = ending.run !== undefined ? ending.next : error instanceof FatalError ? error.next : undefined;
  return next === undefined ? null : scrub(next);
}
