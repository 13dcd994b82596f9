import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, curveStepAfter } from 'd3-shape';
import {
  formatCount,
  formatDuration,
  formatLocalTime,
  formatLocalTimeParts,
  formatQuantity,
} from '../figures.ts';
import { type SessionSpan, sumWorkedSeconds } from '../sessions.ts';
import { html, type Markup, renderScrollableTable, renderSummaryValue } from './markup.ts';

/** The width of a shortened gap between two sessions; less if there are very many gaps. */
const breakWidth = 44;

/** A time axis of a given width on which the gaps between sessions are shortened. */
interface WorkingTime {
  readonly x: (at: number) => number;
  /** The shortened gaps, each between two sessions. */
  readonly breaks: readonly { readonly from: number; readonly to: number }[];
}

/**
 * Returns the time axis of a run's sessions; undefined without sessions. Only gaps that are long compared with the work
 * are shortened.
 */
function workingTime(spans: readonly SessionSpan[], width: number): WorkingTime | undefined {
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const busy = Math.max(1, sumWorkedSeconds(spans) * 1000);
  const breaks = spans.slice(1).flatMap((span, index) => {
    const from = spans[index]?.to ?? span.from;
    return (span.from - from) / busy > breakWidth / width ? [{ from, to: span.from }] : [];
  });
  const worked = Math.max(
    1,
    last.to - first.from - breaks.reduce((sum, { from, to }) => sum + (to - from), 0),
  );
  const perMs = Math.max(width / 4, width - breaks.length * breakWidth) / worked;
  const narrowed =
    breaks.length * breakWidth > (width * 3) / 4 ? (width * 3) / 4 / breaks.length : breakWidth;
  const domain: number[] = [first.from];
  const range: number[] = [0];
  let x = 0;
  let at = first.from;
  for (const { from, to } of breaks) {
    x += (from - at) * perMs;
    domain.push(from, to);
    range.push(x, x + narrowed);
    x += narrowed;
    at = to;
  }
  domain.push(Math.max(at + 1, last.to));
  range.push(width);
  const scale = scaleUtc(domain, range).clamp(true);
  return { x: (at) => scale(at), breaks };
}

const width = 800;
const chartHeight = 96;
const laneHeight = 14;
const mostDrawn = 40;

/**
 * The writes over time: `n` writes in the interval with the index `stretch`; each is `width` ms long, and index 0 begins
 * with the first session.
 */
export interface WritesOverTime {
  readonly width: number;
  readonly stretches: readonly { readonly stretch: number; readonly n: number }[];
}

const ends: Readonly<Record<SessionSpan['end'], string>> = {
  finished: 'finished',
  stopped: 'stopped',
  interrupted: 'interrupted, checkpointed',
  failed: 'failed',
  running: 'killed: the process died',
  left: 'interrupted or killed',
};

/** Returns the section about sessions: when each process worked on the run, and the writes sent over that time. */
export function renderSessionSection(spans: readonly SessionSpan[], pace: WritesOverTime): Markup {
  const time = workingTime(spans, width);
  if (time === undefined) return html``;
  return html`<section>
<h3>Sessions</h3>
${timeLine(spans.slice(-mostDrawn), time, spans[0]?.from ?? 0, pace)}
${renderScrollableTable(
  'Sessions',
  ['started', 'last seen', { n: 'worked' }, 'process', 'end'],
  spans.slice(-mostDrawn).map((span) => sessionRow(span, spans.indexOf(span))),
)}
${spans.length > mostDrawn ? html`<p class="note">The newest of ${renderSummaryValue(['sessions', 'length'], formatCount(spans.length))} sessions.</p>` : undefined}
</section>`;
}

function sessionRow({ from, to, pid, host, end }: SessionSpan, index: number): Markup {
  const time = (key: string, at: number) =>
    html`<td>${renderSummaryValue(['sessions', index, key], formatLocalTime(at), 'time')}</td>`;
  const worked = renderSummaryValue(
    ['sessions', index, 'seconds'],
    formatDuration((to - from) / 1_000),
    'duration',
  );
  return html`<tr>${time('startedAt', from)}${time('lastSeenAt', to)}<td class="n">${worked}</td><td class="given">${pid} on ${host}</td><td>${ends[end]}</td></tr>`;
}

function timeLine(
  spans: readonly SessionSpan[],
  time: WorkingTime,
  from: number,
  pace: WritesOverTime,
): Markup {
  const peak = Math.max(0, ...pace.stretches.map(({ n }) => n));
  const top = peak === 0 ? 0 : chartHeight;
  const height = top + 6 + laneHeight + 18;
  const bars = spans.map((span) => {
    const x = time.x(span.from);
    const kind = span.end === 'finished' ? 'whole' : 'cut';
    return html`<rect x="${round(x)}" y="${top + 6}" width="${round(Math.max(3, time.x(span.to) - x))}" height="${laneHeight}" rx="3" class="session ${kind}"><title>${ends[span.end]}</title></rect>`;
  });
  const breaks = time.breaks.map(({ from: begin, to }) => {
    const x = round((time.x(begin) + time.x(to)) / 2);
    return html`<text x="${x}" y="${top + laneHeight + 3}" text-anchor="middle" class="break">⋯</text><text x="${x}" y="${height - 3}" text-anchor="middle" class="between">${formatDuration((to - begin) / 1000)}</text>`;
  });
  const label = `${formatQuantity(spans.length, 'session')}, ${formatDuration(sumWorkedSeconds(spans))} of work`;
  return html`<figure class="time">
${peak === 0 ? undefined : html`<figcaption>Writes to the workspace over the time worked</figcaption>`}
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${label}">${peak === 0 ? undefined : paceArea(time, from, pace, peak)}${bars}${breaks}</svg>
<div class="ends"><span>${clock(spans[0]?.from ?? from)}</span><span>${clock(spans.at(-1)?.to ?? from)}</span></div>
</figure>`;
}

function paceArea(time: WorkingTime, from: number, pace: WritesOverTime, peak: number): Markup {
  const points = new Map<number, number>();
  for (const { stretch, n } of pace.stretches) {
    points.set(stretch, n);
    if (!points.has(stretch + 1)) points.set(stretch + 1, 0);
  }
  const drawn = [...points].sort(([a], [b]) => a - b);
  const y = scaleLinear([0, peak], [chartHeight, 2]);
  const path = area<readonly [number, number]>()
    .x(([stretch]) => round(time.x(from + stretch * pace.width)))
    .y0(chartHeight)
    .y1(([, n]) => round(y(n)))
    .curve(curveStepAfter);
  return html`<line x1="0" x2="${width}" y1="${chartHeight}" y2="${chartHeight}" class="grid"/><path class="pace" d="${path(drawn) ?? ''}"/>`;
}

function clock(at: number): string {
  const { clock: time, zone } = formatLocalTimeParts(at);
  return `${time} ${zone}`;
}

function round(n: number): number {
  return Math.round(n * 10) / 10;
}
