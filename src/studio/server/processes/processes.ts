import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareWorkDir } from '../../../app/run/work-dir.ts';
import type { Clock } from '../../../model/ports.ts';
import { makeOwnFolder } from '../../../storage/own-folder.ts';
import { type Command, type Typing, typed, wordsOf } from '../../wire/command.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import { Refusal } from '../refusal.ts';
import { birthOf } from './birth.ts';
import { type ProcessRecord, readRecord, readRecords, writeRecord } from './record.ts';
import { runsOf } from './runs-of.ts';

/** Where and how processes are started. */
export interface Surroundings {
  /** The built command. */
  readonly main: string;
  /** The project folder. */
  readonly cwd: string;
  readonly workDir: string;
  readonly typing: Typing;
  readonly clock: Clock;
  told(text: string): void;
}

/** The commands that a studio has started, this one or one before: all that is known of them is in files. */
export class Processes {
  readonly #at: Surroundings;
  readonly #folder: string;
  /** Those of this studio; of others it hears no exit code. */
  readonly #children = new Set<string>();

  constructor(at: Surroundings) {
    this.#at = at;
    this.#folder = join(at.workDir, 'studio', 'processes');
  }

  /**
   * Starts a command in a process group of its own, with its output in files: whatever becomes of the studio, it continues.
   * `env` is what its environment has more than ours. `ended` hears its exit code where this studio is still there.
   */
  async start(
    command: Command,
    env: Readonly<Record<string, string>>,
    ended: (exitCode: number | null) => void = () => {},
  ): Promise<StudioProcess> {
    const { main, cwd, workDir, typing, clock, told } = this.#at;
    prepareWorkDir(workDir, told);
    const startedAt = new Date(clock.now()).toISOString();
    const id = `${startedAt.slice(0, 23).replaceAll(/[^\dT]/g, '')}-${command.command}-${randomBytes(3).toString('hex')}`;
    const folder = join(this.#folder, id);
    makeOwnFolder(folder);
    const fresh: ProcessRecord = {
      ...{ id, command, typed: typed(command, typing), startedAt },
      ...{ pid: null, birth: null, endedAt: null, exitCode: null, signal: null },
    };
    // Before it begins: whatever happens now, there is a trace of it.
    await writeRecord(folder, fresh);
    const [stdout, stderr] = [own(join(folder, 'stdout')), own(join(folder, 'stderr'))];
    const child = spawn(process.execPath, [main, ...wordsOf(command, typing), '--json'], {
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
    const begun = { ...fresh, pid, birth: pid === null ? null : (birthOf(pid) ?? null) };
    await writeRecord(folder, begun);
    void exit
      .then(async (how) => {
        ended(how.exitCode);
        await writeRecord(folder, { ...begun, ...how, endedAt: new Date(clock.now()).toISOString() });
      })
      .catch((error: unknown) => told(`the end of ${id} could not be noted: ${String(error)}`))
      .finally(() => this.#children.delete(id));
    return this.#shown(begun, () => null);
  }

  /** Newest first. */
  list(): readonly StudioProcess[] {
    const run = runsOf(this.#at.workDir);
    return readRecords(this.#folder).map((record) => this.#shown(record, run));
  }

  /** Throws a Refusal where there is none of that id. */
  find(id: string): StudioProcess {
    return this.#shown(this.#record(id), runsOf(this.#at.workDir));
  }

  /** What it has printed so far, from that byte on. */
  output(id: string, which: 'stdout' | 'stderr', from = 0): Buffer {
    try {
      return readFileSync(join(this.#folder, id, which)).subarray(from);
    } catch {
      // Removed with a person who was forgotten, or with the run.
      return Buffer.alloc(0);
    }
  }

  /** Asks it to end, as Ctrl-C does: it waits for requests in flight and checkpoints. */
  stop(id: string): StudioProcess {
    const record = this.#record(id);
    if (record.pid !== null && isThere(record)) process.kill(record.pid, 'SIGTERM');
    return this.find(id);
  }

  #record(id: string): ProcessRecord {
    const record = readRecord(this.#folder, id);
    if (record !== undefined) return record;
    throw new Refusal(404, 'This command is not known any more.', { next: 'Reload the page.' });
  }

  /** One of our own runs until its end is noted: nobody shall see an end without its exit code. */
  #isRunning(record: ProcessRecord): boolean {
    return record.endedAt === null && (this.#children.has(record.id) || isThere(record));
  }

  #shown(record: ProcessRecord, runOf: (record: ProcessRecord) => string | null): StudioProcess {
    const { birth: _, ...rest } = record;
    return { ...rest, state: this.#isRunning(record) ? 'running' : 'ended', run: runOf(record) };
  }
}

function isThere({ pid, birth }: ProcessRecord): boolean {
  return pid !== null && birth !== null && birthOf(pid) === birth;
}

function own(path: string): number {
  return openSync(path, 'wx', 0o600);
}
