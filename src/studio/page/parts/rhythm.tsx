import type { LatePipeline, RunInterval } from '../../wire/history.ts';
import { formatCount, formatCountWithNoun, formatDateTime } from '../figures.ts';
import { Notice } from './notice.tsx';

/** Notices of the pipelines whose next run is overdue. */
export function LatePipelineNotices({ late }: { readonly late: readonly LatePipeline[] }) {
  return (
    <>
      {late.map(({ kind, pipeline, rhythm }) => (
        <Notice key={`${kind} ${pipeline}`} tone="look">
          <p class="message">
            {pipeline}: no {kind} since {formatDateTime(rhythm.lastAt)}, expected {everyWords(rhythm)}
            {rhythm.late > 1 && `: ${formatCount(rhythm.late)} are missing`}.
          </p>
          <p class="next">{guessWords(rhythm)} Does its timer still run?</p>
        </Notice>
      ))}
    </>
  );
}

/** The list of the gaps between runs in which runs are missing; nothing without gaps. */
export function MissingRunList({ rhythm }: { readonly rhythm: RunInterval }) {
  if (rhythm.gaps.length === 0) return null;
  return (
    <>
      <h3>Missing</h3>
      <ul>
        {rhythm.gaps.map(({ from, to, missing }) => (
          <li key={from}>
            {formatCount(missing)} between {formatDateTime(from)} and {formatDateTime(to)}
          </li>
        ))}
      </ul>
      <p class="note">{guessWords(rhythm)}</p>
    </>
  );
}

function guessWords(rhythm: RunInterval): string {
  return `Guessed from when the latest ${formatCountWithNoun(rhythm.times, 'run')} began: ${everyWords(rhythm)}, by the median.`;
}

const [hour, day] = [3_600, 86_400];

/** Formats an interval: `every day`, `every 6 hours`. */
function everyWords({ everySeconds }: RunInterval): string {
  const days = Math.round(everySeconds / day);
  const isDays = days > 0 && Math.abs(everySeconds - days * day) < day / 8;
  if (isDays && days === 7) return 'every week';
  const [n, unit] = isDays ? [days, 'day'] : [Math.max(1, Math.round(everySeconds / hour)), 'hour'];
  return n === 1 ? `every ${unit}` : `every ${formatCount(n)} ${unit}s`;
}
