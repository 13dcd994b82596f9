import type { PlanDetails, PlanSummary, PlanValidity } from '../../wire/plans.ts';
import { activity } from '../activity.ts';
import { formatCount, formatDateTime, formatDuration } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t, translateEngineText } from '../language.ts';
import { StackedBar } from '../parts/bar.tsx';
import { LeftBehindList } from '../parts/left-behind.tsx';
import { FactList } from '../parts/lists.tsx';
import { Notice, ProblemNotice, Section } from '../parts/notice.tsx';
import { listRowStateCounts } from '../project.ts';
import { ImportButtons } from '../run/import-buttons.tsx';
import { listRowStatesOfPipeline } from '../run/run-state.tsx';
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
  const isOutdated = activity.value?.progress?.isPlanOutdated;
  const { value: state, problem: unknown } = useRouteAnswer(
    'planState',
    { pipeline, path },
    String(isOutdated),
  );
  if (plan.value === undefined) return <ProblemNotice problem={problem.value} />;
  const { summary, sorts, guard, command, steps } = plan.value;
  return (
    <>
      <Section title={t('What it would do')}>
        {state.value?.outOfDate && (
          <Notice
            tone="look"
            message={t('This plan is out of date: {why}.', {
              why: translateEngineText(state.value.outOfDate),
            })}
            next={t('Make a new plan.')}
          />
        )}
        <ProblemNotice problem={unknown.value} />
        {summary.error !== null && (
          <Notice tone="bad" message={t('The import would stop: {why}', { why: summary.error })} />
        )}
        <Facts summary={summary} />
        <StackedBar
          label={t('What would happen to the rows')}
          parts={listRowStatesOfPipeline(summary.rows, pipeline)}
        />
        <ImportIt {...{ command, summary, guard }} state={state.value} />
      </Section>
      <div class="beside">
        <PlannedChanges fields={summary.fields} steps={steps} />
        <div>
          <GuardLimitTable limits={guard} />
          <PlannedRequestTable summary={summary} />
        </div>
      </div>
      {summary.leftBehind.length > 0 && (
        <section>
          <LeftBehindList items={summary.leftBehind} pipeline={pipeline} heading="h2" />
        </section>
      )}
      <PlanDiffTable path={path} sorts={sorts} />
      <UnpredictableEffectList summary={summary} />
    </>
  );
}

function readOf({ rows }: PlanSummary): number {
  return Object.values(rows).reduce((sum, n) => sum + n, 0);
}

function Facts({ summary }: { readonly summary: PlanSummary }) {
  const { target, madeAt, continues, limit } = summary;
  const { leastSeconds, likelySeconds, bottleneck } = summary.time;
  const what = {
    rate: t('the rate limit of {request}', { request: bottleneck.request ?? '' }),
    latency: t('waiting for answers'),
    machine: null,
  }[bottleneck.kind];
  const n = readOf(summary);
  const seconds = likelySeconds ?? leastSeconds;
  const time = formatDuration(seconds);
  return (
    <FactList
      facts={{
        [t('Workspace')]: target === 'sandbox' ? t('the local sandbox') : target,
        [t('Made')]: formatDateTime(madeAt),
        [t('Rows')]:
          limit === null ? formatCount(n) : t('{n, number}, the first {limit, number} at most', { n, limit }),
        [t('Continues run')]: continues,
        [t('Time')]:
          seconds < 1
            ? null
            : likelySeconds === null
              ? t('at least {time}', { time })
              : t('about {time}', { time }),
        [t('Limited by')]: what,
      }}
    />
  );
}

/** What would happen to the rows, as a plan says. */
export function PlannedRowCounts({ summary }: { readonly summary: PlanSummary }) {
  const counts = listRowStateCounts(summary.rows).filter(({ n }) => n > 0);
  return (
    <>
      <p>{t('{n, plural, one {# row} other {All # rows}}, as the plan says:', { n: readOf(summary) })}</p>
      <FactList facts={Object.fromEntries(counts.map(({ label, n }) => [label, formatCount(n)]))} />
    </>
  );
}

interface ImportItProps extends Pick<PlanDetails, 'command' | 'summary' | 'guard'> {
  readonly state: PlanValidity | undefined;
}

/** A button that imports this plan; disabled if the import would be refused. */
function ImportIt({ command, summary, guard, state }: ImportItProps) {
  const isOver = guard.some((each) => each.isOver);
  return (
    <>
      <ImportButtons
        command={isOver ? { ...command, yes: true } : command}
        rows={readOf(summary)}
        disabled={state === undefined || state.outOfDate !== null || summary.error !== null}
        title={t('Import exactly this plan?')}
      >
        <PlannedRowCounts summary={summary} />
        {isOver && <p class="wrong">{t('This is more than the guard of the pipeline allows.')}</p>}
      </ImportButtons>
      <p class="note">
        {t(
          'Exactly what the plan says is sent, and nothing else. A contact that changes before then is left alone, and its row is listed as stale.',
        )}
      </p>
    </>
  );
}
