import { callRoute } from '../call.ts';
import { useAsyncAction } from '../hooks.ts';
import { setDefaultImportPipeline } from '../import-pipelines.tsx';
import { t } from '../language.ts';
import { Button } from '../parts/controls.tsx';
import { ProblemNotice, Section } from '../parts/notice.tsx';
import { buildHref, goTo } from '../place.ts';
import { project } from '../project.ts';
import { InputChooser } from './choose-input.tsx';
import { ProjectImportList } from './imports.tsx';
import { InputPage } from './input-page.tsx';
import { NewerInputIntroduction } from './newer-input.tsx';

/**
 * `#/files`: the choice of an input; `#/files/PATH`: its preview; `#/files//PIPELINE`, `#/files/PATH/PIPELINE`: the same
 * for a newer file of an import.
 */
export function FilesView({ rest: [path = '', pipeline] }: { readonly rest: readonly string[] }) {
  const { opened, readOnly } = project.value;
  const isInput = opened !== null && !/\.ya?ml$/i.test(opened);
  const first = isInput && pipeline === undefined ? opened : undefined;
  const shown = path === '' ? first : path;
  const ofImport = pipeline === undefined ? [] : [pipeline];
  return (
    <>
      {shown === undefined && pipeline !== undefined && <NewerInputIntroduction pipeline={pipeline} />}
      <InputChooser chosen={shown} onChosen={(path) => goTo(buildHref('files', path, ...ofImport))} />
      {shown === undefined && pipeline === undefined && <ProjectImportList />}
      {shown === undefined && pipeline === undefined && !readOnly && <SampleSection />}
      {shown !== undefined && <InputPage key={shown} path={shown} pipeline={pipeline} />}
    </>
  );
}

function SampleSection() {
  const { problem, attempt } = useAsyncAction();
  const open = async () => {
    const { pipeline, mapping } = await callRoute('addSample', {});
    setDefaultImportPipeline(pipeline);
    goTo(buildHref('mapping', mapping));
  };
  return (
    <Section title={t('Just looking?')}>
      <p>
        {t(
          'The sample is a messy export of {n, number} rows. Import it into the local sandbox, check it and undo it: about three minutes, and nothing leaves this machine.',
          { n: 1_977 },
        )}
      </p>
      <Button class="quiet" label={t('Try it with sample data')} onClick={() => attempt(open)} />
      <ProblemNotice problem={problem.value} />
    </Section>
  );
}
