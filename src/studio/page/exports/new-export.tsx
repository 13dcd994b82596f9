import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { YamlFinding } from '../../wire/project.ts';
import { callRoute, toRequestProblem } from '../call.ts';
import { useAsyncAction } from '../hooks.ts';
import { t } from '../language.ts';
import { Button, Checkbox, Form, SelectField, TextField } from '../parts/controls.tsx';
import { Notice, ProblemNotice, Section } from '../parts/notice.tsx';
import { buildHref, goTo } from '../place.ts';
import { project } from '../project.ts';
import {
  buildPipelinePath,
  contactFilterOptions,
  type ExportFormValues,
  formatPipelineYaml,
} from './pipeline-yaml.ts';

const fresh: ExportFormValues = {
  ...{ name: 'nightly', format: 'csv', contacts: true, messages: false, objects: false },
  ...{
    filter: 'none',
    value: '',
    folder: 'exports/nightly/{date}',
    incremental: false,
    keep: '',
    baseUrl: '',
  },
};

const pause = 300;

/** A form for a new export pipeline, beside the YAML that it writes. */
export function NewExportForm() {
  const form = useSignal(fresh);
  const findings = useSignal<readonly YamlFinding[]>([]);
  const { problem, attempt } = useAsyncAction();
  const [text, path] = [formatPipelineYaml(form.value), buildPipelinePath(form.value)];
  useEffect(() => {
    const gone = new AbortController();
    const timer = setTimeout(() => {
      callRoute('checkYaml', { path, text }, gone.signal).then(
        (answer) => (findings.value = answer.findings),
        (error: unknown) => {
          if (!gone.signal.aborted) problem.value = toRequestProblem(error);
        },
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [text, path]);
  const write = async () => {
    await callRoute('writeYaml', { path, text, etag: null });
    goTo(buildHref('exports', form.value.name.trim()));
  };
  const wrong = findings.value.filter(({ verdict }) => verdict === 'wrong');
  return (
    <Section title={t('New export')}>
      <Form class="beside" isOff={wrong.length > 0} onSubmit={() => attempt(write)}>
        <div>
          <ExportFormFields
            form={form.value}
            onChange={(change) => (form.value = { ...form.value, ...change })}
          />
        </div>
        <div>
          <h3 id="yaml-head">
            <code>{path}</code>
          </h3>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, also by the keyboard */}
          <pre tabIndex={0}>{text}</pre>
          <div aria-live="polite">
            {wrong.map(({ text: mistake, line }) => (
              <Notice
                key={`${line} ${mistake}`}
                tone="bad"
                message={line === undefined ? mistake : t('Line {line}: {mistake}', { line, mistake })}
              />
            ))}
          </div>
          <ProblemNotice problem={problem.value} />
          <p class="buttons">
            <Button
              type="submit"
              label={t('Write the file')}
              disabled={project.value.readOnly}
              aria-disabled={wrong.length > 0}
            />
          </p>
        </div>
      </Form>
    </Section>
  );
}

interface ExportFieldsProps {
  readonly form: ExportFormValues;
  onChange(change: Partial<ExportFormValues>): void;
}

const formats: readonly (readonly [ExportFormValues['format'], string])[] = [
  ['csv', t('CSV, for spreadsheets')],
  ['xlsx', t('Excel (xlsx)')],
  ['ndjson', t('NDJSON, without loss')],
  ['sqlite', t('SQLite, for queries')],
  ['parquet', t('Parquet, for analysis')],
];

const parts = [
  ['contacts', t('Contacts')],
  ['messages', t('Messages')],
  ['objects', t('Custom fields, users, closing notes and tags of the workspace')],
] as const;

const ways = (['none', 'lifecycle', 'tags', 'email', 'created'] as const).map(
  (name) => [name, contactFilterOptions[name].label] as const,
);

function ExportFormFields({ form, onChange }: ExportFieldsProps) {
  const { asks } = contactFilterOptions[form.filter];
  return (
    <>
      <TextField
        label={t('Name')}
        value={form.name}
        onInput={(name) => {
          const follows = form.folder === `exports/${form.name.trim()}/{date}`;
          onChange({ name, ...(follows && { folder: `exports/${name.trim()}/{date}` }) });
        }}
      />
      <fieldset>
        <legend>{t('What is exported')}</legend>
        {parts.map(([part, label]) => (
          <Checkbox
            key={part}
            label={label}
            checked={form[part]}
            onChange={(checked) => onChange({ [part]: checked })}
          />
        ))}
      </fieldset>
      <SelectField
        label={t('Format')}
        value={form.format}
        options={formats}
        onChoose={(format) => onChange({ format })}
      />
      {form.contacts && (
        <SelectField
          label={t('Which contacts')}
          value={form.filter}
          options={ways}
          onChoose={(filter) => onChange({ filter, value: '' })}
        />
      )}
      {form.contacts && asks !== undefined && (
        <TextField label={asks} value={form.value} onInput={(value) => onChange({ value })} />
      )}
      <Checkbox
        label={t('After the first export only what is new')}
        checked={form.incremental}
        onChange={(incremental) => onChange({ incremental })}
      />
      <TextField
        label={t('Folder')}
        value={form.folder}
        onInput={(folder) => onChange({ folder })}
        note={t('Below the project folder. {date} is the day, so that each day has its own.', {
          date: '{date}',
        })}
      />
      <TextField
        label={t('How many exports to keep')}
        value={form.keep}
        onInput={(keep) => onChange({ keep })}
        note={t('Older ones are removed. Empty: all are kept.')}
      />
      <TextField
        label={t('Workspace URL')}
        value={form.baseUrl}
        onInput={(baseUrl) => onChange({ baseUrl })}
        note={t('Ends in {path}. Empty: {variable} of the environment.', {
          path: '/v1',
          variable: 'LONGSHORE_BASE_URL',
        })}
      />
    </>
  );
}
