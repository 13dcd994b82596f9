import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Clock } from '../model/ports.ts';
import type { Listener, RunEvent } from '../runs/events.ts';
import type { ExportEvent, ExportListener } from '../runs/export/events.ts';
import type { ExportSummary } from './export-summary.ts';
import { rowStates } from './outcome-words.ts';
import { fileNames, type Summary } from './summary.ts';

/** The log of a run: what happened when, without what stands in people's cells. */
export interface RunLog {
  readonly listen: Listener;
  /** The same for an export. */
  readonly listenToExport: ExportListener;
  /** Notes what stopped the run. */
  failed(error: unknown): void;
  /** Notes what the run came to. */
  ended(summary: EndedRun): void;
  /** Resolves when everything is in the file, or could not be written; later events are not logged. */
  close(): Promise<void>;
}

type Ended = Pick<Summary, 'run' | 'outcome' | 'exitCode' | 'seconds'>;
type EndedRun = Ended & Partial<Pick<Summary, 'rows'> & Pick<ExportSummary, 'counts' | 'folder'>>;

/**
 * Adds to `<runsDir>/<run>/log.ndjson` (0600) once the run has begun, what was said before it included. Writing waits
 * for nobody and never stops a run; where the file cannot be written, `trouble` is told once.
 */
export function startLog(options: {
  readonly runsDir: string;
  readonly clock: Clock;
  readonly scrub: (text: string) => string;
  readonly trouble: (sentence: string) => void;
}): RunLog {
  const { runsDir, clock, scrub, trouble } = options;
  let file: LogFile | undefined;
  let early: string[] = [];
  const log = pino(
    {
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    {
      write(line: string) {
        const clean = scrub(line);
        if (file === undefined) early.push(clean);
        else file.write(clean);
      },
    },
  );
  const begin = (run: string) => {
    if (file !== undefined) return;
    file = openLogFile(join(runsDir, run), trouble);
    for (const line of early) file.write(line);
    early = [];
  };
  return {
    listen(event) {
      if (event.kind === 'started') begin(event.run);
      logEvent(log, event);
    },
    listenToExport(event) {
      if (event.kind === 'begun') begin(event.run);
      logExportEvent(log, event);
    },
    failed: (error) => log.error({ event: 'failed' }, messageOf(error)),
    ended: ({ run, outcome, exitCode, seconds, rows, counts, folder }) =>
      log.info({ event: 'ended', run, outcome, exitCode, seconds, rows, counts, folder }),
    close: async () => file?.close(),
  };
}

interface LogFile {
  write(line: string): void;
  close(): Promise<void>;
}

function openLogFile(folder: string, trouble: (sentence: string) => void): LogFile {
  const path = join(folder, fileNames.log);
  let over = false;
  const giveUp = (error: unknown) => {
    if (!over) trouble(`The log ${path} could not be written: ${messageOf(error)}`);
    over = true;
  };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    giveUp(error);
    return { write: () => undefined, close: () => Promise.resolve() };
  }
  const out = pino.destination({ dest: path, append: true, sync: false, mode: 0o600 });
  out.on('error', giveUp);
  return {
    write(line) {
      if (!over) out.write(line);
    },
    close: () =>
      new Promise((resolve) => {
        if (over) return resolve();
        over = true;
        out.once('close', resolve);
        out.once('error', resolve);
        out.end();
      }),
  };
}

function logEvent(log: Pick<ReturnType<typeof pino>, 'info' | 'warn'>, event: RunEvent): void {
  switch (event.kind) {
    case 'row':
      logRow(log, event);
      break;
    case 'underWay':
      break;
    case 'note':
      log.info({ event: 'note' }, event.text);
      break;
    case 'inspecting':
      log.info({ event: 'inspecting', name: event.name });
      break;
    case 'started': {
      const { run, total, finished, continued } = event;
      log.info({ event: 'started', run, total, finished, continued });
      break;
    }
    case 'paused':
      log.warn({ event: 'paused' }, event.reason);
      break;
    case 'resumed':
      log.info({ event: 'resumed', afterSeconds: event.afterSeconds });
      break;
    case 'stopping':
      log.warn({ event: 'stopping' }, event.reason);
      break;
  }
}

function logExportEvent(log: Pick<ReturnType<typeof pino>, 'info' | 'warn'>, event: ExportEvent): void {
  switch (event.kind) {
    case 'fetched':
      break;
    case 'begun':
    case 'writing':
    case 'published': {
      const { kind, ...more } = event;
      log.info({ event: kind, ...more });
      break;
    }
    default:
      logEvent(log, event);
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
