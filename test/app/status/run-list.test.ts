import { afterEach, expect, test } from 'vitest';
import { renderRunList, toRunListEntries } from '../../../src/app/status/report/run-list.ts';
import { createExportStatus } from '../../../src/app/status/report/run-status.ts';
import { renderRunStatus } from '../../../src/app/status/report/run-status-text.ts';
import { recordAttempt, recordExportCompletion } from '../../../src/journal/index.ts';
import { usualInvocation } from '../../invocation.ts';
import { JournalOfARun } from '../../report/journal-of-a-run.ts';

const opened: JournalOfARun[] = [];

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

function exports(pipeline = 'nightly-export'): JournalOfARun {
  const made = new JournalOfARun(0, {
    kind: 'export',
    pipeline,
    file: 'pipelines/nightly-export.yaml',
    mapping: '',
    memory: '',
  });
  opened.push(made);
  return made;
}

function finish(of: JournalOfARun, counts: Readonly<Record<string, number>>): void {
  recordExportCompletion(of.file, of.run.number, { counts, folder: '/srv/exports/2026-03-01' });
  of.end('finished', 0);
}

test('exports are a table that an ordinary terminal holds, with contacts and messages', () => {
  const run = exports();
  run.now += 3_725_000;
  finish(run, { changes: 12, messages: 600_000, contacts: 200_000 });
  const first = run.run;
  run.beginAnother({ selection: { kind: 'compact' } });
  run.end('stopped', 4);
  const text = renderRunList(run.file, [run.run, first], { invocation: usualInvocation, colour: false });
  expect(text).toBe(
    `run                             state     began (+00:00)    contacts + messages     worked  exit  scope
20260301-110205-nightly-export  stopped   2026-03-01 11:02                    –        0 s     4  increments
20260301-100000-nightly-export  finished  2026-03-01 10:00    200,000 + 600,000  1 h 2 min     0  workspace
`,
  );
  const widths = text.split('\n').map((line) => line.length);
  expect(Math.max(...widths)).toBeLessThanOrEqual(110);
  expect(toRunListEntries(run.file, [first])).toMatchObject([
    { kind: 'export', seconds: 3_725, counts: { messages: 600_000 }, folder: '/srv/exports/2026-03-01' },
  ]);
});

test('a pipeline whose name is not in the names of its runs has a column', () => {
  const run = exports('Jeden Abend');
  finish(run, { contacts: 3 });
  expect(renderRunList(run.file, [run.run], { invocation: usualInvocation, colour: false })).toMatch(
    /^run +pipeline +state .*\n20260301-100000-Jeden-Abend +Jeden Abend +finished /,
  );
});

test('attempts that failed before a run began are told of below the table', () => {
  const run = exports();
  finish(run, { contacts: 3 });
  const of = { pipeline: 'nightly-export', kind: 'export', rehearsal: false } as const;
  const told = () =>
    renderRunList(run.file, [run.run], { invocation: usualInvocation, colour: false }).split('\n').slice(2);
  expect(told()).toEqual(['']);
  recordAttempt(run.file, of, { exitCode: 7, endedAt: Date.UTC(2026, 2, 2, 2), failed: true });
  expect(told()[0]).toBe(
    '! The export nightly-export has been failing since 2026-03-02 02:00 +00:00: 1 attempt, exit code 7.',
  );
  recordAttempt(run.file, of, { exitCode: 5, endedAt: Date.UTC(2026, 2, 3, 2), failed: true });
  expect(told()[0]).toBe(
    '! The export nightly-export has been failing since 2026-03-02 02:00 +00:00: 2 attempts, the last one with exit code 5.',
  );
  recordAttempt(run.file, of, { exitCode: 0, endedAt: Date.UTC(2026, 2, 4, 2), failed: false });
  recordAttempt(run.file, { ...of, rehearsal: true }, { exitCode: 5, endedAt: 1, failed: true });
  expect(told()).toEqual(['']);
});

test('the status of an export says how long it worked, what it holds and where, and what to do where it stopped', () => {
  const run = exports();
  run.now += 95_000;
  finish(run, { contacts: 200_000, messages: 600_000 });
  const text = renderRunStatus(createExportStatus(run.file, run.run, { invocation: usualInvocation }), {
    colour: false,
  });
  expect(text).toBe(
    `20260301-100000-nightly-export  finished
  An export started 2026-03-01 10:00 +00:00, 1 min 35 s worked.
  Ended 2026-03-01 10:01 +00:00, exit code 0.
  /srv/exports/2026-03-01
    contacts  200,000
    messages  600,000
`,
  );
  run.beginAnother({});
  run.end('stopped', 5);
  expect(createExportStatus(run.file, run.run, { invocation: usualInvocation })).toMatchObject({
    state: 'stopped',
    counts: null,
    next: [{ command: expect.stringContaining('npx longshore export pipelines/nightly-export.yaml') }],
  });
});
