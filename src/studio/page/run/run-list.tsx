import type { RunLine } from '../../wire/runs.ts';
import { counted, dateTime, duration } from '../figures.ts';
import { useEvents } from '../hooks.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { hrefOf } from '../place.ts';
import { stateTones } from './state-tones.ts';

/** The list of the work dir's runs. */
export function RunList() {
  const { value, problem } = useEvents('watchActivity', {});
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

function Line({ run: { run, kind, state, startedAt, rows, seconds } }: { readonly run: RunLine }) {
  return (
    <li>
      <a href={hrefOf('run', run)}>{run}</a>
      <span class={`tag ${stateTones[state]}`}>{state}</span>
      <span class="note">
        {dateTime(startedAt)}, {kind === 'import' && `${counted(rows, 'row')}, `}
        {duration(seconds)}
      </span>
    </li>
  );
}
