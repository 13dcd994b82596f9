import { useSignal } from '@preact/signals';
import type { CheckOutput } from '../../wire/processes.ts';
import { rowOptionsOfTab } from '../activity.ts';
import { formatDateTime } from '../figures.ts';
import { useLatestStreamEvent, useRouteAnswer } from '../hooks.ts';
import { NoPipelinesNotice, setDefaultImportPipeline, useImportPipelines } from '../import-pipelines.tsx';
import { t } from '../language.ts';
import { SandboxCheckbox } from '../parts/connect.tsx';
import { SelectField } from '../parts/controls.tsx';
import { LeftBehindList } from '../parts/left-behind.tsx';
import { Section } from '../parts/notice.tsx';
import { PlannedRowCounts } from '../plan/show-plan.tsx';
import { workspaceOfTab } from '../project.ts';
import { CheckPipelineSection, FindingList } from './check-pipeline.tsx';
import { ImportButtons } from './import-buttons.tsx';

/** The form that chooses a pipeline, checks it, and starts the import. */
export function StartImportSection() {
  const listed = useImportPipelines();
  const found = useSignal<CheckOutput | null | undefined>(undefined);
  const { paths = [], first: pipeline } = listed;
  return (
    <Section title={t('Start an import')}>
      <NoPipelinesNotice {...listed} />
      {pipeline !== undefined && (
        <>
          <SelectField
            label={t('Pipeline')}
            value={pipeline}
            options={paths.map((path) => [path, path])}
            onChoose={(path) => {
              setDefaultImportPipeline(path);
              found.value = undefined;
            }}
          />
          <CheckPipelineSection
            key={pipeline}
            pipeline={pipeline}
            label={t('Check the rows')}
            onFound={(result) => (found.value = result)}
          />
          <SandboxCheckbox label={t('Into the local sandbox, to try it out')} />
          <ImportButtons
            command={{ command: 'import', pipeline, ...rowOptionsOfTab(pipeline) }}
            rows={found.value?.rows?.read}
            title={t('Start this import?')}
          >
            <Expected found={found.value} pipeline={pipeline} />
          </ImportButtons>
        </>
      )}
    </Section>
  );
}

/** What a check has found about the rows; before one, what the plan for the workspace of this tab says. */
function Expected({
  found,
  pipeline,
}: {
  readonly found: CheckOutput | null | undefined;
  readonly pipeline: string;
}) {
  if (found === undefined) return <ExpectedByPlan pipeline={pipeline} />;
  const { findings, rows, leftBehind } = found ?? { findings: [], rows: null, leftBehind: [] };
  const wrong = findings.filter(({ verdict }) => verdict === 'wrong');
  return (
    <>
      {rows === null && found !== null && wrong.length === 0 && <NotChecked />}
      {rows === null && (found === null || wrong.length > 0) && (
        <p>{t('The check of the rows failed: how many will pass is not known.')}</p>
      )}
      {wrong.length > 0 && <FindingList findings={wrong} />}
      {rows !== null && (
        <p>
          {t(
            '{read, plural, one {# row} other {# rows}} in the input: {pass, plural, one {# row passes} other {# rows pass}}; {rejected, plural, one {# row} other {# rows}} would be rejected{proposed, plural, =0 {} one {; # row waits for your answer} other {; # rows wait for your answer}}{left, plural, =0 {} one {; # row is left out} other {; # rows are left out}}.',
            { ...rows, left: rows.skipped + rows.filtered },
          )}
        </p>
      )}
      <LeftBehindList items={leftBehind} />
    </>
  );
}

function ExpectedByPlan({ pipeline }: { readonly pipeline: string }) {
  const command = { command: 'import', pipeline, ...workspaceOfTab() } as const;
  const { value: target } = useRouteAnswer('commandTarget', { command });
  const { value: kept } = useLatestStreamEvent('watchPlans', { pipeline });
  const plan = kept.value?.plans.find((each) => each.target === target.value?.workspace);
  const request = plan === undefined ? null : { pipeline, path: plan.path };
  const { value: details, problem } = useRouteAnswer('plan', request);
  const { value: state, problem: unknown } = useRouteAnswer('planState', request);
  const isLoading = target.value === undefined || kept.value === undefined;
  if (isLoading || (plan && !(details.value && state.value) && !(problem.value ?? unknown.value)))
    return <p role="status">{t('Reading…')}</p>;
  if (plan === undefined || !details.value || !state.value) return <NotChecked />;
  const time = formatDateTime(plan.madeAt);
  const { summary } = details.value;
  if (state.value.outOfDate !== null)
    return (
      <p>
        {t(
          'The plan of {time} is out of date: {why}. Press Check the rows first to see how many will pass.',
          { time, why: state.value.outOfDate },
        )}
      </p>
    );
  if (summary.limit !== null) return <NotChecked />;
  return (
    <>
      <p>{t('Every row was checked for the plan of {time}.', { time })}</p>
      <PlannedRowCounts summary={summary} />
      <LeftBehindList items={summary.leftBehind} pipeline={pipeline} />
    </>
  );
}

function NotChecked() {
  return (
    <p>
      {t(
        'The rows were not checked: how many will pass, and what the import would leave behind, is not known. Press Check the rows first to see it.',
      )}
    </p>
  );
}
