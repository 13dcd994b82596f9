import { expect, it } from 'vitest';
import {
  beginRun,
  findLastConcurrencyLimit,
  openRunJournal,
  readLatencies,
  registerWorkspace,
} from '../../src/journal/index.ts';
import { createEmptyTiming, recordAnswerTime } from '../../src/model/timing.ts';
import { binding, handClock, place, runJournal } from './work-dir.ts';

const read = 'GET /contact/{identifier}';

function counts(...took: readonly number[]) {
  const timing = createEmptyTiming();
  for (const ms of took) recordAnswerTime(timing, ms);
  return { sent: took.length, ok: took.length, retried: 0, limited: 0, queued: 0, timing };
}

it('latencies are those of the last five sessions of imports into the workspace that measured any', () => {
  const { file, journal } = runJournal();
  const { workspace } = journal.run;
  expect(readLatencies(file, workspace)).toEqual(new Map());
  const session = (requests: unknown, more: Parameters<typeof binding>[1] = {}) => {
    const run = beginRun(file, binding(workspace, more), handClock());
    const next = openRunJournal(file, run, handClock());
    next.beat(requests);
    next.flush();
  };
  session({ [read]: counts(5_000) });
  for (const ms of [10, 20, 30, 40]) session({ [read]: counts(ms) });
  session({ [read]: counts(1) }, { kind: 'export' });
  const elsewhere = registerWorkspace(file, { ...place, place: 'https://other.test/v1' });
  session({ [read]: counts(2) }, { workspace: elsewhere });
  session({ [read]: { sent: 9, ok: 9, retried: 0, limited: 0, queued: 0 } });
  session({ [read]: counts(50, 60), 'GET /space/user': counts(7) });
  session('of a later version');
  expect(readLatencies(file, workspace)).toEqual(
    new Map([
      [read, { mean: 35, least: 10, answers: 6 }],
      ['GET /space/user', { mean: 7, least: 7, answers: 1 }],
    ]),
  );
});

it('how many requests at once a workspace takes is what the last session says that found it out', () => {
  const { file, journal } = runJournal();
  const { workspace } = journal.run;
  expect(findLastConcurrencyLimit(file, workspace)).toBeUndefined();
  const session = (concurrency: number | null, more: Parameters<typeof binding>[1] = {}) => {
    const run = beginRun(file, binding(workspace, more), handClock());
    const next = openRunJournal(file, run, handClock());
    next.beat({}, { active: 0, waiting: 0, concurrency, waitedMs: 0 });
    next.flush();
  };
  session(40);
  session(212, { kind: 'export' });
  session(null);
  const elsewhere = registerWorkspace(file, { ...place, place: 'https://other.test/v1' });
  session(512, { workspace: elsewhere });
  expect(findLastConcurrencyLimit(file, workspace)).toBe(212);
});
