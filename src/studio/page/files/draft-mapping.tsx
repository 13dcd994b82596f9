import { useSignal } from '@preact/signals';
import type { DraftResult } from '../../wire/inputs.ts';
import { callRoute } from '../call.ts';
import { useSetDefaultImportPipeline } from '../import-pipelines.tsx';
import { t } from '../language.ts';
import { CommandWithResult } from '../parts/command-result.tsx';
import { ButtonLink, Checkbox, SelectField } from '../parts/controls.tsx';
import { Notice, Section } from '../parts/notice.tsx';
import { NoteList, showInvisibleCharacters } from '../parts/shown-text.tsx';
import { buildHref } from '../place.ts';
import { listCountryOptions } from '../project.ts';
import type { InputOverrides } from './input-settings.tsx';

interface DraftMappingProps {
  readonly path: string;
  readonly typed: InputOverrides;
  readonly columns: readonly string[];
}

/** The form that runs the command `draft` on a file, with the settings of the page. */
export function DraftMappingForm({ path, typed, columns }: DraftMappingProps) {
  const key = useSignal('');
  const country = useSignal('');
  const force = useSignal(false);
  const hasFailed = useSignal(false);
  const isDrafted = useSignal(false);
  return (
    <Section title={t('Draft a mapping')}>
      <p>
        {t(
          'It reads every row, proposes a target for each column, and writes a mapping and a pipeline. Nothing is sent.',
        )}
      </p>
      <div class="fields">
        <SelectField
          label={t('Column that identifies a row')}
          value={key.value}
          options={[
            ['', t('Find it for me')],
            ['none', t('There is none')],
            ...[...new Set(columns)].map((name) => [name, showInvisibleCharacters(name)] as const),
          ]}
          onChoose={(name) => (key.value = name)}
        />
        <SelectField
          label={t('Country of phone numbers')}
          value={country.value}
          options={[['', t('Ask me if it is needed')], ...listCountryOptions()]}
          onChoose={(code) => (country.value = code)}
        />
      </div>
      {(hasFailed.value || force.value) && (
        <Checkbox
          label={t('Overwrite the files of an earlier draft')}
          checked={force.value}
          onChange={(checked) => (force.value = checked)}
        />
      )}
      <CommandWithResult
        label={t('Draft a mapping')}
        command={{
          ...{ command: 'draft', file: path, out: '.', ...typed },
          ...(key.value !== '' && { key: key.value }),
          ...(country.value !== '' && { country: country.value }),
          ...(force.value && { force: true }),
        }}
        isPrimary={!isDrafted.value}
        busy={t('Reading every row…')}
        failure={t('Nothing was drafted.')}
        load={async (id) => {
          const { drafted } = await callRoute('draftResult', { id });
          isDrafted.value = drafted !== null;
          hasFailed.value = drafted === null;
          return { found: drafted };
        }}
        show={(drafted) => <DraftSummary drafted={drafted} />}
      />
    </Section>
  );
}

function readText(n: number, broken: number): string {
  return broken > 0
    ? t(
        '{all, plural, one {# row} other {# rows}}: {n, number} can be read, {broken, number} cannot be read as rows.',
        { all: n + broken, n, broken },
      )
    : t('{n, plural, one {# row} other {# rows}} to import.', { n });
}

function DraftSummary({ drafted }: { readonly drafted: DraftResult }) {
  const { mapping, pipeline, rows, broken, todos, notes } = drafted;
  useSetDefaultImportPipeline(pipeline.file);
  return (
    <>
      <Notice
        tone="good"
        message={
          <>
            {rows !== null && readText(rows, broken)}{' '}
            {todos.length === 0
              ? t('No questions are open.')
              : t('{n, plural, one {# question} other {# questions}} to answer.', { n: todos.length })}
          </>
        }
      />
      <NoteList notes={notes} />
      <p class="buttons">
        <ButtonLink
          label={todos.length === 0 ? t('Open the mapping') : t('Answer the questions')}
          href={buildHref('mapping', mapping.file)}
        />
      </p>
    </>
  );
}
