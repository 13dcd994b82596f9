import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { DraftResult } from '../../wire/inputs.ts';
import type { RequestProblem } from '../../wire/problem.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import { callRoute, toRequestProblem } from '../call.ts';
import { t } from '../language.ts';
import { Checkbox, LabelledControl, SelectField } from '../parts/choice.tsx';
import { CountryOptions } from '../parts/country-options.tsx';
import { ProblemNotice } from '../parts/notice.tsx';
import { ProcessMessages } from '../parts/process-messages.tsx';
import { showInvisibleCharacters } from '../parts/shown-text.tsx';
import { StartButton } from '../parts/start-button.tsx';
import { DraftSummary } from './drafted.tsx';
import type { InputOverrides } from './typed.ts';

interface DraftMappingProps {
  readonly path: string;
  readonly typed: InputOverrides;
  readonly columns: readonly string[];
}

/** The form that runs the command `draft` on a file, with the settings of the page. */
export function DraftMappingForm({ path, typed, columns }: DraftMappingProps) {
  const id = useId();
  const key = useSignal('');
  const country = useSignal('');
  const force = useSignal(false);
  const started = useSignal<StudioProcess | undefined>(undefined);
  const drafted = useSignal<DraftResult | undefined>(undefined);
  const problem = useSignal<RequestProblem | undefined>(undefined);
  const load = async (process: StudioProcess) => {
    try {
      drafted.value = (await callRoute('draftResult', { id: process.id })).drafted ?? undefined;
    } catch (error) {
      problem.value = toRequestProblem(error);
    }
  };
  const isRunning = started.value?.state === 'running';
  const hasFailed = started.value?.state === 'ended' && started.value.exitCode !== 0;
  return (
    <section aria-labelledby={`${id}-head`}>
      <h2 id={`${id}-head`}>{t('Draft a mapping')}</h2>
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
        <LabelledControl label={t('Country of phone numbers')}>
          {(id) => (
            <select
              id={id}
              value={country.value}
              onChange={(event) => (country.value = event.currentTarget.value)}
            >
              <option value="">{t('Ask me if it is needed')}</option>
              <CountryOptions />
            </select>
          )}
        </LabelledControl>
      </div>
      {(hasFailed || force.value) && (
        <Checkbox
          label={t('Overwrite the files of an earlier draft')}
          checked={force.value}
          onChange={(checked) => (force.value = checked)}
        />
      )}
      <StartButton
        label={t('Draft a mapping')}
        command={{
          ...{ command: 'draft', file: path, out: '.', ...typed },
          ...(key.value !== '' && { key: key.value }),
          ...(country.value !== '' && { country: country.value }),
          ...(force.value && { force: true }),
        }}
        disabled={isRunning}
        quiet={drafted.value !== undefined}
        onStarted={(process) => {
          started.value = process;
          drafted.value = undefined;
          problem.value = undefined;
        }}
      />
      {started.value !== undefined && (
        <div aria-live="polite">
          {isRunning && <p>{t('Reading every row…')}</p>}
          <ProcessMessages
            key={started.value.id}
            id={started.value.id}
            failure={hasFailed ? t('Nothing was drafted.') : undefined}
            onEnded={(ended) => {
              started.value = ended;
              if (ended.exitCode === 0) void load(ended);
            }}
          />
        </div>
      )}
      <ProblemNotice problem={problem.value} />
      {drafted.value !== undefined && <DraftSummary drafted={drafted.value} />}
    </section>
  );
}
