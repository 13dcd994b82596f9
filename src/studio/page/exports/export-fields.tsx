import { t } from '../language.ts';
import { Checkbox, SelectField, TextField } from '../parts/controls.tsx';
import { contactFilterOptions, type ExportFormValues } from './pipeline-yaml.ts';

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

const ways = (['none', 'lifecycle', 'tags', 'email', 'created'] as const).map(
  (name) => [name, contactFilterOptions[name].label] as const,
);

/** The fields of the form for a new export pipeline. */
export function ExportFormFields({ form, onChange }: ExportFieldsProps) {
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
        <Checkbox
          label={t('Contacts')}
          checked={form.contacts}
          onChange={(contacts) => onChange({ contacts })}
        />
        <Checkbox
          label={t('Messages')}
          checked={form.messages}
          onChange={(messages) => onChange({ messages })}
        />
        <Checkbox
          label={t('Custom fields, users, closing notes and tags of the workspace')}
          checked={form.objects}
          onChange={(objects) => onChange({ objects })}
        />
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
