import { expect, test } from 'vitest';
import { formatRunMetrics } from '../../../src/app/run/report/metrics.ts';
import { createEmptyTiming, recordAnswerTime } from '../../../src/model/timing.ts';

test('is text that Prometheus reads, whatever the names are', () => {
  const timing = createEmptyTiming();
  recordAnswerTime(timing, 250);
  timing.waitedMs = 1_500;
  const text = formatRunMetrics({
    labels: { pipeline: 'a "b" \\ c\nd', kind: 'import' },
    now: 12_000,
    startedAt: 2_000,
    exitCode: undefined,
    lastSuccessAt: undefined,
    rows: new Map([['created', 3]]),
    rowsLeft: 4,
    rowsActive: 2,
    rowsWaiting: 1,
    fetched: {},
    requests: { 'GET /contact/{identifier}': { sent: 9, ok: 4, retried: 1, limited: 2, queued: 1, timing } },
    waitsFor: 'paused',
  });
  const labels = 'pipeline="a \\"b\\" \\\\ c\\nd",kind="import"';
  const of = `${labels},method="GET",path="/contact/{identifier}"`;
  for (const line of [
    `longshore_running{${labels}} 1`,
    `longshore_run_seconds{${labels}} 10`,
    `longshore_rows{${labels},outcome="created"} 3`,
    `longshore_rows{${labels},outcome="rejected"} 0`,
    `longshore_rows_left{${labels}} 4`,
    `longshore_requests_total{${of},result="ok"} 4`,
    `longshore_requests_total{${of},result="other"} 2`,
    `longshore_answer_seconds_total{${of}} 0.25`,
    `longshore_rate_limit_wait_seconds_total{${of}} 1.5`,
    `longshore_waiting{${labels},why="paused"} 1`,
  ])
    expect(text.split('\n')).toContain(line);
  expect(text).not.toMatch(/exit_code|last_success/);
  const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  const line = /^(# (HELP|TYPE) \w+ .+|[a-z_]+\{([a-z]+="([^"\\\n]|\\["\\n])*",?)*\} -?\d+(\.\d+)?)$/;
  for (const each of text.trimEnd().split('\n')) expect(each).toMatch(line);
});
