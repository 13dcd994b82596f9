import { expect, onTestFinished, test } from 'vitest';
import { buildSummary } from '../../src/app/import/report/build-summary.ts';
import { listSessions } from '../../src/journal/index.ts';
import { createEmptyTiming, recordAnswerTime } from '../../src/model/timing.ts';
import { renderSpeedSection } from '../../src/report/page/speed-section.ts';
import { computePaceIntervals } from '../../src/report/speed.ts';
import { usualInvocation } from '../invocation.ts';
import { JournalOfARun } from './journal-of-a-run.ts';
import { textOf } from './page-text.ts';

function journal(): JournalOfARun {
  const run = new JournalOfARun(100);
  onTestFinished(() => run.remove());
  return run;
}

function requests(took: readonly number[], waitedMs: number) {
  const timing = createEmptyTiming();
  for (const ms of took) recordAnswerTime(timing, ms);
  const { length } = took;
  return { sent: length, ok: length, retried: 0, limited: 1, queued: 0, timing: { ...timing, waitedMs } };
}

function sectionOf(run: JournalOfARun): string {
  const summary = buildSummary(run.file, run.run, run.runDir, { problems: [], invocation: usualInvocation });
  return renderSpeedSection(summary, computePaceIntervals(listSessions(run.file, run.run.number)), 'Rows')
    .text;
}

test('shows rows over time, answer times with the slowest steps first, and what waited for the limit', () => {
  const run = journal();
  const perPath = { count: 5, ms: 1_000 };
  const counted = (n: number, waitedMs: number) => ({
    'POST /space/tag': requests(Array<number>(n).fill(100), waitedMs),
    'GET /contact/{identifier}': requests([2_000, 2_000, 30], 0),
  });
  for (const [row, n] of [10, 20].entries()) {
    run.now += 5_000;
    run.finish(row, 'created');
    run.beat(counted(n, n * 1_000), {
      ...{ active: 1, waiting: 0, concurrency: null },
      waitedMs: n * 1_000,
      perPath,
    });
  }
  run.end('finished', 0);
  const page = sectionOf(run);
  // Two rows in ten seconds; ten seconds of waiting in each five.
  const cells = textOf(page);
  expect(cells).toContain(
    'at most 12 per minute; the line: calls that waited for the rate limit, at most 2 at once',
  );
  expect(cells).toContain('POST /space/tag 20 108 ms 108 ms 108 ms 100 ms 2 s');
  expect(cells).toContain('GET /contact/{identifier} 3 2 s 2 s 2 s 30 ms 4 s');
  expect(cells.indexOf('GET /contact')).toBeLessThan(cells.indexOf('POST /space/tag'));
  expect(cells).toContain('POST /space/tag 2/s 40.0% 1 20 s');
  expect(cells).toContain('GET /contact/{identifier} 0.3/s each contact its own 1 –');
});

test('is left out where an older version wrote the journal', () => {
  const run = journal();
  run.finish(0, 'created');
  run.beat({ 'GET /space/user': { sent: 1, ok: 1, retried: 0, limited: 0, queued: 0 } });
  run.end('stopped', 4);
  expect(sectionOf(run)).toBe('');
});
