import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { withJournal } from '../../../app/run/find-run.ts';
import { prepareWorkDir } from '../../../app/run/work-dir.ts';
import { hasJournal, listRuns, listSessions } from '../../../journal/index.ts';
import type { Clock } from '../../../model/ports.ts';
import { makeOwnerOnlyFolder } from '../../../storage/own-folder.ts';
import {
  buildCommandArguments,
  type CommandLineContext,
  formatStudioCommandLine,
  type StudioCommand,
} from '../../wire/command.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import { HttpError } from '../http-error.ts';
import {
  type ProcessRecord,
  readProcessRecord,
  readProcessRecords,
  readProcessStartTime,
  writeProcessRecord,
} from './record.ts';

/** The settings for starting processes. */
export interface StudioProcessesOptions {
  /** The path of the compiled CLI script, which Node runs. */
  readonly main: string;
  /** The project folder. */
  readonly cwd: string;
  readonly workDir: string;
  readonly typing: CommandLineContext;
  readonly clock: Clock;
  warn(text: string): void;
}

/** The processes of commands that this studio or an earlier one has started; their state is in files. */
export class StudioProcesses {
  readonly #at: StudioProcessesOptions;
  readonly #folder: string;
  /** The processes of this studio, the only ones whose exit code it receives. */
  readonly #children = new Set<string>();
  readonly #starts = new Set<Promise<StudioProcess>>();
  /** The ends of processes that are being saved. */
  readonly #ends = new Set<Promise<void>>();

  constructor(at: StudioProcessesOptions) {
    this.#at = at;
    this.#folder = join(at.workDir, 'studio', 'processes');
  }

  /**
   * Starts a command in its own process group, with its output in files, so that it outlives the studio. `env` is added
   * to its environment; `ended` is called with its exit code if the studio still runs then.
   */
  async start(
    command: StudioCommand,
    env: Readonly<Record<string, string>>,
    ended: (exitCode: number | null) => void = () => {},
  ): Promise<StudioProcess> {
    const { main, cwd, workDir, typing, clock, warn } = this.#at;
    prepareWorkDir(workDir, warn);
    const startedAt = new Date(clock.now()).toISOString();
    const id = `${startedAt.slice(0, 23).replaceAll(/[^\dT]/g, '')}-${command.command}-${randomBytes(3).toString('hex')}`;
    const folder = join(this.#folder, id);
    makeOwnerOnlyFolder(folder);
    const fresh: ProcessRecord = {
      ...{ id, command, typed: formatStudioCommandLine(command, typing), startedAt },
      ...{ pid: null, birth: null, endedAt: null, exitCode: null, signal: null },
    };
    // The record is written before the start, so that a crash leaves a trace.
    await writeProcessRecord(folder, fresh);
    const [stdout, stderr] = [own(join(folder, 'stdout')), own(join(folder, 'stderr'))];
    const child = spawn(process.execPath, [main, ...buildCommandArguments(command, typing), '--json'], {
      ...{ cwd, detached: true, windowsHide: true },
      stdio: ['ignore', stdout, stderr],
      env: { ...process.env, NO_COLOR: '1', ...env },
    });
    for (const descriptor of [stdout, stderr]) closeSync(descriptor);
    child.unref();
    this.#children.add(id);
    const exit = new Promise<Pick<ProcessRecord, 'exitCode' | 'signal'>>((resolve) =>
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
    );
    await once(child, 'spawn');
    const { pid = null } = child;
    const begun = { ...fresh, pid, birth: pid === null ? null : (readProcessStartTime(pid) ?? null) };
    await writeProcessRecord(folder, begun);
    void exit
      .then(async (how) => {
        ended(how.exitCode);
        const endedAt = new Date(clock.now()).toISOString();
        const end = writeProcessRecord(folder, { ...begun, ...how, endedAt });
        this.#ends.add(end);
        await end.finally(() => this.#ends.delete(end));
      })
      .catch((error: unknown) => warn(`the end of ${id} could not be noted: ${String(error)}`))
      .finally(() => this.#children.delete(id));
    return this.#shown(begun, () => null);
  }

  /** Counts a process as being started until `start` is settled; `untilStarted` waits for it. */
  async noteStart(start: Promise<StudioProcess>): Promise<StudioProcess> {
    this.#starts.add(start);
    try {
      return await start;
    } finally {
      this.#starts.delete(start);
    }
  }

  /** Waits for the processes that are being started. */
  async untilStarted(): Promise<void> {
    await Promise.allSettled(this.#starts);
  }

  /** Waits until the exit codes of the processes that have ended are saved. */
  async untilEndsAreSaved(): Promise<void> {
    await Promise.allSettled(this.#ends);
  }

  /** Returns the 50 newest processes, newest first. */
  list(): readonly StudioProcess[] {
    const run = runsOf(this.#at.workDir);
    return readProcessRecords(this.#folder).map((record) => this.#shown(record, run));
  }

  /** Returns a process by its id; throws an HttpError (404) for an unknown one. */
  find(id: string): StudioProcess {
    return this.#shown(this.#record(id), runsOf(this.#at.workDir));
  }

  /**
   * Returns what a process has written to stdout or stderr, from a byte offset on; empty if the file is
   * missing.
   */
  output(id: string, which: 'stdout' | 'stderr', from = 0): Buffer {
    try {
      return readFileSync(join(this.#folder, id, which)).subarray(from);
    } catch {
      // The commands forget and prune remove output.
      return Buffer.alloc(0);
    }
  }

  /** Asks a process to end, as Ctrl-C does: it awaits requests in flight and checkpoints. */
  stop(id: string): StudioProcess {
    const record = this.#record(id);
    if (record.pid !== null && isThere(record)) process.kill(record.pid, 'SIGTERM');
    return this.find(id);
  }

  #record(id: string): ProcessRecord {
    const record = readProcessRecord(this.#folder, id);
    if (record !== undefined) return record;
    throw new HttpError(404, 'This command is not known any more.', { next: 'Reload the page.' });
  }

  /** Returns true while a process runs; one of this studio counts as running until its exit code is saved. */
  #isRunning(record: ProcessRecord): boolean {
    return record.endedAt === null && (this.#children.has(record.id) || isThere(record));
  }

  #shown(record: ProcessRecord, runOf: (record: ProcessRecord) => string | null): StudioProcess {
    const { birth: _, ...rest } = record;
    return { ...rest, state: this.#isRunning(record) ? 'running' : 'ended', run: runOf(record) };
  }
}

function isThere({ pid, birth }: ProcessRecord): boolean {
  return pid !== null && birth !== null && readProcessStartTime(pid) === birth;
}

function own(path: string): number {
  return openSync(path, 'wx', 0o600);
}

const lately = 50;

/**
 * Returns a function that finds the run of a process by the sessions in the journal, among the 50 newest runs; null for
 * none.
 */
function runsOf(workDir: string): (record: ProcessRecord) => string | null {
  if (!hasJournal(workDir)) return () => null;
  const sessions = withJournal(workDir, (file) =>
    listRuns(file, lately).flatMap(({ id, number }) =>
      listSessions(file, number).map(({ pid, host, startedAt }) => ({ run: id, pid, host, startedAt })),
    ),
  );
  return ({ pid, startedAt, endedAt }) => {
    const [from, to] = [
      Date.parse(startedAt),
      endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt),
    ];
    const own = sessions.find(
      (each) =>
        each.pid === pid && each.host === hostname() && each.startedAt >= from && each.startedAt <= to,
    );
    return own?.run ?? null;
  };
}
