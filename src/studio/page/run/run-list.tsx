import type { RunListEntry } from '../../wire/runs.ts';
import { activity, activityProblem } from '../activity.ts';
import { formatDateTime, formatDuration } from '../figures.ts';
import { t } from '../language.ts';
import { ProblemNotice } from '../parts/notice.tsx';
import { buildHref } from '../place.ts';
import { formatRunName } from './run-name.ts';
import { RunStateTag } from './run-state.tsx';

/** The list of the work dir's runs. */
export function RunList() {
  const runs = activity.value?.runs;
  return (
    <section aria-labelledby="runs-head">
      <h2 id="runs-head">{t('Runs')}</h2>
      <ProblemNotice problem={activityProblem.value} />
      {runs?.length === 0 && <p>{t('Nothing has run here yet.')}</p>}
      {runs !== undefined && runs.length > 0 && (
        <ul class="lines aligned">
          {runs.map((run) => (
            <Line key={run.run} run={run} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ run }: { readonly run: RunListEntry }) {
  return (
    <li>
      <a href={buildHref('run', run.run)} title={run.run}>
        {formatRunName(run)}
      </a>
      <RunStateTag run={run} />
      <span class="note">
        {formatDateTime(run.startedAt)}, {formatDuration(run.seconds)}
      </span>
    </li>
  );
}
