import { useSignal } from '@preact/signals';
import type { CheckOutput } from '../../wire/processes.ts';
import { rowOptionsOfTab } from '../activity.ts';
import { NoPipelinesNotice, setDefaultImportPipeline, useImportPipelines } from '../import-pipelines.tsx';
import { t } from '../language.ts';
import { SelectField } from '../parts/choice.tsx';
import { SandboxCheckbox } from '../parts/connect.tsx';
import { LeftBehindList } from '../parts/left-behind.tsx';
import { CheckPipelineSection } from './check-pipeline.tsx';
import { ImportButtons } from './import-buttons.tsx';

/** The form that chooses a pipeline, checks it, and starts the import. */
export function StartImportSection() {
  const listed = useImportPipelines();
  const found = useSignal<CheckOutput | undefined>(undefined);
  const { paths = [], first: pipeline } = listed;
  return (
    <section aria-labelledby="start-head">
      <h2 id="start-head">{t('Start an import')}</h2>
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
            <Expected found={found.value} />
          </ImportButtons>
        </>
      )}
    </section>
  );
}

/** The row counts of a check and what the import leaves behind, or a sentence that the rows were not checked. */
function Expected({ found }: { readonly found: CheckOutput | undefined }) {
  if (found?.rows === undefined || found.rows === null)
    return (
      <p>
        {t(
          'The rows were not checked: how many will pass, and what the import would leave behind, is not known. Press Check the rows first to see it.',
        )}
      </p>
    );
  const { read, pass, rejected } = found.rows;
  return (
    <>
      <p>
        {t(
          '{read, plural, one {# row} other {# rows}} in the input: {pass, plural, one {# row} other {# rows}} pass, {rejected, plural, one {# row} other {# rows}} would be rejected.',
          { read, pass, rejected },
        )}
      </p>
      <LeftBehindList items={found.leftBehind} />
    </>
  );
}
