import { t } from '../language.ts';

/** The fields of the form for an export pipeline. */
export interface ExportFormValues {
  readonly name: string;
  readonly format: 'csv' | 'xlsx' | 'ndjson' | 'sqlite' | 'parquet';
  readonly contacts: boolean;
  readonly messages: boolean;
  readonly objects: boolean;
  readonly filter: keyof typeof contactFilterOptions;
  /** The text of the filter, such as the lifecycle stage; empty for a filter without one. */
  readonly value: string;
  /** The folder of the exports, relative to the project folder. */
  readonly folder: string;
  readonly incremental: boolean;
  /** The number of exports to keep; empty for all. */
  readonly keep: string;
  /** The base URL of the workspace; empty for the one in LONGSHORE_BASE_URL. */
  readonly baseUrl: string;
}

/** The filters that the form offers; the YAML supports more. */
export const contactFilterOptions = {
  none: { label: t('all contacts'), asks: undefined },
  lifecycle: { label: t('with the lifecycle stage'), asks: t('Stage') },
  tags: { label: t('with one of the tags'), asks: t('Tags, with commas between them') },
  email: { label: t('with an e-mail address'), asks: undefined },
  created: { label: t('created after'), asks: t('Date, such as 2026-01-31') },
} as const;

/** Returns the path of the file of a new pipeline, from its name. */
export function buildPipelinePath({ name }: Pick<ExportFormValues, 'name'>): string {
  return `pipelines/${name.trim().replaceAll(/[^\w.-]+/g, '-')}.yaml`;
}

/** Formats the YAML of an export pipeline from the values of the form. */
export function formatPipelineYaml(form: ExportFormValues): string {
  const { contacts, messages, objects, incremental, format } = form;
  const settings = [`format: ${format}`, ...(incremental ? ['incremental: true'] : [])].join(', ');
  const filter = filterOf(form);
  return `${[
    '# yaml-language-server: $schema=schema.json',
    `pipeline: ${quoted(form.name.trim())}`,
    '',
    'export:',
    '  workspace:',
    '    # The environment variable with the token; the token itself is never in a file.',
    '    tokenEnv: LONGSHORE_TOKEN',
    ...(form.baseUrl.trim() === '' ? [] : [`    baseUrl: ${quoted(form.baseUrl.trim())}`]),
    '  # It appears when the export is complete; `latest` next to it is the newest one.',
    `  to: ${quoted(`../${form.folder.trim()}`)}`,
    ...(form.keep.trim() === '' ? [] : [`  keep: ${form.keep.trim()}`]),
    ...(contacts ? [`  contacts: { ${settings}${filter === undefined ? '' : `, filter: ${filter}`} }`] : []),
    ...(messages ? [`  messages: { ${settings} }`] : []),
    ...(objects ? ['  workspaceObjects: [customFields, users, closingNotes, tags]'] : []),
    ...(contacts
      ? [
          '  # No contacts at all is more likely a mistake than an empty workspace.',
          '  expect: { contacts: { min: 1 } }',
        ]
      : []),
  ].join('\n')}\n`;
}

function filterOf({ filter, value }: ExportFormValues): string | undefined {
  const text = value.trim();
  switch (filter) {
    case 'lifecycle':
      return `{ lifecycle: { isEqualTo: ${quoted(text)} } }`;
    case 'tags': {
      const tags = text.split(',').map((tag) => quoted(tag.trim()));
      return `{ tags: { hasAnyOf: [${tags.join(', ')}] } }`;
    }
    case 'email':
      return '{ email: { exists: true } }';
    case 'created':
      return `{ created_at: { isTimestampAfter: ${quoted(text)} } }`;
    default:
      return undefined;
  }
}

/** Formats a text as a YAML string, in quotes unless it is a word that is no boolean or null. */
function quoted(text: string): string {
  const isPlain = /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
