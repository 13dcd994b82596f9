import { basename, join, resolve } from 'node:path';
import { FatalError } from '../../model/fatal-error.ts';
import { didYouMean } from '../../model/nearest.ts';
import { contactColumns, type ReadColumn } from './columns/contact-columns.ts';
import { findInput } from './input/found-input.ts';
import { leavingOut, leftOutNotes } from './input/left-out-rows.ts';
import { readInput } from './input/read-input.ts';
import type { Stated } from './input/stated.ts';
import { notDeleted } from './joins/conditions.ts';
import type { JoinPlan } from './joins/join-plan.ts';
import type { LeftOut } from './mapping/custom-field-entries.ts';
import { fieldsRead } from './mapping/fields-read.ts';
import { mappingText } from './mapping/mapping-text.ts';
import { draftOfExport } from './own-export/draft-of-export.ts';
import { findExport } from './own-export/find-export.ts';
import { pathFrom, pipelineText } from './pipeline-text.ts';
import { type ColumnType, typeOf } from './profile/column-type.ts';
import type { TableProfile } from './profile/table-profile.ts';
import { openTodos, type Todo } from './todos.ts';
import { shownName } from './yaml/entry.ts';

/** What a draft is made of. */
export interface DraftRequest {
  /** The input, as it was given; `-` is standard input. */
  readonly path: string;
  /** The folder in which `mappings` and `pipelines` will be. */
  readonly out: string;
  /** Where this package keeps `mappings/schema.json` and `pipelines/schema.json`. */
  readonly home: string;
  readonly spoolDir: string;
  /** Hears what is waited for. */
  readonly waiting?: ((text: string) => void) | undefined;
  readonly stated?: Stated;
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
  /** Null where nothing was counted. */
  readonly rows: number | null;
  readonly broken: number;
  /** Why rows cannot be read, each code with its number of rows. */
  readonly problems: Readonly<Record<string, number>>;
  readonly notes: readonly string[];
  readonly columns: readonly DraftedColumn[];
  readonly leftOut: readonly LeftOut[];
  readonly todos: readonly Todo[];
  readonly mapping: DraftFile;
  readonly pipeline: DraftFile;
}

/** Reads an input and drafts a mapping and a pipeline for it; writes nothing. */
export async function draft(request: DraftRequest): Promise<Draft> {
  const { signal, spoolDir, stated = {}, waiting } = request;
  const path = request.path === '-' ? '-' : resolve(request.path);
  const exported = await findExport(path);
  if (exported !== undefined) return await draftOfExport(request, exported, nameOf(exported.pipeline));
  const found = await findInput({ path, spoolDir, waiting }, stated, signal);
  const { table: profile, ragged } = await readInput(found, signal);
  const { plan } = found;
  const table = plan === null ? profile : withoutUnread(profile, plan);
  const columns = contactColumns(table.columns, plan?.roles);
  const where = plan === null ? notDeleted(table.columns) : plan.where;
  const options = { ...found.options, ...leavingOut(table, ragged, where) };
  const name = nameOf(path);
  const mappingFile = join(request.out, 'mappings', `${name}.yaml`);
  const pipelineFile = join(request.out, 'pipelines', `import-${name}.yaml`);
  const notes = [
    ...found.facts.notes,
    ...(found.facts.truncated === undefined ? [] : [found.facts.truncated]),
    ...leftOutNotes(table),
  ];
  const broken = [...table.broken.values()].reduce((sum, count) => sum + count, 0);
  const lines = [
    `Drafted from ${path === '-' ? 'standard input' : basename(path)}: ${table.rows.toLocaleString('en-US')} rows, ${table.columns.length} columns.`,
    'Fill rates count all rows. Replace each TODO with your answer; `check` reports those that are left.',
  ];
  const mapping = mappingText(
    { name, schema: pathFrom(mappingFile, join(request.home, 'mappings/schema.json')), lines },
    { ...columns, key: stated.key === undefined ? columns.key : statedKey(stated.key, table) },
    table,
    { tags: plan?.tags ?? [], comments: plan?.comments ?? [], where },
    stated,
  );
  const pipeline = pipelineText(
    {
      name: `import-${name}`,
      schema: pathFrom(pipelineFile, join(request.home, 'pipelines/schema.json')),
      lines: [...lines.slice(0, 1), ...(plan === null ? [] : wordsOf(plan)), ...notes],
      format: found.format,
      input: found.path,
      options,
      ragged,
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
    options,
    rows: table.rows,
    broken,
    problems: Object.fromEntries(table.broken),
    notes,
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

/** The column that is stated as the key. Throws a FatalError('usage') where there is no such one. */
function statedKey(key: string | false, { columns }: TableProfile): ReadColumn | undefined {
  if (key === false) return undefined;
  const profile = columns.find(({ name }) => name === key);
  if (profile !== undefined) return { profile, named: { role: 'key', rank: 0 } };
  const names = columns.map(({ name }) => shownName(name));
  throw new FatalError('usage', `--key: no column "${key}"${didYouMean(key, names)}.`, {
    next: `Choose one of these: ${names.slice(0, 40).join(', ')}.`,
  });
}

const mostNamed = 20;

/** How the tables were found, and which are left. */
function wordsOf({ unread }: JoinPlan): readonly string[] {
  const found =
    'The table of people, and the tables joined to it, were found by names and values: please verify.';
  if (unread.length === 0) return [found];
  const more = unread.length > mostNamed ? ` and ${unread.length - mostNamed} more` : '';
  return [found, `Not read: ${unread.slice(0, mostNamed).map(shownName).join(', ')}${more}.`];
}

/** Of joined tables only the columns that the plan reads are looked at. */
function withoutUnread(profile: TableProfile, { joins, roles }: JoinPlan): TableProfile {
  const joined = Object.keys(joins).map((name) => `${name}.`);
  const columns = profile.columns.filter(
    ({ name }) => roles.has(name) || !joined.some((prefix) => name.startsWith(prefix)),
  );
  const { rows, broken, blank, totals, moreColumns, lists } = profile;
  return { rows, broken, blank, totals, moreColumns, lists, columns };
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
    .replace(/^-+|-+$/g, '')
    // The pipeline will be called so.
    .replace(/^import(?:-|$)/, '');
  return plain === '' ? 'input' : plain;
}
