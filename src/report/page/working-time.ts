import { scaleUtc } from 'd3-scale';
import { type SessionSpan, workedSeconds } from '../sessions.ts';

/** How wide a stretch between two sessions is drawn, however long it lasted. */
const breakWidth = 44;

/** Where a moment (ms) stands on a line of `width` on which the hours between two sessions take little room. */
export interface WorkingTime {
  readonly x: (at: number) => number;
  /** The breaks, each between two sessions. */
  readonly breaks: readonly { readonly from: number; readonly to: number }[];
}

/** The line of a run's sessions; those that follow each other closely are not broken apart. */
export function workingTime(spans: readonly SessionSpan[], width: number): WorkingTime | undefined {
  const first = spans[0];
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const busy = Math.max(1, workedSeconds(spans) * 1000);
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
  return { x: (moment) => scale(moment), breaks };
}
