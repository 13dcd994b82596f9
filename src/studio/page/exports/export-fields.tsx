import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Checkbox } from '../parts/box.tsx';
import { SelectField } from '../parts/choice.tsx';
import { contactFilterOptions, type ExportFormValues } from './pipeline-yaml.ts';

interface ExportFieldsProps {
  readonly form: ExportFormValues;
  onChange(change: Partial<ExportFormValues>): void;
}

const formats: readonly (readonly [ExportFormValues['format'], string])[] = [
  ['csv', 'CSV, for spreadsheets'],
  ['xlsx', 'Excel (xlsx)'],
  ['ndjson', 'NDJSON, without loss'],
  ['sqlite', 'SQLite, for queries'],
  ['parquet', 'Parquet, for analysis'],
];

const ways = (['none', 'lifecycle', 'tags', 'email', 'created'] as const).map(
  (name) => [name, contactFilterOptions[name].label] as const,
);

/** The fields of the form for a new export pipeline. */
export function ExportFormFields({ form, onChange }: ExportFieldsProps) {
  const { asks } = contactFilterOptions[form.filter];
  return (
    <>
      <Text
        label="Name"
        value={form.name}
        onInput={(name) => {
          const follows = form.folder === `exports/${form.name.trim()}/{date}`;
          onChange({ name, ...(follows && { folder: `exports/${name.trim()}/{date}` }) });
        }}
      />
      <fieldset>
        <legend>What is exported</legend>
        <Checkbox label="Contacts" checked={form.contacts} onChange={(contacts) => onChange({ contacts })} />
        <Checkbox label="Messages" checked={form.messages} onChange={(messages) => onChange({ messages })} />
        <Checkbox
          label="Custom fields, users, closing notes and tags of the workspace"
          checked={form.objects}
          onChange={(objects) => onChange({ objects })}
        />
      </fieldset>
      <SelectField
        label="Format"
        value={form.format}
        options={formats}
        onChoose={(format) => onChange({ format })}
      />
      {form.contacts && (
        <SelectField
          label="Which contacts"
          value={form.filter}
          options={ways}
          onChoose={(filter) => onChange({ filter, value: '' })}
        />
      )}
      {form.contacts && asks !== undefined && (
        <Text label={asks} value={form.value} onInput={(value) => onChange({ value })} />
      )}
      <Checkbox
        label="After the first export only what is new"
        checked={form.incremental}
        onChange={(incremental) => onChange({ incremental })}
      />
      <Text label="Folder" value={form.folder} onInput={(folder) => onChange({ folder })}>
        Below the project folder. {'{date}'} is the day, so that each day has its own.
      </Text>
      <Text label="How many exports to keep" value={form.keep} onInput={(keep) => onChange({ keep })}>
        Older ones are removed. Empty: all are kept.
      </Text>
      <Text label="Workspace URL" value={form.baseUrl} onInput={(baseUrl) => onChange({ baseUrl })}>
        Ends in /v1. Empty: LONGSHORE_BASE_URL of the environment.
      </Text>
    </>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly children?: ComponentChildren;
  onInput(text: string): void;
}

function Text({ label, value, children, onInput }: TextProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        spellcheck={false}
        aria-describedby={children === undefined ? undefined : `${id}-about`}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {children !== undefined && (
        <p id={`${id}-about`} class="note">
          {children}
        </p>
      )}
    </div>
  );
}
