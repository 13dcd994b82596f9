import { useSignal } from '@preact/signals';
import type { ExportPipelineEntry, ExportRun } from '../../wire/history.ts';
import { formatDateTime } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { rich, t } from '../language.ts';
import { SandboxCheckbox } from '../parts/connect.tsx';
import { Checkbox } from '../parts/controls.tsx';
import { Notice, Section } from '../parts/notice.tsx';
import { ExportPipelineNotices } from '../parts/pipeline-notices.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { project, workspaceOfTab } from '../project.ts';
import { CheckPipelineSection } from '../run/check-pipeline.tsx';
import { ExportRunTable } from './nights.tsx';
import { VerifyFolderSection } from './verify-folder.tsx';

/** The page of an export pipeline: buttons to check and run it, and its exports so far. */
export function ExportPipelinePage({ pipeline }: { readonly pipeline: string }) {
  const { value, problem } = useRouteAnswer('exportPipelines', {});
  const { value: made, problem: unread } = useRouteAnswer('nights', { pipeline });
  const found = value.value?.pipelines.find((each) => each.pipeline === pipeline);
  const nights = made.value?.nights ?? [];
  const latest = nights[0];
  const newest = nights.find((night) => night.folder !== null)?.folder ?? undefined;
  return (
    <>
      <Section title={pipeline} problem={problem.value ?? unread.value}>
        {value.value !== undefined && found === undefined && (
          <p>{t('Its file is not below this folder any more; its exports are listed below.')}</p>
        )}
        {latest?.message && (
          <Notice
            tone="look"
            message={t('The latest export, on {time}: {message}', {
              time: formatDateTime(latest.startedAt),
              message: latest.message,
            })}
          />
        )}
        {found !== undefined && <Start found={found} nights={nights} />}
      </Section>
      {nights.length > 0 && <ExportRunTable nights={nights} rhythm={found?.rhythm ?? null} />}
      {newest !== undefined && <VerifyFolderSection folders={nights.flatMap(({ folder }) => folder ?? [])} />}
    </>
  );
}

function Start({
  found,
  nights,
}: {
  readonly found: ExportPipelineEntry;
  readonly nights: readonly ExportRun[];
}) {
  const { path: pipeline, what, to } = found;
  const isFull = useSignal(false);
  const workspace = workspaceOfTab();
  const isIncremental = what.some((kind) => kind.includes('incremental'));
  return (
    <>
      <ExportPipelineNotices pipelines={[found]} />
      <p class="note">
        {rich('{what} → {folder}, as {file} says', {
          what: what.join(', '),
          folder: <code>{to}</code>,
          file: <code>{pipeline}</code>,
        })}
      </p>
      <SandboxCheckbox label={t('From the local sandbox, to try it out')} />
      {isIncremental && (
        <Checkbox
          label={t('Everything, not only what is new')}
          checked={isFull.value}
          onChange={(checked) => (isFull.value = checked)}
        />
      )}
      <CheckPipelineSection pipeline={pipeline} label={t('Check')} />
      <StartButton
        label={t('Export')}
        command={{ command: 'export', pipeline, ...workspace, ...(isFull.value && { full: true }) }}
        confirm={{ title: t('Start this export?'), children: t('It only reads the workspace.') }}
      />
      {isIncremental && nights.length > 0 && (
        <StartButton
          label={t('Combine')}
          quiet
          command={{ command: 'export', pipeline, ...workspace, compact: true }}
          confirm={{
            title: t('Combine the increments?'),
            children: t('The latest export and those that it builds on become one full export.'),
          }}
        />
      )}
      <p class="note">
        {rich('To run it every night: {command} prints the timer for systemd, cron or Kubernetes.', {
          command: (
            <code>
              {project.value.typing.program} schedule {pipeline}
            </code>
          ),
        })}
      </p>
    </>
  );
}
