import type { ExportPipelineEntry } from '../../wire/history.ts';
import { formatDateTime } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { ButtonLink } from '../parts/controls.tsx';
import { Section } from '../parts/notice.tsx';
import { ExportPipelineNotices } from '../parts/pipeline-notices.tsx';
import { buildHref } from '../place.ts';
import { RunStateTag } from '../run/run-state.tsx';
import { NewExportForm } from './new-export.tsx';
import { ExportPipelinePage } from './one-export.tsx';

/** `#/exports`: the export pipelines; `#/exports/new`: a form for a new one; `#/exports/NAME`: one. */
export function ExportsView({ rest: [pipeline] }: { readonly rest: readonly string[] }) {
  if (pipeline === 'new') return <NewExportForm />;
  return pipeline === undefined ? (
    <ExportPipelineList />
  ) : (
    <ExportPipelinePage key={pipeline} pipeline={pipeline} />
  );
}

function ExportPipelineList() {
  const { value, problem } = useRouteAnswer('exportPipelines', {});
  const pipelines = value.value?.pipelines;
  return (
    <Section title={t('Pipelines that export')} problem={problem.value}>
      <ExportPipelineNotices pipelines={pipelines ?? []} />
      {pipelines?.length === 0 && <p>{t('There are none in this folder yet.')}</p>}
      <ul class="lines">
        {pipelines?.map((pipeline) => (
          <li key={pipeline.path}>
            <OnePipeline pipeline={pipeline} />
          </li>
        ))}
      </ul>
      <p>
        <ButtonLink label={t('New export')} href={buildHref('exports', 'new')} />
      </p>
    </Section>
  );
}

function OnePipeline({ pipeline: each }: { readonly pipeline: ExportPipelineEntry }) {
  const { pipeline, path, problem, what, to, lastRun, lastSuccessAt } = each;
  return (
    <>
      <p class="row">
        {pipeline === null ? <b>{path}</b> : <a href={buildHref('exports', pipeline)}>{pipeline}</a>}
        {lastRun !== null && <RunStateTag run={lastRun} />}
      </p>
      {problem !== null && (
        <p class="wrong">
          {problem} <code>longshore check {path}</code>
        </p>
      )}
      {pipeline !== null && (
        <p class="note">
          {what.join(', ')} → <code>{to}</code>
          <br />
          {lastSuccessAt === null
            ? t('No export yet')
            : t('Last complete export: {time}', { time: formatDateTime(lastSuccessAt) })}
        </p>
      )}
    </>
  );
}
