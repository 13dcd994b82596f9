import { afterEach, describe, expect, test } from 'vitest';
import { buildSummary } from '../../../src/app/import/report/build-summary.ts';
import { writeRunFiles } from '../../../src/app/import/report/run-files.ts';
import { outcomes } from '../../../src/model/outcome.ts';
import { usualInvocation } from '../../invocation.ts';
import { asItIs, JournalOfARun } from '../../report/journal-of-a-run.ts';

const opened: JournalOfARun[] = [];

function journal(items: number): JournalOfARun {
  const made = new JournalOfARun(items);
  opened.push(made);
  return made;
}

afterEach(() => {
  for (const made of opened.splice(0)) made.remove();
});

function summaryOf(of: JournalOfARun) {
  return buildSummary(of.file, of.run, of.runDir, { problems: [], invocation: usualInvocation });
}

describe('rows', () => {
  test('every outcome is counted, and with those not reached they are the rows read', () => {
    const run = journal(100);
    let seq = 0;
    outcomes.forEach((outcome, index) => {
      for (let n = 0; n <= index; n += 1) run.finish(seq++, outcome);
    });
    run.end('stopped', 4);
    const { rows } = summaryOf(run);
    outcomes.forEach((outcome, index) => {
      expect(rows[outcome], outcome).toBe(index + 1);
    });
    const { read, ...parts } = rows;
    expect(Object.values(parts).reduce((sum, n) => sum + n)).toBe(read);
    expect(rows).toMatchObject({ read: 100, notReached: 100 - seq });
  });

  test.each([
    ['an outcome that nobody knows', "UPDATE row SET outcome = 'lost' WHERE seq = 1"],
    ['a row beyond the input', 'UPDATE row SET seq = 2 WHERE seq = 1'],
    ['a row before the input', 'UPDATE row SET seq = -1 WHERE seq = 1'],
    ['more rows than were read', 'UPDATE run SET items = 1'],
  ])('%s stops the summary instead of vanishing in it', (_, damage) => {
    const run = journal(2);
    run.finish(0, 'created');
    run.finish(1, 'created');
    run.end('finished', 0);
    expect(() => summaryOf(run)).not.toThrow();
    run.file.exec(damage);
    const items = run.file.prepare<[], { items: number }>('SELECT items FROM run').get()?.items ?? 0;
    run.run = { ...run.run, items };
    expect(() => summaryOf(run)).toThrow(
      expect.objectContaining({ name: 'FatalError', reason: 'unexpected' }),
    );
  });
});

test('the rows of a selection keep their numbers, and their problems are found', async () => {
  const run = journal(2);
  run.beginAnother({ items: 2, selection: { kind: 'retry', run: run.run.id, resend: false } });
  const problems = [{ code: 'email.invalid', column: null, reason: 'no @' }];
  run.finish(1_999_999, 'rejected', { problems });
  run.finish(7, 'created', { problems });
  run.end('finished', 3);
  const written = await writeRunFiles({
    invocation: usualInvocation,
    file: run.file,
    run: run.run,
    runDir: run.runDir,
    scrub: asItIs,
  });
  expect(written.summary).toMatchObject({
    rows: { read: 2, created: 1, rejected: 1, notReached: 0 },
    selection: { kind: 'retry' },
  });
  expect(written.problems.map(({ consequence }) => consequence)).toEqual(['rejected', 'leftOut']);
});

describe('sessions', () => {
  test('times and requests are those of all sessions together', () => {
    const run = journal(3);
    run.finish(0, 'created');
    run.now += 5_000;
    run.beat({ 'GET /space/user': { sent: 1, ok: 1, retried: 0, limited: 0, queued: 0 } });
    run.goOn(3_600_000);
    run.finish(1, 'created');
    run.now += 2_500;
    run.beat({
      'GET /space/user': { sent: 3, ok: 1, retried: 2, limited: 1, queued: 1 },
      'POST /contact/{identifier}': { sent: 2, ok: 2, retried: 0, limited: 0, queued: 0 },
    });
    run.now += 500;
    run.end('finished', 3);
    expect(summaryOf(run)).toMatchObject({
      run: run.run.id,
      pipeline: 'import-acme',
      kind: 'import',
      outcome: 'finished',
      exitCode: 3,
      startedAt: '2026-03-01T10:00:00.000Z',
      finishedAt: '2026-03-01T11:00:08.000Z',
      seconds: 8,
      requests: {
        'GET /space/user': { sent: 4, ok: 2, retried: 2, limited: 1, queued: 1 },
        'POST /contact/{identifier}': { sent: 2, ok: 2, retried: 0, limited: 0, queued: 0 },
      },
      files: {},
    });
  });

  test('a run whose process is gone without a word is interrupted, at its last seen', () => {
    const run = journal(10);
    run.finish(0, 'created');
    run.now += 4_000;
    run.beat();
    expect(summaryOf(run)).toMatchObject({
      outcome: 'interrupted',
      exitCode: null,
      finishedAt: '2026-03-01T10:00:04.000Z',
      seconds: 4,
      rows: { read: 10, created: 1, notReached: 9 },
    });
  });
});

test('steps are counted by name; what was sent and not answered is uncertain', async () => {
  const run = journal(9);
  await run.send(0, 'createContact', 'acked');
  await run.send(1, 'createContact', 'acked');
  await run.send(2, 'createContact', 'refused');
  await run.send(3, 'createContact');
  await run.send(4, 'updateContact', 'uncertain');
  run.end('interrupted', 130);
  expect(summaryOf(run).steps).toEqual({
    createContact: { acked: 2, uncertain: 1, failed: 1 },
    updateContact: { acked: 0, uncertain: 1, failed: 0 },
  });
});
