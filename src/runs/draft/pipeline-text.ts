import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { todo } from '../../model/todo.ts';
import { onlyTotals } from './input/left-out-rows.ts';
import type { RaggedRows } from './input/read-input.ts';
import type { TableProfile } from './profile/table-profile.ts';
import { type Entry, type Plain, percent, shownName } from './yaml/entry.ts';
import { yamlText } from './yaml/text.ts';

/** What a drafted pipeline says of its input. */
export interface PipelineDraft {
  readonly name: string;
  readonly schema: string;
  readonly lines: readonly string[];
  readonly format: string;
  /** As it was given, or `-`. */
  readonly input: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly ragged: RaggedRows;
  /** Where the two files will stand. */
  readonly pipelineFile: string;
  readonly mappingFile: string;
}

const takesNulls = new Set(['csv', 'tsv', 'json', 'ndjson', 'jsonl', 'xlsx', 'dump']);
const worthAsking = 0.01;

/** The pipeline YAML of a draft. */
export function pipelineText(draft: PipelineDraft, table: TableProfile): string {
  const path = draft.input === '-' ? '-' : pathFrom(draft.pipelineFile, draft.input);
  const source: { [key: string]: Plain } = { format: draft.format, path };
  for (const [key, value] of Object.entries(draft.options)) source[key] = plainOf(value);
  const nulls = [...new Set(table.columns.flatMap((column) => [...column.nulls]))].sort();
  if (takesNulls.has(draft.format) && nulls.length > 0) source.nulls = nulls;
  const all = table.rows + (table.broken.get('row.ragged') ?? 0);
  if (draft.ragged.rows > all * worthAsking && !onlyTotals(draft.ragged))
    source.ragged = todo(raggedQuestion(draft.ragged, all));
  const entries: Entry[] = [
    { key: 'pipeline', value: { plain: draft.name } },
    {
      key: 'import',
      value: {
        entries: [
          { key: 'source', value: { plain: source } },
          { key: 'mapping', value: { plain: pathFrom(draft.pipelineFile, draft.mappingFile) } },
        ],
      },
    },
  ];
  return yamlText([`yaml-language-server: $schema=${draft.schema}`, ...draft.lines], entries, []);
}

function raggedQuestion({ rows, shifted }: RaggedRows, all: number): string {
  const found = `${rows} of ${all} rows (${percent(rows, all)}) have more or fewer cells than the header`;
  if (shifted.length === 0)
    return `${found}; write pad to fill short rows at their end, or reject to list them all`;
  const columns = shifted.slice(0, 5).map((name) => `"${shownName(name)}"`);
  return `${found}, and not at the end of the row: pad would move values into wrong columns (${columns.join(', ')}); write reject to list them`;
}

function plainOf(value: unknown): Plain {
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainOf(each)]));
}

/** A path as a YAML file names it: relative to the file, with slashes. */
export function pathFrom(file: string, target: string): string {
  const found = relative(dirname(resolve(file)), resolve(target));
  return (isAbsolute(found) ? found : found === '' ? '.' : found).split(sep).join('/');
}
