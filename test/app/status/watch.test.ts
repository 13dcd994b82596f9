import { describe, expect, onTestFinished, test } from 'vitest';
import { createExportStatus, createRunStatus } from '../../../src/app/status/report/run-status.ts';
import { formatWatchedRun, formatWatchedRunLine } from '../../../src/app/status/report/watch.ts';
import { usualInvocation } from '../../invocation.ts';
import { JournalOfARun } from '../../report/journal-of-a-run.ts';

const there = { host: '', alive: () => true };

function journal(
  items: number,
  ...more: ConstructorParameters<typeof JournalOfARun> extends [number, ...infer R] ? R : never
) {
  const run = new JournalOfARun(items, ...more);
  onTestFinished(() => run.remove());
  return run;
}

function statusOf(run: JournalOfARun) {
  run.flush();
  const machine = {
    ...there,
    host: createRunStatus(run.file, run.run, { invocation: usualInvocation }).process?.host ?? '',
  };
  return run.run.kind === 'export'
    ? createExportStatus(run.file, run.run, { invocation: usualInvocation, machine })
    : createRunStatus(run.file, run.run, { invocation: usualInvocation, machine });
}

const busy = { active: 7, waiting: 2, concurrency: null, waitedMs: 0 };

describe('a run that is watched', () => {
  test('says how far it is, how fast now and on average, and how long the rest takes', () => {
    const run = journal(1_000);
    run.beat();
    for (let second = 1; second <= 60; second += 1) {
      run.now += 1_000;
      // Slow at first: 1 row a second, then 9.
      const rows = second <= 30 ? 1 : 9;
      for (let n = 0; n < rows; n += 1) run.finish(second * 10 + n, n === 8 ? 'rejected' : 'created');
      run.beat({}, busy);
    }
    const status = statusOf(run);
    expect(status).toMatchObject({
      perSecond: 5,
      secondsLeft: 78,
      now: { perSecond: 9, active: 7, waitsFor: null },
    });
    expect(formatWatchedRunLine(status, run.now)).toBe(
      '300 of 1,000 rows (30.0%), 9 rows/s (5 on average), 1 min 18 s left; 270 created, 30 rejected; 7 in progress, 2 waiting for the workspace',
    );
    const lines = formatWatchedRun(status, run.now, 80);
    expect(lines[0]).toMatch(/ {2}running, 1 min worked$/);
    expect(lines[1]).toContain('300 of 1,000');
    expect(formatWatchedRun(status, run.now, 20).every((line) => line.length <= 20)).toBe(true);
  });

  test('says no time left before ten rows in ten seconds', () => {
    const run = journal(2_000);
    run.beat();
    const left = [1, 9, 1].map((seconds, step) => {
      run.now += seconds * 1_000;
      for (let n = 0; n < 8; n += 1) run.finish(step * 8 + n, 'created');
      run.beat({}, busy);
      const status = statusOf(run);
      return [
        'secondsLeft' in status && status.secondsLeft,
        formatWatchedRunLine(status, run.now).includes(' left'),
      ];
    });
    expect(left).toEqual([
      [null, false],
      [1_240, true],
      [906, true],
    ]);
  });

  test('says what it waits for instead of a time left', () => {
    const run = journal(10);
    run.beat();
    run.finish(0, 'created');
    run.now += 2_000;
    const waitsFor = {
      kind: 'paused',
      reason: 'no answer: \u001b[31mrefused',
      until: run.now + 60_000,
    } as const;
    run.beat({}, { ...busy, concurrency: 212, waitsFor });
    const status = statusOf(run);
    expect(status).toMatchObject({
      secondsLeft: null,
      now: { concurrency: 212, waitsFor: { kind: 'paused', reason: waitsFor.reason } },
    });
    expect(formatWatchedRunLine(status, run.now)).toMatch(
      /; paused, retrying until \d\d:\d\d:\d\d: no answer: .*refused; 7 in progress, 2 waiting for the workspace, 212 requests at once$/,
    );
  });

  test('never waits until a time that is past, however old what its process noted is', () => {
    const run = journal(10);
    run.beat({}, { ...busy, waitsFor: { kind: 'waiting', reason: 'no answer', until: run.now + 60_000 } });
    const status = statusOf(run);
    expect(formatWatchedRunLine(status, run.now + 59_000)).toContain('waiting until');
    expect(formatWatchedRunLine(status, run.now + 60_000)).not.toContain('until');
  });

  test('of an undo counts contacts, in the words of an undo', () => {
    const undo = { run: 'r1', conversations: false, deleteTags: false };
    const run = journal(10, { kind: 'undo', undo });
    run.beat();
    run.finish(0, 'updated');
    run.finish(1, 'skipped');
    run.now += 2_000;
    run.beat({}, busy);
    expect(formatWatchedRunLine(statusOf(run), run.now)).toBe(
      '2 of 10 contacts (20.0%), 1 contacts/s (1 on average); 1 put back, 1 left as they are; 7 in progress, 2 waiting for the workspace',
    );
  });

  test('of an export says what is fetched, and a later session does not count what an earlier one fetched', () => {
    const run = journal(0, { kind: 'export' });
    const fetched = (contacts: number, messages: number) =>
      run.beat({}, { ...busy, fetched: { contacts, messages } });
    fetched(1_000, 5_000);
    run.now += 2_000;
    fetched(1_010, 5_010);
    expect(formatWatchedRunLine(statusOf(run), run.now)).toBe(
      '1,010 contacts, 5,010 messages (10/s); 7 in progress, 2 waiting for the workspace',
    );
  });

  test('says nothing of the present once it has ended, and none of what an older version did not note', () => {
    const run = journal(2);
    expect(statusOf(run)).toMatchObject({ now: null, perSecond: null, secondsLeft: null });
    run.finish(0, 'created');
    run.beat({}, busy);
    run.end('finished', 0);
    expect(statusOf(run)).toMatchObject({ state: 'finished', now: null, secondsLeft: null });
  });
});
