import { type Outcome, outcomes } from '../../../model/outcome.ts';
import type { Workspace } from '../../../workspace/index.ts';

/** What a metrics file says of a run; times are in ms since 1970. */
export interface RunMetrics {
  /** On every line. */
  readonly labels: Readonly<Record<string, string>>;
  readonly now: number;
  readonly startedAt: number;
  /** Undefined while the command works. */
  readonly exitCode: number | undefined;
  /** When such a run last ended with 0 or 3. */
  readonly lastSuccessAt: number | undefined;
  readonly rows: ReadonlyMap<Outcome, number>;
  readonly rowsLeft: number | undefined;
  readonly rowsActive: number;
  readonly rowsWaiting: number;
  /** What an export has fetched, by kind. */
  readonly fetched: Readonly<Record<string, number>>;
  readonly requests: ReturnType<Workspace['requests']>;
  readonly waitsFor: 'waiting' | 'paused' | undefined;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** The text that Prometheus reads; ends with a line break. */
export function metricsText(metrics: RunMetrics): string {
  const { labels, now, startedAt, exitCode, lastSuccessAt, rows, rowsLeft, fetched, waitsFor } = metrics;
  const one = (value: number | undefined): Sample[] => (value === undefined ? [] : [[{}, value]]);
  const family = (name: string, type: 'gauge' | 'counter', help: string, samples: readonly Sample[]) =>
    samples.length === 0
      ? []
      : [
          `# HELP longshore_${name} ${help}`,
          `# TYPE longshore_${name} ${type}`,
          ...samples.map(([more, value]) => `longshore_${name}${labelText({ ...labels, ...more })} ${value}`),
        ];
  const requests = Object.entries(metrics.requests).map(([operation, counts]) => {
    const [method = '', path = ''] = operation.split(' ');
    return { of: { method, path }, ...counts };
  });
  const results = requests.flatMap(({ of, sent, ok, limited, queued }): Sample[] => [
    [{ ...of, result: 'ok' }, ok],
    [{ ...of, result: 'limited' }, limited],
    [{ ...of, result: 'queued' }, queued],
    [{ ...of, result: 'other' }, Math.max(0, sent - ok - limited - queued)],
  ]);
  return `${[
    ...family('running', 'gauge', 'Whether the command works.', one(exitCode === undefined ? 1 : 0)),
    ...family('start_time_seconds', 'gauge', 'When the command began.', one(startedAt / 1_000)),
    ...family('run_seconds', 'gauge', 'Seconds since the command began.', one((now - startedAt) / 1_000)),
    ...family('heartbeat_time_seconds', 'gauge', 'When this file was written.', one(now / 1_000)),
    ...family('exit_code', 'gauge', 'How the command ended.', one(exitCode)),
    ...family(
      'last_success_time_seconds',
      'gauge',
      'When a run last ended with 0 or 3.',
      one(lastSuccessAt === undefined ? undefined : lastSuccessAt / 1_000),
    ),
    ...family(
      'rows',
      'gauge',
      'Rows of the run by outcome.',
      rows.size === 0 ? [] : outcomes.map((outcome) => [{ outcome }, rows.get(outcome) ?? 0]),
    ),
    ...family('rows_left', 'gauge', 'Rows of the run that have no outcome yet.', one(rowsLeft)),
    ...family('rows_active', 'gauge', 'Rows in progress.', one(metrics.rowsActive)),
    ...family(
      'rows_waiting',
      'gauge',
      'Rows that wait for the workspace to be ready.',
      one(metrics.rowsWaiting),
    ),
    ...family(
      'fetched',
      'gauge',
      'What an export has fetched.',
      Object.entries(fetched).map(([kind, n]) => [{ kind }, n]),
    ),
    ...family('requests_total', 'counter', 'Requests by what was answered.', results),
    ...family(
      'answer_seconds_total',
      'counter',
      'What answers took, all together.',
      requests.map(({ of, timing }) => [of, timing.answeredMs / 1_000]),
    ),
    ...family(
      'answers_total',
      'counter',
      'Answers of which it is known how long they took.',
      requests.map(({ of, timing }) => [of, timing.answered]),
    ),
    ...family(
      'rate_limit_wait_seconds_total',
      'counter',
      'What calls waited for the rate limit, all together.',
      requests.map(({ of, timing }) => [of, timing.waitedMs / 1_000]),
    ),
    ...family('waiting', 'gauge', 'Whether the run waits for the workspace.', [
      [{ why: 'waiting' }, waitsFor === 'waiting' ? 1 : 0],
      [{ why: 'paused' }, waitsFor === 'paused' ? 1 : 0],
    ]),
  ].join('\n')}\n`;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  return `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')}}`;
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
