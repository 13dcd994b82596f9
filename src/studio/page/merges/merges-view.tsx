import type { RunWithMergeProposals } from '../../wire/merges.ts';
import { formatCountWithNoun, formatDateTime } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { SelectField } from '../parts/choice.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { buildHref, goTo } from '../place.ts';
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
        <p>
          No run has proposed a merge. Where a row leads to two contacts, an import with{' '}
          <code>onConflict: review</code> proposes to merge them and waits for your answer.
        </p>
      )}
      {runs.length > 0 && chosen === undefined && (
        <Notice tone="look">
          <p class="message">Run {named} has proposed no merges.</p>
        </Notice>
      )}
      {runs.length > 1 && (
        <SelectField
          label="Run"
          value={chosen?.run ?? ''}
          options={runs.map((each) => [each.run, runName(each)])}
          onChoose={(run) => goTo(buildHref('merges', run))}
        />
      )}
      {chosen !== undefined && <MergeReview key={chosen.run} run={chosen.run} />}
    </>
  );
}

function runName({ pipeline, startedAt, proposals }: RunWithMergeProposals): string {
  return `${pipeline}, ${formatDateTime(startedAt)}: ${formatCountWithNoun(proposals, 'proposal')}`;
}
