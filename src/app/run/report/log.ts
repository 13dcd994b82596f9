import { join } from 'node:path';
import { pino } from 'pino';
import { escapeControlCharacters } from '../../../model/escape-controls.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import type { Clock } from '../../../model/ports.ts';
import type { RunSummaryBase } from '../../../report/account.ts';
import { runFileNames } from '../../../report/file-names.ts';
import { rowStateLabels } from '../../../report/words.ts';
import { makeOwnerOnlyFolder } from '../../../storage/own-folder.ts';
import type { ExportEvent, RunEvent } from '../events.ts';
import { openRotatingFile, type RotatingFile, type RotationLimits } from './rotating-file.ts';

/**
 * The log of a run: its events with their times, without those that only report progress. Only rows that need attention
 * are logged, without their keys and reasons, which may quote cells.
 */
export interface RunLog {
  listen(event: RunEvent | ExportEvent): void;
  /** Logs the error that stopped the run. */
  failed(error: unknown): void;
  /** Logs the result of the run. */
  ended(summary: EndedRun): void;
  /** Resolves when everything is in the file, or could not be written; later events are not logged. */
  close(): Promise<void>;
}

/** The logged end of a run: the rows of an import, or the counts and the folder of an export. */
interface EndedRun extends Pick<RunSummaryBase, 'run' | 'outcome' | 'exitCode' | 'seconds'> {
  readonly rows?: RowCounts;
  readonly counts?: Readonly<Record<string, number>> | null;
  readonly folder?: string | null;
}

/** The folder and clock of a log; `scrub` removes secrets from each line. */
export interface RunLogOptions {
  readonly runsDir: string;
  readonly clock: Clock;
  readonly scrub: (text: string) => string;
  /** Called at most once, if the log file cannot be written. */
  readonly problem: (sentence: string) => void;
  readonly rotation?: RotationLimits;
}

/**
 * Starts the log `<runsDir>/<run>/log.ndjson` (0600). The file is opened when an event names the run; lines logged
 * before are kept in memory until then. Writing is asynchronous, and its errors never stop a run. A large log continues
 * in a new file, with earlier chunks as `log.1.ndjson` and so on.
 */
export function startRunLog({
  runsDir,
  clock,
  scrub,
  problem,
  rotation = usualRotation,
}: RunLogOptions): RunLog {
  let began = false;
  let file: RotatingFile | undefined;
  let early: string[] = [];
  const log = logger(clock, (line) => {
    // Terminal control sequences must not be in a file that may be printed on a terminal.
    const clean = escapeControlCharacters(scrub(line));
    if (began) file?.write(clean);
    else early.push(clean);
  });
  const begin = (run: string) => {
    if (began) return;
    began = true;
    file = openLogFile(join(runsDir, run), rotation, problem);
    for (const line of early) file?.write(line);
    early = [];
  };
  return {
    listen(event) {
      if (event.kind === 'started' || event.kind === 'begun') begin(event.run);
      logEvent(log, event);
    },
    failed: (error) => log.error({ event: 'failed' }, messageOf(error)),
    ended: ({ run, outcome, exitCode, seconds, rows, counts, folder }) =>
      log.info({ event: 'ended', run, outcome, exitCode, seconds, rows, counts, folder }),
    close: async () => file?.close(),
  };
}

/** Appends an entry to the log of a run that has ended. */
export async function appendToRunLog(
  run: string,
  { runsDir, clock, scrub, problem, rotation = usualRotation }: RunLogOptions,
  entry: { readonly event: string; readonly warning: boolean; readonly text: string },
): Promise<void> {
  const file = openLogFile(join(runsDir, run), rotation, problem);
  const log = logger(clock, (line) => file?.write(escapeControlCharacters(scrub(line))));
  log[entry.warning ? 'warn' : 'info']({ event: entry.event }, entry.text);
  await file?.close();
}

function logger(clock: Clock, write: (line: string) => void) {
  return pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
}

/** The default limits: without them, the log of a run that takes a week could fill a disk. */
const usualRotation: RotationLimits = { maxBytes: 64 * 1024 * 1024, keep: 3 };

function openLogFile(
  folder: string,
  rotation: RotationLimits,
  problem: (sentence: string) => void,
): RotatingFile | undefined {
  const path = join(folder, runFileNames.log);
  const tell = (error: unknown) => problem(`The log ${path} cannot be written: ${messageOf(error)}`);
  try {
    makeOwnerOnlyFolder(folder);
    return openRotatingFile(path, rotation, tell);
  } catch (error) {
    tell(error);
    return undefined;
  }
}

function logEvent(log: Pick<ReturnType<typeof pino>, 'info' | 'warn'>, event: RunEvent | ExportEvent): void {
  const { kind, ...more } = event;
  switch (event.kind) {
    case 'row':
      logRow(log, event);
      break;
    case 'underWay':
    case 'fetched':
      break;
    case 'note':
      log.info({ event: kind }, event.text);
      break;
    case 'waiting':
    case 'paused':
      log.warn({ event: kind, until: new Date(event.until).toISOString() }, event.reason);
      break;
    case 'stopping':
      log.warn({ event: kind }, event.reason);
      break;
    default:
      log.info({ event: kind, ...more });
  }
}

// Logs only the line, outcome and codes of a row that needs attention: reasons and keys may quote cells.
function logRow(log: Pick<ReturnType<typeof pino>, 'warn'>, event: RunEvent & { kind: 'row' }): void {
  const { line, outcome, problems } = event;
  const { tone } = rowStateLabels[outcome];
  if (tone !== 'look' && tone !== 'bad') return;
  log.warn({ event: 'row', line, outcome, codes: problems.map(({ code }) => code) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
