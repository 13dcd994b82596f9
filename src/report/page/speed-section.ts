import { scaleLinear } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';
import { formatCount, formatDuration, formatPercent, formatRate } from '../figures.ts';
import type { LatencyStats, RequestStatsByOperation } from '../requests.ts';
import type { PaceInterval, SpeedStats } from '../speed.ts';
import {
  html,
  type Markup,
  renderCountCell,
  renderOperationCell,
  renderScrollableTable,
  renderSummaryValue,
} from './markup.ts';

const width = 800;
const height = 96;

/**
 * Returns the section about speed: rows over time, the answer times (first the operation whose answers took longest in
 * total), and requests against the rate limit.
 */
export function renderSpeedSection(
  { requests, speed }: { readonly requests: RequestStatsByOperation; readonly speed: SpeedStats },
  stretches: readonly PaceInterval[],
  unit: string,
): Markup {
  const measured = Object.entries(requests).flatMap(([operation, { latency }]) =>
    latency === undefined ? [] : [{ operation, latency }],
  );
  if (measured.length === 0) return html``;
  return html`<section>
<h3>Speed</h3>
${throughput(stretches, speed, unit)}
${latencyTable(measured)}
${limitTable(requests, speed)}
</section>`;
}

function throughput(
  stretches: readonly PaceInterval[],
  { peakRowsPerMinute: peak, peakWaiting: most }: SpeedStats,
  unit: string,
): Markup | undefined {
  const last = stretches.at(-1);
  if (last === undefined || peak === null || peak === 0) return undefined;
  const x = scaleLinear([0, last.to], [0, width]);
  const points = (value: (stretch: PaceInterval) => number) =>
    stretches.flatMap((stretch): (readonly [number, number])[] => [
      [stretch.from, value(stretch)],
      [stretch.to, value(stretch)],
    ]);
  const at = ([ms]: readonly [number, number]) => round(x(ms));
  const up = (top: number) => {
    const y = scaleLinear([0, top], [height, 2]);
    return ([, n]: readonly [number, number]) => round(y(n));
  };
  const rows = area<readonly [number, number]>().x(at).y0(height).y1(up(peak)).curve(curveStepBefore);
  const waits = line<readonly [number, number]>()
    .x(at)
    .y(up(Math.max(1, most)))
    .curve(curveStepBefore);
  const drawnWaits =
    most === 0 ? undefined : html`<path class="waits" d="${waits(points(({ waiting }) => waiting)) ?? ''}"/>`;
  const waited =
    most === 0
      ? undefined
      : html`; the line: calls that waited for the rate limit, at most ${renderSummaryValue(['speed', 'peakWaiting'], formatRate(most), 'rate')} at once`;
  return html`<figure class="time">
<figcaption>${unit} over the time worked, at most ${renderSummaryValue(['speed', 'peakRowsPerMinute'], formatRate(peak), 'rate')} per minute${waited}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${unit} per minute over ${formatDuration(last.to / 1_000)} of work"><line x1="0" x2="${width}" y1="${height}" y2="${height}" class="grid"/><path class="pace" d="${rows(points(({ rowsPerMinute }) => rowsPerMinute)) ?? ''}"/>${drawnWaits}</svg>
</figure>`;
}

interface Measured {
  readonly operation: string;
  readonly latency: LatencyStats;
}

function latencyTable(measured: readonly Measured[]): Markup {
  const inAll = ({ latency }: Measured) => latency.answers * latency.mean;
  const slowest = [...measured].sort((a, b) => inAll(b) - inAll(a));
  const head = [
    'answers, the slowest requests first',
    'answers',
    'half within',
    '95%',
    '99%',
    'fastest',
    'all together',
  ];
  return html`${renderScrollableTable(
    'How long answers took',
    head.map((name, index) => (index === 0 ? name : { n: name })),
    slowest.map(latencyRow),
  )}
<p class="note">From sending a request to its whole answer, to within a fifth, by kind of request. All together: many are under way at once, so this is more than the run took.</p>`;
}

function latencyRow({ operation, latency }: Measured): Markup {
  const path = ['requests', operation, 'latency'];
  const took = (['p50', 'p95', 'p99', 'least'] as const).map((key) => {
    const ms = latency[key];
    const text = ms < 1_000 ? `${Math.round(ms)} ms` : formatDuration(ms / 1_000);
    return html`<td class="n">${renderSummaryValue([...path, key], text, 'milliseconds')}</td>`;
  });
  const together = formatDuration((latency.answers * latency.mean) / 1_000);
  return html`<tr>${renderOperationCell(operation)}<td class="n">${renderSummaryValue([...path, 'answers'], formatCount(latency.answers))}</td>${took}<td class="n">${renderSummaryValue(path, together, 'together')}</td></tr>`;
}

function limitTable(
  requests: RequestStatsByOperation,
  { limitPerSecond: limit, use }: SpeedStats,
): Markup | undefined {
  if (limit === null) return undefined;
  const waited = (operation: string) => requests[operation]?.waitedSeconds ?? 0;
  const sent = (operation: string) => requests[operation]?.sent ?? 0;
  const rows = Object.entries(use)
    .sort(([a], [b]) => waited(b) - waited(a) || sent(b) - sent(a))
    .map(([operation, { perSecond, share }]) => {
      const path = ['speed', 'use', operation];
      const used =
        share === null
          ? html`each contact its own`
          : html`${renderSummaryValue([...path, 'share'], formatPercent(share, 1), 'percent')}`;
      const wait =
        waited(operation) === 0
          ? html`<td class="n none">–</td>`
          : html`<td class="n">${renderSummaryValue(['requests', operation, 'waitedSeconds'], formatDuration(waited(operation)), 'duration')}</td>`;
      const limited = renderCountCell(['requests', operation, 'limited'], requests[operation]?.limited ?? 0);
      return html`<tr>${renderOperationCell(operation)}<td class="n">${renderSummaryValue([...path, 'perSecond'], formatRate(perSecond), 'rate')}/s</td><td class="n">${used}</td>${limited}${wait}</tr>`;
    });
  const head = [
    'requests against the rate limit',
    { n: 'on average' },
    { n: html`of ${renderSummaryValue(['speed', 'limitPerSecond'], formatRate(limit), 'rate')}/s` },
    { n: 'limited' },
    { n: 'calls waited' },
  ];
  return html`${renderScrollableTable('Requests against the rate limit', head, rows)}
<p class="note">The limit is per method and path. Where the path names a contact, each contact has a limit of its own. What waited longest for it is what held the run up, if anything did; the waits of all calls are added up.</p>`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
