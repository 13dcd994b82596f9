import { copyFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatHint } from '../../src/app/run/command-line.ts';
import { isLocalJournalNewer } from '../../src/fleet/ship/compare.ts';
import {
  beginRun,
  beginSession,
  endRun,
  findRunById,
  type JournalDatabase,
  openJournalDatabase,
  pruneRun,
  type RunKind,
  registerWorkspace,
  toJournalPath,
} from '../../src/journal/index.ts';
import { type StepState, setStepState, writeStep } from '../../src/journal/step-record.ts';
import { FatalError } from '../../src/model/fatal-error.ts';
import { usualInvocation } from '../invocation.ts';
import { folder } from './shipped-journal.ts';

const place = 'https://api.example.com/v1';
let now = Date.parse('2026-01-01T00:00:00Z');
const clock = {
  now: () => {
    now += 1_000;
    return now;
  },
  sleep: () => Promise.resolve(),
};

function refusalOf(work: () => unknown): FatalError {
  try {
    work();
  } catch (error) {
    if (error instanceof FatalError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** The journal of a machine. */
class Journal {
  readonly workDir: string;

  constructor(workDir = folder()) {
    this.workDir = workDir;
  }

  /** The journal as another machine gets it, or a backup has it. */
  copy(): Journal {
    const other = new Journal();
    copyFileSync(toJournalPath(this.workDir), toJournalPath(other.workDir));
    return other;
  }

  /** Begins a run; its id. */
  begin(kind: RunKind = 'import'): string {
    return this.#open((file) => {
      const workspace = registerWorkspace(file, { place, users: [1], fields: [] });
      const run = beginRun(
        file,
        {
          ...{ kind, pipeline: 'load', file: 'load.yaml', target: place, mapping: '', memory: '' },
          ...{ input: 'x', inputName: 'x', items: 9, selection: { kind: 'all' }, full: false, workspace },
        },
        clock,
      );
      return run.id;
    });
  }

  /** A session of a run, with a step in each of these states. */
  session(id: string, ...states: readonly StepState[]): this {
    return this.#open((file) => {
      const { number } = runOf(file, id);
      const session = beginSession(file, number, clock);
      for (const [n, state] of states.entries())
        writeStep(file, { run: number, session, pack: JSON.stringify }, stepOf(100 * session + n, state));
      return this;
    });
  }

  /** Sends one more step in the last session. */
  step(id: string, seq: number, state: StepState): this {
    return this.#open((file) => {
      const { number } = runOf(file, id);
      writeStep(file, { run: number, session: 1, pack: JSON.stringify }, stepOf(seq, state));
      return this;
    });
  }

  /** An answer has come. */
  answer(id: string, seq: number): this {
    return this.#open((file) => {
      setStepState(file, runOf(file, id).number, stepOf(seq, 'acked'), 'acked');
      return this;
    });
  }

  end(id: string): this {
    return this.#open((file) => {
      const ended = { state: 'finished', exitCode: 0, message: null, endedAt: clock.now() } as const;
      endRun(file, runOf(file, id).number, ended);
      return this;
    });
  }

  prune(id: string): this {
    return this.#open((file) => {
      pruneRun(file, runOf(file, id), clock.now());
      return this;
    });
  }

  /** Whether it is newer than what the database has. */
  isNewer(shipped: Journal): boolean {
    return isLocalJournalNewer(this.workDir, 'acme', toJournalPath(shipped.workDir));
  }

  #open<T>(work: (file: JournalDatabase) => T): T {
    const file = openJournalDatabase(this.workDir);
    try {
      return work(file);
    } finally {
      file.close();
    }
  }
}

function runOf(file: JournalDatabase, id: string) {
  const run = findRunById(file, id);
  if (run === undefined) throw new Error(`there is no run ${id}`);
  return run;
}

const stepOf = (seq: number, state: StepState) => ({
  ...{ seq, name: 'comment', item: 'origin', state, intent: {}, before: undefined, sentAt: clock.now() },
});

it('is newer with a session that has done something, and older without', () => {
  const before = new Journal();
  const first = before.begin();
  before.session(first, 'acked').end(first);
  const after = before.copy();
  const second = after.begin();
  after.session(second, 'acked').end(second);
  expect(after.isNewer(before)).toBe(true);
  expect(before.isNewer(after)).toBe(false);
  expect(after.isNewer(after.copy())).toBe(false);
});

it('is not newer with a session that has sent nothing, or whose intent never was in the database', () => {
  const before = new Journal();
  const first = before.begin();
  before.session(first, 'acked').end(first);
  const died = before.copy();
  died.session(died.begin(), 'sent', 'planned');
  expect(died.isNewer(before)).toBe(false);
  // Somebody else has continued: the one that died is no hindrance.
  const next = before.copy();
  next.session(next.begin(), 'acked');
  expect(died.isNewer(next)).toBe(false);
});

it('is newer where the database was set back to the middle of its last session', () => {
  const before = new Journal();
  const run = before.begin();
  before.session(run);
  const after = before.copy().step(run, 1, 'acked');
  expect(after.isNewer(before)).toBe(true);
  const later = after.copy().step(run, 2, 'acked');
  expect(later.isNewer(after)).toBe(true);
  expect(after.isNewer(later)).toBe(false);
  expect(later.end(run).isNewer(after)).toBe(true);
});

it('is not newer with answers alone: another machine finds out what was in flight', () => {
  const shipped = new Journal();
  const run = shipped.begin();
  shipped.session(run).step(run, 1, 'sent');
  const local = shipped.copy().answer(run, 1);
  expect(local.isNewer(shipped)).toBe(false);
  // It has done so, and sent more since.
  const next = shipped.copy().session(run, 'acked').answer(run, 1).end(run);
  expect(local.isNewer(next)).toBe(false);
});

it('is not newer where the database has pruned since', () => {
  const local = new Journal();
  const run = local.begin();
  local.session(run, 'acked').end(run);
  expect(local.isNewer(local.copy().prune(run))).toBe(false);
});

it('is newer with an export that is complete', () => {
  const before = new Journal();
  const first = before.begin();
  before.session(first, 'acked').end(first);
  const after = before.copy();
  const nightly = after.begin('export');
  after.session(nightly);
  expect(after.isNewer(before)).toBe(false);
  expect(after.end(nightly).isNewer(before)).toBe(true);
});

it('is refused where each knows what the other does not', () => {
  const before = new Journal();
  const first = before.begin();
  before.session(first, 'acked').end(first);
  const [one, other] = [before.copy(), before.copy()];
  one.session(one.begin(), 'acked');
  // What was sent may have arrived, also without an answer.
  other.session(other.begin(), 'sent');
  expect(() => one.isNewer(other)).toThrow('each has requests that the other does not know');
  expect(() => one.isNewer(other)).toThrow(`on the machine ${hostname()}`);
  const { place, next = '' } = refusalOf(() => one.isNewer(other));
  expect(place).toEqual({ file: one.workDir });
  expect(formatHint(next, usualInvocation)).toMatch(
    /move the folder \/.+ away on .+, then: npx longshore fleet retry acme\. /,
  );
});

it('is not newer where it cannot be read', () => {
  const shipped = new Journal();
  shipped.session(shipped.begin(), 'acked');
  const broken = new Journal();
  expect(broken.isNewer(shipped)).toBe(false);
  writeFileSync(join(broken.workDir, 'journal.db'), 'not a database, not at all: far from it');
  expect(broken.isNewer(shipped)).toBe(false);
});
