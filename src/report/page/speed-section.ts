import { scaleLinear } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';
import { type PaceSample, readPace, readSessionNow, type SessionRecord } from '../../journal/index.ts';
import { count, duration, percent, rate } from '../figures.ts';
import type { Latency, RequestCounts } from '../requests.ts';
import type { Summary } from '../summary.ts';
import { html, type Markup } from './markup.ts';

const width = 800;
const height = 96;

/** How fast the run was: rows over time, how long answers took, the slowest first, and requests against the rate limit. */
export function speedSection(
  { requests, seconds }: Pick<Summary, 'requests' | 'seconds'>,
  sessions: readonly SessionRecord[],
): Markup {
  const measured = Object.entries(requests).flatMap(([operation, { latency }]) =>
    latency === undefined ? [] : [{ operation, latency }],
  );
  if (measured.length === 0) return html``;
  return html`<section>
<h2>Speed</h2>
${throughput(stretchesOf(sessions))}
${latencyTable(measured)}
${limitTable(Object.entries(requests), seconds, sessions)}
</section>`;
}

/** A stretch of work, in ms of work since the run began. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly rowsPerMinute: number;
  /** Calls that waited for the rate limit at once, on average. */
  readonly waiting: number;
}

function stretchesOf(sessions: readonly SessionRecord[]): Stretch[] {
  let before = 0;
  return sessions.flatMap(({ pace, startedAt, seenAt }) => {
    const offset = before;
    before += Math.max(0, seenAt - startedAt);
    const samples = readPace(pace);
    return samples.slice(1).flatMap((sample, index) => between(samples[index], sample, offset));
  });
}

function between(first: PaceSample | undefined, last: PaceSample, offset: number): Stretch[] {
  const ms = last.at - (first?.at ?? 0);
  if (first === undefined || ms <= 0) return [];
  return [
    {
      from: offset + first.at,
      to: offset + last.at,
      rowsPerMinute: ((last.done - first.done) * 60_000) / ms,
      waiting: (last.waitedMs - first.waitedMs) / ms,
    },
  ];
}

function throughput(stretches: readonly Stretch[]): Markup | undefined {
  const last = stretches.at(-1);
  const peak = Math.max(0, ...stretches.map(({ rowsPerMinute }) => rowsPerMinute));
  if (last === undefined || peak === 0) return undefined;
  const most = Math.max(0, ...stretches.map(({ waiting }) => waiting));
  const x = scaleLinear([0, last.to], [0, width]);
  const points = (value: (stretch: Stretch) => number) =>
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
    most === 0 ? '' : `; the line: calls that waited for the rate limit, at most ${rate(most)} at once`;
  return html`<figure class="time">
<figcaption>Rows over the time worked, at most ${rate(peak)} per minute${waited}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Rows per minute over ${duration(last.to / 1_000)} of work"><line x1="0" x2="${width}" y1="${height}" y2="${height}" class="grid"/><path class="pace" d="${rows(points(({ rowsPerMinute }) => rowsPerMinute)) ?? ''}"/>${drawnWaits}</svg>
</figure>`;
}

interface Measured {
  readonly operation: string;
  readonly latency: Latency;
}

function latencyTable(measured: readonly Measured[]): Markup {
  const inAll = ({ latency }: Measured) => latency.answers * latency.mean;
  const slowest = [...measured].sort((a, b) => inAll(b) - inAll(a));
  return html`<div class="scroll" tabindex="0" role="region" aria-label="How long answers took"><table class="figures">
<thead><tr><th scope="col">answers, the slowest steps first</th><th scope="col" class="n">answers</th><th scope="col" class="n">half within</th><th scope="col" class="n">95%</th><th scope="col" class="n">99%</th><th scope="col" class="n">fastest</th><th scope="col" class="n">all together</th></tr></thead>
<tbody>${slowest.map(
    ({ operation, latency }) =>
      html`<tr>${named(operation)}<td class="n">${count(latency.answers)}</td>${[latency.p50, latency.p95, latency.p99, latency.least].map(took)}<td class="n">${duration((latency.answers * latency.mean) / 1_000)}</td></tr>`,
  )}</tbody>
</table></div>
<p class="note">From sending a request to its whole answer, to within a fifth. All together: many are under way at once, so this is more than the run took.</p>`;
}

function limitTable(
  operations: readonly (readonly [string, RequestCounts])[],
  seconds: number,
  sessions: readonly SessionRecord[],
): Markup | undefined {
  const perPath = sessions.map(({ now }) => readSessionNow(now)?.perPath).findLast((limit) => limit);
  if (perPath === undefined || seconds <= 0) return undefined;
  const limit = (perPath.count * 1_000) / perPath.ms;
  const waited = (counts: RequestCounts) => counts.waitedSeconds ?? 0;
  const rows = [...operations]
    .sort(([, a], [, b]) => waited(b) - waited(a) || b.sent - a.sent)
    .map(([operation, counts]) => {
      const perSecond = counts.sent / seconds;
      const isOneBucket = !operation.includes('{');
      const share = isOneBucket ? percent(Math.min(perSecond, limit), limit) : 'each path its own';
      const wait = waited(counts) === 0 ? '–' : duration(waited(counts));
      return html`<tr>${named(operation)}<td class="n">${rate(perSecond)}/s</td><td class="n">${share}</td><td class="n">${count(counts.limited)}</td><td class="n">${wait}</td></tr>`;
    });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Requests against the rate limit"><table class="figures">
<thead><tr><th scope="col">requests against the rate limit</th><th scope="col" class="n">on average</th><th scope="col" class="n">of ${rate(limit)}/s</th><th scope="col" class="n">answered 429</th><th scope="col" class="n">calls waited</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>
<p class="note">The limit is per method and path. Where the path names a contact, each contact has a limit of its own. What waited longest for it is what held the run up, if anything did; the waits of all calls are added up.</p>`;
}

function named(operation: string): Markup {
  const [method = '', ...path] = operation.split(' ');
  return html`<th scope="row"><span class="method">${method}</span> <code>${path.join(' ')}</code></th>`;
}

function took(ms: number): Markup {
  return html`<td class="n">${ms < 1_000 ? `${Math.round(ms)} ms` : duration(ms / 1_000)}</td>`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
