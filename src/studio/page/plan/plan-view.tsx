import type { StoredPlanEntry } from '../../wire/plans.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import { activity, rowOptionsOfTab } from '../activity.ts';
import { formatDateTime } from '../figures.ts';
import { useLatestStreamEvent } from '../hooks.ts';
import { NoPipelinesNotice, useImportPipelines, useSetDefaultImportPipeline } from '../import-pipelines.tsx';
import { t } from '../language.ts';
import { SandboxCheckbox } from '../parts/connect.tsx';
import { SelectField } from '../parts/controls.tsx';
import { Notice, ProblemNotice, Section } from '../parts/notice.tsx';
import { ProcessMessages } from '../parts/process-messages.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { buildHref, goTo } from '../place.ts';
import { RehearsalSection } from './rehearse.tsx';
import { PlanPage } from './show-plan.tsx';

/** `#/plan/PIPELINE`: the newest plan of a pipeline; `#/plan/PIPELINE/FILE`: one of its plans. */
export function PlanView({ rest: [named, path] }: { readonly rest: readonly string[] }) {
  const listed = useImportPipelines();
  const pipeline = named ?? listed.first;
  useSetDefaultImportPipeline(named);
  return (
    <>
      {listed.paths?.length === 0 ? (
        <section>
          <NoPipelinesNotice {...listed} />
        </section>
      ) : (
        <ProblemNotice problem={listed.problem} />
      )}
      {pipeline !== undefined && listed.paths !== undefined && (
        <PlansOf key={pipeline} pipeline={pipeline} path={path} pipelines={listed.paths} />
      )}
    </>
  );
}

interface PlansOfProps {
  readonly pipeline: string;
  readonly path: string | undefined;
  readonly pipelines: readonly string[];
}

function PlansOf({ pipeline, path, pipelines }: PlansOfProps) {
  const { value: kept, problem } = useLatestStreamEvent('watchPlans', { pipeline });
  const newest = (command: string) =>
    activity.value?.processes.find(
      (each) =>
        each.command.command === command && 'pipeline' in each.command && each.command.pipeline === pipeline,
    );
  const plans = kept.value?.plans ?? [];
  const plan = plans.find((each) => each.path === path) ?? (path === undefined ? plans[0] : undefined);
  const planning = newest('plan');
  const options = rowOptionsOfTab(pipeline);
  return (
    <>
      <Section title={t('Plan an import')}>
        <p class="note lead">
          {t('A plan reads the workspace and decides everything as the import would. Nothing is sent.')}
        </p>
        <ProblemNotice problem={problem.value} />
        <div class="fields">
          <SelectField
            label={t('Pipeline')}
            value={pipeline}
            options={[...new Set([pipeline, ...pipelines])].map((each) => [each, each])}
            onChoose={(chosen) => goTo(buildHref('plan', chosen))}
          />
          {plans.length > 1 && plan !== undefined && (
            <SelectField
              label={t('Kept plan')}
              value={plan.path}
              options={plans.map((each) => [each.path, planName(each)])}
              onChoose={(chosen) => goTo(buildHref('plan', pipeline, chosen))}
            />
          )}
        </div>
        <SandboxCheckbox label={t('For the local sandbox, to try it out')} />
        {kept.value !== undefined && (
          <StartButton
            label={plans.length === 0 ? t('Make a plan') : t('Make a new plan')}
            quiet={plans.length > 0}
            command={{ command: 'plan', pipeline, ...options, out: kept.value.out }}
            disabled={planning?.state === 'running'}
            onStarted={() => goTo(buildHref('plan', pipeline))}
          />
        )}
        {planning !== undefined && <Planning process={planning} newest={plans[0]} />}
      </Section>
      {path !== undefined && kept.value !== undefined && plan === undefined && (
        <Notice tone="look" message={t('There is no plan {path} of this pipeline any more.', { path })} />
      )}
      {plan !== undefined && (
        <PlanPage key={`${plan.path} ${plan.madeAt}`} pipeline={pipeline} path={plan.path} />
      )}
      {activity.value !== undefined && kept.value !== undefined && (
        <RehearsalSection pipeline={pipeline} options={options} process={newest('rehearse')} />
      )}
    </>
  );
}

function planName({ path, madeAt, target }: StoredPlanEntry): string {
  return `${formatDateTime(madeAt)}, ${target}, ${path}`;
}

/** The messages of the process that makes a plan; after a success only a sentence. */
function Planning({
  process,
  newest,
}: {
  readonly process: StudioProcess;
  readonly newest: StoredPlanEntry | undefined;
}) {
  const isRunning = process.state === 'running';
  const isKept = newest !== undefined && newest.madeAt >= process.startedAt;
  if (!isRunning && isKept) return <p role="status">{t('The plan is made.')}</p>;
  return (
    <>
      {isRunning && <p role="status">{t('Planning: every row is decided as the import would…')}</p>}
      <ProcessMessages
        key={process.id}
        id={process.id}
        failure={isRunning ? undefined : t('No plan could be made.')}
      />
    </>
  );
}
