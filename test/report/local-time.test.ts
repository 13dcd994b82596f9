import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { writeRunFiles } from '../../src/app/import/report/run-files.ts';
import { renderRunList, toRunListEntries } from '../../src/app/status/report/run-list.ts';
import { createRunStatus } from '../../src/app/status/report/run-status.ts';
import { renderRunStatus } from '../../src/app/status/report/run-status-text.ts';
import { formatLocalTime } from '../../src/report/figures.ts';
import { usualInvocation } from '../invocation.ts';
import { asItIs, JournalOfARun } from './journal-of-a-run.ts';

const pinned = process.env.TZ;
const opened: JournalOfARun[] = [];

afterEach(() => {
  process.env.TZ = pinned;
  for (const made of opened.splice(0)) made.remove();
});

test.each([
  ['Europe/Berlin', '2026-03-01T10:15:00Z', '2026-03-01 11:15 +01:00'],
  ['Europe/Berlin', '2026-07-01T10:15:00Z', '2026-07-01 12:15 +02:00'],
  ['America/St_Johns', '2026-03-01T01:00:00Z', '2026-02-28 21:30 -03:30'],
  ['Asia/Kathmandu', '2026-03-01T10:15:00Z', '2026-03-01 16:00 +05:45'],
  ['UTC', '2026-03-01T10:15:00Z', '2026-03-01 10:15 +00:00'],
])('in %s %s is %s', (zone, at, expected) => {
  process.env.TZ = zone;
  expect(formatLocalTime(at)).toBe(expected);
  expect(formatLocalTime(Date.parse(at))).toBe(expected);
});

describe('where it is not UTC', () => {
  function finished(): JournalOfARun {
    const run = new JournalOfARun(1);
    opened.push(run);
    run.finish(0, 'created');
    run.now += 65_000;
    run.end('finished', 0);
    return run;
  }

  test('runs, status and the report show local time with its zone, and JSON stays as it was', async () => {
    process.env.TZ = 'Asia/Kathmandu';
    const run = finished();
    expect(renderRunList(run.file, [run.run], { invocation: usualInvocation, colour: false })).toMatch(
      /began \(\+05:45\)[^\n]*\n[^\n]*2026-03-01 15:45 /,
    );
    expect(
      renderRunStatus(createRunStatus(run.file, run.run, { invocation: usualInvocation }), { colour: false }),
    ).toContain('Ended 2026-03-01 15:46 +05:45,');
    await writeRunFiles({
      invocation: usualInvocation,
      file: run.file,
      run: run.run,
      runDir: run.runDir,
      scrub: asItIs,
    });
    const report = readFileSync(join(run.runDir, 'report.html'), 'utf8');
    expect(report).toContain('2026-03-01 15:46 +05:45');
    expect(report).not.toContain('UTC');
    expect(toRunListEntries(run.file, [run.run])).toMatchObject([{ startedAt: '2026-03-01T10:00:00.000Z' }]);
    expect(createRunStatus(run.file, run.run, { invocation: usualInvocation })).toMatchObject({
      finishedAt: '2026-03-01T10:01:05.000Z',
    });
  });

  test('runs from before and after a change of the clocks each have their zone', () => {
    process.env.TZ = 'Europe/Berlin';
    const run = finished();
    const first = run.run;
    run.now = Date.UTC(2026, 6, 1, 10);
    run.beginAnother({});
    const text = renderRunList(run.file, [run.run, first], { invocation: usualInvocation, colour: false });
    expect(text).toContain('2026-07-01 12:00 +02:00');
    expect(text).toContain('2026-03-01 11:00 +01:00');
  });
});
