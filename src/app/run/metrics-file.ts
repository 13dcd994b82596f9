import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import {
  countRunRows,
  findRunById,
  hasJournal,
  openJournalDatabase,
  type RunKind,
  readLastSuccessTime,
} from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { type Outcome, outcomes, type RowCounts } from '../../model/outcome.ts';
import { systemClock, type Workspace } from '../../workspace/index.ts';
import type { CommandCallbacks } from './caller.ts';
import type { ExportEvent, RunEvent } from './events.ts';
import { formatRunMetrics, type RunMetrics } from './report/metrics.ts';

/** The path of a metrics file, and the runs that it describes. */
interface Subject {
  readonly path: string;
  readonly workDir: string;
  readonly pipeline: string;
  readonly kind: RunKind;
  /** True for a run on the local workspace. */
  readonly rehearsal: boolean;
}

/** The Prometheus text file of a run, replaced atomically at the start, at each report of progress, and at the end. */
export class MetricsFile {
  readonly #subject: Subject;
  readonly #problem: (text: string) => void;
  readonly #startedAt = systemClock.now();
  readonly #rows = new Map<Outcome, number>();
  #rowsLeft: number | undefined;
  #underWay = { active: 0, waiting: 0 };
  #fetched: Record<string, number> = {};
  #lastSuccessAt: number | undefined;
  #workspace: Pick<Workspace, 'requests' | 'waitsFor'> | undefined;
  #isBroken = false;

  /** Writes the file for the first time; throws a FatalError (usage) where it cannot be written. */
  constructor(subject: Subject, caller: Pick<CommandCallbacks, 'warn'>) {
    this.#subject = subject;
    this.#problem = (text) => caller.warn(text);
    this.#lastSuccessAt = successBefore(subject);
    try {
      this.#put(undefined);
    } catch (error) {
      throw new FatalError('usage', `the metrics file cannot be written: ${textOf(error)}`, {
        place: { file: subject.path },
        next: 'Name a file in a folder that is there and can be written to: --metrics FILE.',
        cause: error,
      });
    }
  }

  /** Adds the requests of this workspace to the metrics from now on. */
  watch(workspace: Pick<Workspace, 'requests' | 'waitsFor'>): void {
    this.#workspace = workspace;
  }

  listen(event: RunEvent | ExportEvent): void {
    switch (event.kind) {
      case 'row':
        this.#rows.set(event.outcome, (this.#rows.get(event.outcome) ?? 0) + 1);
        if (this.#rowsLeft !== undefined) this.#rowsLeft -= 1;
        return;
      case 'started':
        this.#guarded(() => this.#begin(event.run));
        break;
      case 'begun':
        break;
      case 'underWay':
        this.#underWay = event;
        break;
      case 'fetched':
        this.#fetched = { contacts: event.contacts, messages: event.messages };
        break;
      default:
        return;
    }
    this.#write(undefined);
  }

  /** Records how the command ended, and the rows of its run if it had one. */
  end(exitCode: number, rows: RowCounts | undefined): void {
    this.#underWay = { active: 0, waiting: 0 };
    if (rows !== undefined) this.#take(rows);
    if (exitCode === 0 || exitCode === 3) this.#lastSuccessAt = systemClock.now();
    this.#write(exitCode);
  }

  /** Starts with the counts of the rows that earlier sessions of the run finished. */
  #begin(id: string): void {
    const file = openJournalDatabase(this.#subject.workDir);
    try {
      const run = findRunById(file, id);
      if (run !== undefined) this.#take(countRunRows(file, run));
    } finally {
      file.close();
    }
  }

  #take(rows: RowCounts): void {
    for (const outcome of outcomes) this.#rows.set(outcome, rows[outcome]);
    this.#rowsLeft = rows.notReached;
  }

  #write(exitCode: number | undefined): void {
    this.#guarded(() => this.#put(exitCode));
  }

  #guarded(work: () => void): void {
    if (this.#isBroken) return;
    try {
      work();
    } catch (error) {
      // A failed metrics file must not stop a run.
      this.#isBroken = true;
      this.#problem(`the metrics file is no longer written: ${textOf(error)}`);
    }
  }

  #put(exitCode: number | undefined): void {
    const path = resolve(this.#subject.path);
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a folder');
    const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
    try {
      // Readable by all: the collector runs as another user, and the file contains no secrets.
      writeFileSync(part, formatRunMetrics(this.#metrics(exitCode)), { mode: 0o644, flag: 'w' });
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
  }

  #metrics(exitCode: number | undefined): RunMetrics {
    const { pipeline, kind, rehearsal } = this.#subject;
    return {
      labels: { pipeline, kind, rehearsal: String(rehearsal) },
      now: systemClock.now(),
      startedAt: this.#startedAt,
      exitCode,
      lastSuccessAt: this.#lastSuccessAt,
      rows: this.#rows,
      rowsLeft: this.#rowsLeft,
      rowsActive: this.#underWay.active,
      rowsWaiting: this.#underWay.waiting,
      fetched: this.#fetched,
      requests: this.#workspace?.requests() ?? {},
      waitsFor: exitCode === undefined ? this.#workspace?.waitsFor()?.kind : undefined,
    };
  }
}

function successBefore(subject: Subject): number | undefined {
  if (!hasJournal(subject.workDir)) return undefined;
  const file = openJournalDatabase(subject.workDir);
  try {
    return readLastSuccessTime(file, subject);
  } finally {
    file.close();
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
