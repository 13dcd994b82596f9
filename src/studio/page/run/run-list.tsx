import type { RunListEntry } from '../../wire/runs.ts';
import { formatCountWithNoun, formatDateTime, formatDuration } from '../figures.ts';
import { useRouteEvents } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { runStateTones } from './run-state.ts';

/** The list of the work dir's runs. */
export function RunList() {
  const { value, problem } = useRouteEvents('watchActivity', {});
  const runs = value.value?.runs;
  return (
    <section aria-labelledby="runs-head">
      <h2 id="runs-head">Runs</h2>
      <ProblemNotice problem={problem.value} />
      {runs?.length === 0 && <p>Nothing has run here yet.</p>}
      {runs !== undefined && runs.length > 0 && (
        <ul class="runs">
          {runs.map((run) => (
            <Line key={run.run} run={run} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ run: { run, kind, state, startedAt, rows, seconds } }: { readonly run: RunListEntry }) {
  return (
    <li>
      <a href={buildHref('run', run)}>{run}</a>
      <span class={`tag ${runStateTones[state]}`}>{state}</span>
      <span class="note">
        {formatDateTime(startedAt)}, {kind === 'import' && `${formatCountWithNoun(rows, 'row')}, `}
        {formatDuration(seconds)}
      </span>
    </li>
  );
}
