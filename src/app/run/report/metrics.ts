import { type Outcome, outcomes } from '../../../model/outcome.ts';
import { formatPrometheusText, type Metric, type MetricSample } from '../../../report/prometheus.ts';
import type { Workspace } from '../../../workspace/index.ts';

/** The metrics of a run; times are in ms since 1970. */
export interface RunMetrics {
  /** The labels on every line. */
  readonly labels: Readonly<Record<string, string>>;
  readonly now: number;
  readonly startedAt: number;
  /** Undefined while the command runs. */
  readonly exitCode: number | undefined;
  /** The time at which a run with these labels last ended with exit code 0 or 3; undefined where none has. */
  readonly lastSuccessAt: number | undefined;
  readonly rows: ReadonlyMap<Outcome, number>;
  readonly rowsLeft: number | undefined;
  readonly rowsActive: number;
  readonly rowsWaiting: number;
  /** The number of objects that an export has fetched, by kind. */
  readonly fetched: Readonly<Record<string, number>>;
  readonly requests: ReturnType<Workspace['requests']>;
  readonly waitsFor: 'waiting' | 'paused' | undefined;
}

/** Returns the text that Prometheus reads. */
export function formatRunMetrics(metrics: RunMetrics): string {
  const { labels, now, startedAt, exitCode, lastSuccessAt, rows, fetched, waitsFor } = metrics;
  const requests = Object.entries(metrics.requests).map(([operation, counts]) => {
    const [method = '', path = ''] = operation.split(' ');
    return { of: { method, path }, ...counts };
  });
  const ofEach = (value: (request: (typeof requests)[number]) => number) =>
    requests.map((request): MetricSample => [request.of, value(request)]);
  const results = requests.flatMap(({ of, sent, ok, limited, queued }): MetricSample[] => [
    [{ ...of, result: 'ok' }, ok],
    [{ ...of, result: 'limited' }, limited],
    [{ ...of, result: 'queued' }, queued],
    [{ ...of, result: 'other' }, Math.max(0, sent - ok - limited - queued)],
  ]);
  const byOutcome = outcomes.map((outcome): MetricSample => [{ outcome }, rows.get(outcome) ?? 0]);
  const byReason = (['waiting', 'paused'] as const).map(
    (why): MetricSample => [{ why }, why === waitsFor ? 1 : 0],
  );
  const list: readonly Metric[] = [
    ['running', 'Whether the command works.', exitCode === undefined ? 1 : 0],
    ['start_time_seconds', 'When the command began.', startedAt / 1_000],
    ['run_seconds', 'Seconds since the command began.', (now - startedAt) / 1_000],
    ['heartbeat_time_seconds', 'When this file was written.', now / 1_000],
    ['exit_code', 'How the command ended.', exitCode],
    [
      'last_success_time_seconds',
      'When a run last ended with 0 or 3.',
      lastSuccessAt === undefined ? undefined : lastSuccessAt / 1_000,
    ],
    ['rows', 'Rows of the run by outcome.', rows.size === 0 ? [] : byOutcome],
    ['rows_left', 'Rows of the run that have no outcome yet.', metrics.rowsLeft],
    ['rows_active', 'Rows in progress.', metrics.rowsActive],
    ['rows_waiting', 'Rows that wait for the workspace to be ready.', metrics.rowsWaiting],
    ['fetched', 'What an export has fetched.', Object.entries(fetched).map(([kind, n]) => [{ kind }, n])],
    ['requests_total', 'Requests by what was answered.', results],
    [
      'answer_seconds_total',
      'What answers took, all together.',
      ofEach(({ timing }) => timing.answeredMs / 1_000),
    ],
    [
      'answers_total',
      'Answers of which it is known how long they took.',
      ofEach(({ timing }) => timing.answered),
    ],
    [
      'rate_limit_wait_seconds_total',
      'What calls waited for the rate limit, all together.',
      ofEach(({ timing }) => timing.waitedMs / 1_000),
    ],
    ['waiting', 'Whether the run waits for the workspace.', byReason],
  ];
  const known = list.filter(([, , value]) => typeof value === 'number' || (value?.length ?? 0) > 0);
  return formatPrometheusText('longshore', known, labels);
}
