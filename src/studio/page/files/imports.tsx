import type { ProjectImport } from '../../wire/inputs.ts';
import type { RunListEntry } from '../../wire/runs.ts';
import { activity } from '../activity.ts';
import { formatDateTime } from '../figures.ts';
import { useRouteAnswer } from '../hooks.ts';
import { t } from '../language.ts';
import { ButtonLink } from '../parts/controls.tsx';
import { FactList } from '../parts/lists.tsx';
import { ProblemNotice, Section } from '../parts/notice.tsx';
import { ExternalText } from '../parts/shown-text.tsx';
import { buildHref } from '../place.ts';
import { project } from '../project.ts';
import { formatFileName, formatRunName } from '../run/run-name.ts';
import { RunStateTag } from '../run/run-state.tsx';

/** Returns the imports of all rows by a pipeline, the newest first. */
export function listRunsOfImport({ name }: Pick<ProjectImport, 'name'>): readonly RunListEntry[] {
  const runs = activity.value?.runs ?? [];
  return runs.filter(
    ({ kind, pipeline, selection }) => kind === 'import' && pipeline === name && selection.kind === 'all',
  );
}

/** The imports of the project: the file that each reads, the files that it has imported, and the way to a newer one. */
export function ProjectImportList() {
  const { value, problem } = useRouteAnswer('imports', {});
  const imports = value.value?.imports ?? [];
  if (imports.length === 0) return <ProblemNotice problem={problem.value} />;
  return (
    <Section title={t('Imports of this project')}>
      {imports.map((each) => (
        <OneImport key={each.pipeline} {...each} />
      ))}
    </Section>
  );
}

const mostRuns = 5;

function OneImport({ pipeline, name, input, changedAt }: ProjectImport) {
  const runs = listRunsOfImport({ name }).slice(0, mostRuns);
  return (
    <>
      <h3>
        <ExternalText text={name ?? pipeline} />
      </h3>
      <FactList
        facts={{
          [t('Its file now')]: <a href={buildHref('files', input)}>{formatFileName(input)}</a>,
          [t('File last changed')]: changedAt === null ? t('It is missing.') : formatDateTime(changedAt),
          [t('Imported so far')]: runs.length === 0 ? t('nothing yet') : <Runs runs={runs} />,
        }}
      />
      {!project.value.readOnly && <NewerFileLink pipeline={pipeline} />}
    </>
  );
}

function Runs({ runs }: { readonly runs: readonly RunListEntry[] }) {
  return runs.map((run) => (
    <div key={run.run}>
      <a href={buildHref('hand-over', run.run)}>{formatRunName(run)}</a> <RunStateTag run={run} />
    </div>
  ));
}

/** The link to the choice of a newer file for an import. */
export function NewerFileLink({ pipeline }: { readonly pipeline: string }) {
  return (
    <p class="buttons">
      <ButtonLink
        quiet
        label={t('Import a newer file from the same system')}
        href={buildHref('files', '', pipeline)}
      />
    </p>
  );
}
