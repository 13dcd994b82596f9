import { basename, join, resolve } from 'node:path';
import { contactColumns } from './columns/contact-columns.ts';
import { findInput } from './input/found-input.ts';
import type { LeftOut } from './mapping/custom-field-entries.ts';
import { fieldsRead } from './mapping/fields-read.ts';
import { mappingText } from './mapping/mapping-text.ts';
import { pathFrom, pipelineText } from './pipeline-text.ts';
import { type ColumnType, typeOf } from './profile/column-type.ts';
import { profileTable } from './profile/table-profile.ts';
import { openTodos, type Todo } from './todos.ts';

/** What a draft is made of. */
export interface DraftRequest {
  /** The input, as it was given; `-` is standard input. */
  readonly path: string;
  /** The folder in which `mappings` and `pipelines` will be. */
  readonly out: string;
  /** Where this package keeps `mappings/schema.json` and `pipelines/schema.json`. */
  readonly home: string;
  readonly spoolDir: string;
  readonly signal: AbortSignal;
}

/** A file that was drafted and is not written yet. */
export interface DraftFile {
  readonly file: string;
  readonly text: string;
}

/** What a column turned out to be. */
export interface DraftedColumn {
  readonly name: string;
  readonly filled: number;
  readonly type: ColumnType['kind'];
  /** How many different values, null for many. */
  readonly distinct: number | null;
  /** Where the mapping reads it, as `contact.email`; null where it does not. */
  readonly field: string | null;
}

export interface Draft {
  readonly name: string;
  readonly format: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly rows: number;
  readonly broken: number;
  readonly notes: readonly string[];
  readonly columns: readonly DraftedColumn[];
  readonly leftOut: readonly LeftOut[];
  readonly todos: readonly Todo[];
  readonly mapping: DraftFile;
  readonly pipeline: DraftFile;
}

/** Reads an input and drafts a mapping and a pipeline for it; writes nothing. */
export async function draft(request: DraftRequest): Promise<Draft> {
  const { signal, spoolDir } = request;
  const path = request.path === '-' ? '-' : resolve(request.path);
  const found = await findInput({ path, spoolDir }, signal);
  const table = await profileTable(found.facts, found.source.read(0, signal));
  const columns = contactColumns(table.columns);
  const name = nameOf(path);
  const mappingFile = join(request.out, 'mappings', `${name}.yaml`);
  const pipelineFile = join(request.out, 'pipelines', `import-${name}.yaml`);
  const broken = [...table.broken.values()].reduce((sum, count) => sum + count, 0);
  const lines = [
    `Drafted from ${path === '-' ? 'standard input' : basename(path)}: ${table.rows.toLocaleString('en-US')} rows, ${table.columns.length} columns.`,
    'Fill rates count all rows. What says TODO is for you to decide; `check` refuses it until it is.',
  ];
  const mapping = mappingText(
    { name, schema: pathFrom(mappingFile, join(request.home, 'mappings/schema.json')), lines },
    columns,
    table,
  );
  const pipeline = pipelineText(
    {
      name: `import-${name}`,
      schema: pathFrom(pipelineFile, join(request.home, 'pipelines/schema.json')),
      lines: [...lines.slice(0, 1), ...found.facts.notes],
      format: found.format,
      input: found.path,
      options: found.options,
      pipelineFile,
      mappingFile,
    },
    table,
  );
  const fields = fieldsRead(mapping.text);
  const files = {
    mapping: { file: mappingFile, text: mapping.text },
    pipeline: { file: pipelineFile, text: pipeline },
  };
  return {
    name,
    format: found.format,
    options: found.options,
    rows: table.rows,
    broken,
    notes: found.facts.notes,
    columns: table.columns.map((column) => ({
      name: column.name,
      filled: column.filled,
      type: typeOf(column).kind,
      distinct: column.distinct?.size ?? null,
      field: fields.get(column.name) ?? null,
    })),
    leftOut: mapping.leftOut,
    todos: [...openTodos(files.pipeline), ...openTodos(files.mapping)],
    ...files,
  };
}

/** A name for the files, made of the input's: small letters, digits and dashes. */
function nameOf(path: string): string {
  const base = path === '-' ? 'input' : basename(path);
  const plain = base
    .replace(/\.(?:gz|zip|tgz)$/i, '')
    .replace(/\.(?:tar|csv|tsv|tab|txt|json|ndjson|jsonl|xlsx|xlsm|vcf|vcard|sql|sqlite3?|db3?)$/i, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'input' : plain;
}
