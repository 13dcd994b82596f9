import { join } from 'node:path';
import { pino } from 'pino';
import { escapeControls } from '../../../model/escape-controls.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import type { Clock } from '../../../model/ports.ts';
import type { RunAccount } from '../../../report/account.ts';
import { fileNames } from '../../../report/file-names.ts';
import { rowStates } from '../../../report/words.ts';
import { makeOwnFolder } from '../../../storage/own-folder.ts';
import type { ExportEvent, RunEvent } from '../events.ts';
import { openRotatingFile, type RotatingFile, type Rotation } from './rotating-file.ts';

/** The log of a run: what happened when, without what stands in people's cells. */
export interface RunLog {
  listen(event: RunEvent | ExportEvent): void;
  /** Notes what stopped the run. */
  failed(error: unknown): void;
  /** Notes what the run came to. */
  ended(summary: EndedRun): void;
  /** Resolves when everything is in the file, or could not be written; later events are not logged. */
  close(): Promise<void>;
}

/** What is logged of a run's end: the rows of an import, or the counts and the folder of an export. */
interface EndedRun extends Pick<RunAccount, 'run' | 'outcome' | 'exitCode' | 'seconds'> {
  readonly rows?: RowCounts;
  readonly counts?: Readonly<Record<string, number>> | null;
  readonly folder?: string | null;
}

/** Where a log stands, and what must not stand in it. */
export interface LogOptions {
  readonly runsDir: string;
  readonly clock: Clock;
  readonly scrub: (text: string) => string;
  /** Told once where the file cannot be written. */
  readonly problem: (sentence: string) => void;
  readonly rotation?: Rotation;
}

/**
 * Adds to `<runsDir>/<run>/log.ndjson` (0600) once the run has begun, what was said before it included. Writing waits
 * for nobody and never stops a run. A large log goes on in a new file, with earlier pieces as `log.1.ndjson` and so on.
 */
export function startLog({ runsDir, clock, scrub, problem, rotation = usualRotation }: LogOptions): RunLog {
  let began = false;
  let file: RotatingFile | undefined;
  let early: string[] = [];
  const log = logger(clock, (line) => {
    // What a terminal would obey must not be in a file that people print on one.
    const clean = escapeControls(scrub(line));
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

/** Adds to the log of a run that has ended. */
export async function addToLog(
  run: string,
  { runsDir, clock, scrub, problem, rotation = usualRotation }: LogOptions,
  entry: { readonly event: string; readonly warning: boolean; readonly text: string },
): Promise<void> {
  const file = openLogFile(join(runsDir, run), rotation, problem);
  const log = logger(clock, (line) => file?.write(escapeControls(scrub(line))));
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

/** What a run that logs every row for a week would otherwise fill a disk with. */
const usualRotation: Rotation = { maxBytes: 64 * 1024 * 1024, keep: 3 };

function openLogFile(
  folder: string,
  rotation: Rotation,
  problem: (sentence: string) => void,
): RotatingFile | undefined {
  const path = join(folder, fileNames.log);
  const tell = (error: unknown) => problem(`The log ${path} cannot be written: ${messageOf(error)}`);
  try {
    makeOwnFolder(folder);
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

// Line and codes only: reasons and keys may quote what stands in a cell.
function logRow(log: Pick<ReturnType<typeof pino>, 'warn'>, event: RunEvent & { kind: 'row' }): void {
  const { line, outcome, problems } = event;
  const { tone } = rowStates[outcome];
  if (tone !== 'look' && tone !== 'bad') return;
  log.warn({ event: 'row', line, outcome, codes: problems.map(({ code }) => code) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
