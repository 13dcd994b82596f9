import type { RunWithMergeProposals } from '../../wire/merges.ts';
import { formatTime } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { SelectField } from '../parts/controls.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { buildHref, goTo } from '../place.ts';
import { formatRunName } from '../run/run-name.ts';
import { MergeReview } from './review.tsx';

/** `#/merges/RUN`: the proposed merges of a run; `#/merges`: those of the latest run that has some. */
export function MergesView({ rest: [named] }: { readonly rest: readonly string[] }) {
  const { value, problem } = useRouteAnswer('mergeRuns', {});
  const runs = value.value?.runs ?? [];
  const chosen = named === undefined ? runs[0] : runs.find(({ run }) => run === named);
  return (
    <>
      <ProblemNotice problem={problem.value} />
      {value.value !== undefined && runs.length === 0 && (
        <section>
          {t(
            'No run has proposed a merge. If a row leads to two contacts, an import proposes to merge them and waits for your answer.',
          )}
        </section>
      )}
      {runs.length > 0 && chosen === undefined && (
        <Notice tone="look" message={t('Run {run} has proposed no merges.', { run: named ?? '' })} />
      )}
      {runs.length > 1 && (
        <SelectField
          label={t('Run')}
          value={chosen?.run ?? ''}
          options={runs.map((each) => [each.run, choiceName(each)])}
          onChoose={(run) => goTo(buildHref('merges', run))}
        />
      )}
      {runs.length === 1 && chosen !== undefined && <p title={chosen.run}>{formatRunName(chosen)}</p>}
      {chosen !== undefined && <MergeReview key={chosen.run} run={chosen.run} />}
    </>
  );
}

/** Formats the name of a run for a choice between runs; the time distinguishes runs of the same day. */
function choiceName(run: RunWithMergeProposals): string {
  return t('{run}, {time}: {n, plural, one {# proposal} other {# proposals}}', {
    run: formatRunName(run),
    time: formatTime(run.startedAt),
    n: run.proposals,
  });
}
