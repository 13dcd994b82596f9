import type { PlanDetails, PlanSummary, PlanValidity } from '../../wire/plans.ts';
import { formatCount, formatCountWithNoun, formatDateTime, formatDuration } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { StackedBar } from '../parts/bar.tsx';
import { FactList } from '../parts/facts.tsx';
import { LeftBehindList } from '../parts/left-behind.tsx';
import { Notice, ProblemNotice } from '../parts/notice.tsx';
import { listRowStateCounts } from '../project.ts';
import { ImportButtons } from '../run/import-buttons.tsx';
import { PlannedChanges } from './changes.tsx';
import { PlanDiffTable } from './diff.tsx';
import { GuardLimitTable, PlannedRequestTable, UnpredictableEffectList } from './plan-limits.tsx';

interface ShowPlanProps {
  readonly pipeline: string;
  readonly path: string;
}

/** The page of a stored plan: its figures, its validity, its diff, and the button that imports it. */
export function PlanPage({ pipeline, path }: ShowPlanProps) {
  const { value: plan, problem } = useRouteAnswer('plan', { pipeline, path });
  const { value: state, problem: unknown } = useRouteAnswer('planState', { pipeline, path });
  if (plan.value === undefined) return <ProblemNotice problem={problem.value} />;
  const { summary, sorts, guard, command, steps } = plan.value;
  return (
    <>
      <section aria-labelledby="comes-head">
        <h2 id="comes-head">What it would do</h2>
        {state.value?.outOfDate && (
          <Notice tone="look">
            <p class="message">This plan is out of date: {state.value.outOfDate}.</p>
            <p class="next">Make a new plan.</p>
          </Notice>
        )}
        <ProblemNotice problem={unknown.value} />
        {summary.error !== null && (
          <Notice tone="bad">
            <p class="message">The import would stop: {summary.error}</p>
          </Notice>
        )}
        <Facts summary={summary} />
        <StackedBar label="What would become of the rows" parts={listRowStateCounts(summary.rows)} />
        <ImportIt {...{ command, summary, guard }} state={state.value} />
      </section>
      <div class="beside">
        <PlannedChanges fields={summary.fields} steps={steps} />
        <div>
          <GuardLimitTable limits={guard} />
          <PlannedRequestTable summary={summary} />
        </div>
      </div>
      <LeftBehindList items={summary.leftBehind} />
      <PlanDiffTable path={path} sorts={sorts} />
      <UnpredictableEffectList summary={summary} />
    </>
  );
}

function readOf({ rows }: PlanSummary): number {
  return Object.values(rows).reduce((sum, n) => sum + n, 0);
}

function Facts({ summary }: { readonly summary: PlanSummary }) {
  const { target, madeAt, continues, limit, time } = summary;
  const { leastSeconds, likelySeconds, bottleneck } = time;
  const what = {
    rate: `the rate limit of ${bottleneck.request ?? ''}`,
    latency: 'waiting for answers',
    machine: 'this machine',
  }[bottleneck.kind];
  const likely = likelySeconds === null ? '' : `about ${formatDuration(likelySeconds)}, `;
  return (
    <FactList
      facts={{
        Workspace: target === 'sandbox' ? 'the local sandbox' : target,
        Made: formatDateTime(madeAt),
        Rows:
          formatCount(readOf(summary)) + (limit === null ? '' : `, the first ${formatCount(limit)} at most`),
        'Continues run': continues,
        Time: `${likely}at least ${formatDuration(leastSeconds)}`,
        'Most of it is': what,
      }}
    />
  );
}

interface ImportItProps extends Pick<PlanDetails, 'command' | 'summary' | 'guard'> {
  /** The validity of the plan; undefined while it is loading. */
  readonly state: PlanValidity | undefined;
}

/** A button that imports this plan; disabled if the import would be refused. */
function ImportIt({ command, summary, guard, state }: ImportItProps) {
  const { created, updated, merged } = summary.rows;
  const isOver = guard.some((each) => each.isOver);
  return (
    <>
      <ImportButtons
        command={isOver ? { ...command, yes: true } : command}
        rows={readOf(summary)}
        disabled={state === undefined || state.outOfDate !== null || summary.error !== null}
        title="Import exactly this plan?"
      >
        <p>
          The plan: {formatCountWithNoun(created, 'contact')} created, {formatCount(updated)} updated,{' '}
          {formatCount(merged)} merged, out of {formatCountWithNoun(readOf(summary), 'row')}.
        </p>
        {isOver && <p class="over">This is more than the guard of the pipeline allows.</p>}
      </ImportButtons>
      <p class="note">
        Exactly what the plan says is sent, and nothing else. A contact that somebody changes before then is
        left alone, and its row is stale.
      </p>
    </>
  );
}
