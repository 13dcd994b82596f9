import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { formatTodoPlaceholder } from '../../model/todo.ts';
import type { RememberedKeyStats } from '../run/find-run.ts';
import type { InspectedInput } from './input/found-input.ts';
import { areAllRaggedRowsTotals } from './input/left-out-rows.ts';
import type { InputProfile, RaggedRowStats } from './input/read-input.ts';
import { formatWholePercent, toPrintableName, type YamlEntry, type YamlValue } from './yaml/entry.ts';
import { formatYamlFile } from './yaml/text.ts';

/** The folder for the files of a draft, and the folder of this package with their JSON Schemas. */
export interface DraftFolders {
  readonly out: string;
  readonly home: string;
}

/** Returns the paths of a draft's two files, and the schema line at the start of each. */
export function buildDraftPaths({ out, home }: DraftFolders, name: string) {
  const mapping = join(out, 'mappings', `${name}.yaml`);
  const pipeline = join(out, 'pipelines', `import-${name}.yaml`);
  const schema = (file: string, folder: string): string =>
    `yaml-language-server: $schema=${toRelativeYamlPath(file, join(home, folder, 'schema.json'))}`;
  return {
    name,
    mapping,
    pipeline,
    mappingSchema: schema(mapping, 'mappings'),
    pipelineSchema: schema(pipeline, 'pipelines'),
  };
}

export type DraftPaths = ReturnType<typeof buildDraftPaths>;

/** Returns the pipeline YAML of a draft; `settings` are added after source and mapping. */
export function formatDraftPipelineYaml(
  paths: DraftPaths,
  lines: readonly string[],
  source: YamlValue,
  settings: readonly YamlEntry[] = [],
): string {
  const mapping = toRelativeYamlPath(paths.pipeline, paths.mapping);
  const entries: YamlEntry[] = [
    { key: 'pipeline', value: { plain: `import-${paths.name}` } },
    {
      key: 'import',
      value: {
        entries: [
          { key: 'source', value: { plain: source } },
          { key: 'mapping', value: { plain: mapping } },
          ...settings,
        ],
      },
    },
  ];
  return formatYamlFile([paths.pipelineSchema, ...lines], entries, []);
}

const takesNulls = new Set(['csv', 'tsv', 'json', 'ndjson', 'jsonl', 'xlsx', 'dump']);
const worthAsking = 0.01;

/**
 * Returns the question whether the input comes from the same system as the keys that earlier imports stored under
 * `name`.
 */
export function formatSourceSystemQuestion(
  name: string,
  { run, at, keys }: RememberedKeyStats,
  other: string | undefined,
): string {
  const day = new Date(at).toISOString().slice(0, 10);
  return formatTodoPlaceholder(
    `is this the CRM of run ${run} of ${day} (${keys.toLocaleString('en-US')} keys)? Then write ${name}; for another CRM write another name${other === undefined ? '' : `, as ${other}`}`,
  );
}

/** Returns the `source:` of a drafted pipeline for an input that was read. */
export function buildSourceYaml(
  { format, path, options }: Pick<InspectedInput, 'format' | 'path' | 'options'>,
  pipeline: string,
  { table, ragged }: InputProfile,
  system?: string,
): YamlValue {
  const source: { [key: string]: YamlValue } = {
    format,
    path: path === '-' ? '-' : toRelativeYamlPath(pipeline, path),
  };
  if (system !== undefined) source.system = system;
  for (const [key, value] of Object.entries(options)) source[key] = toYamlValue(value);
  const nulls = [...new Set(table.columns.flatMap((column) => [...column.nulls]))].sort();
  if (takesNulls.has(format) && nulls.length > 0) source.nulls = nulls;
  const all = table.rows + (table.broken.get('row.ragged') ?? 0);
  if (ragged.rows > all * worthAsking && !areAllRaggedRowsTotals(ragged))
    source.ragged = formatTodoPlaceholder(raggedQuestion(ragged, all));
  return source;
}

function raggedQuestion({ rows, shifted }: RaggedRowStats, all: number): string {
  const found = `${rows} of ${all} rows (${formatWholePercent(rows, all)}) have more or fewer cells than the header`;
  if (shifted.length === 0)
    return `${found}; write pad to fill short rows at their end, or reject to list them all`;
  const columns = shifted.slice(0, 5).map((name) => `"${toPrintableName(name)}"`);
  return `${found}, and not at the end of the row: pad would move values into wrong columns (${columns.join(', ')}); write reject to list them`;
}

/** Returns a value of options as YAML can express it; null for any other. */
export function toYamlValue(value: unknown): YamlValue {
  if (Array.isArray(value)) return value.map(toYamlValue);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toYamlValue(each)]));
}

/** Returns the path of a target relative to a YAML file, with slashes. */
export function toRelativeYamlPath(file: string, target: string): string {
  const found = relative(dirname(resolve(file)), resolve(target));
  return (isAbsolute(found) ? found : found === '' ? '.' : found).split(sep).join('/');
}
