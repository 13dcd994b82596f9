import { stat } from 'node:fs/promises';
import { FatalError } from '../../../model/fatal-error.ts';
import type { InputFacts, Source } from '../../../model/row.ts';
import { hasExtension } from '../../../sources/archive/choose.ts';
import { type InputMember, listInputMembers } from '../../../sources/archive/members.ts';
import { resolveInputFile } from '../../../sources/input-file.ts';
import type { InputFile } from '../../../sources/plain-file.ts';
import { sourceFormats } from '../../../sources/registry.ts';
import type { SourceInput } from '../../../sources/source-format.ts';
import { vcardSourceFormat } from '../../../sources/vcard/vcard-source.ts';
import type { JoinPlan } from '../joins/join-plan.ts';
import { countTables, planDumpJoins } from '../joins/plan-of-dump.ts';
import { findPeopleSheets } from './sheets-of-people.ts';
import { type LikelyFormat, sniffFormat } from './sniff.ts';
import { type InputSettings, toSourceOptions } from './stated.ts';

type Options = Readonly<Record<string, unknown>>;

/** An opened and inspected input: one table, or several tables to join. */
export interface InspectedInput {
  /** The input that is read: the given one, or the copy of a pipe. */
  readonly input: SourceInput;
  /** The path for a pipeline: the given one, or the only file in a given folder. */
  readonly path: string;
  readonly format: string;
  /** The options that a pipeline must or should state besides format and path. */
  readonly options: Options;
  readonly source: Source;
  readonly facts: InputFacts;
  /** The same input with short rows padded; null for a format other than CSV and TSV. */
  readonly padded: Source | null;
  /** The error that occurs with the stated options alone; null if they suffice to read the input. */
  readonly refusal: FatalError | null;
  /** The table of people and the joins to it; null unless the input is read as a dump. */
  readonly plan: JoinPlan | null;
}

type Looked = Omit<InspectedInput, 'path' | 'plan'>;

const tableExtensions = sourceFormats
  .flatMap(({ name, extensions }) => (name === 'dump' ? [] : extensions))
  .filter((extension) => extension !== 'txt' && !vcardSourceFormat.extensions.includes(extension));
const holdsTables = new Set(['sql', 'sqlite']);

/**
 * Opens and inspects an input, or the requested part of it, in its stated or detected format. Throws a
 * FatalError('input') if it cannot be read.
 */
export async function inspectInput(
  given: SourceInput,
  stated: InputSettings,
  signal: AbortSignal,
): Promise<InspectedInput> {
  const members = await listInputMembers(
    { ...given, unpacking: { extensions: [], maxBytes: undefined } },
    signal,
  );
  const [only, ...others] = members;
  if (only === undefined) throw nothing(given.path);
  const { archive } = only.input;
  const input = archive === undefined ? given : { ...given, archive };
  if (others.length === 0) return await opened(only, input, stated, signal);
  const tables = members.filter(({ name }) => hasExtension(name.replace(/\.gz$/i, ''), tableExtensions));
  const cards = members.filter(({ name }) => hasExtension(name, vcardSourceFormat.extensions));
  // A text file next to address books is a licence or a read-me.
  const format = stated.format ?? (cards.length === 0 || tables.length > 0 ? 'dump' : 'vcard');
  if (format === 'dump') return await dumpOf(input, input.path, stated, signal);
  const options = toSourceOptions(format, stated, input.path);
  return { ...(await firstReadable(format, options, input, signal)), path: input.path, plan: null };
}

async function opened(
  member: InputMember,
  input: SourceInput,
  stated: InputSettings,
  signal: AbortSignal,
): Promise<InspectedInput> {
  const plain = await resolveInputFile(
    { ...member.input, unpacking: { extensions: ['xlsx'], maxBytes: undefined } },
    signal,
  );
  const likely = await likelyFormat(plain, member.name, stated, signal);
  const folder = input.path !== '-' && (await stat(input.path)).isDirectory();
  const path = folder ? member.input.path : input.path;
  // A pipe can be read only once: from now on the copy is read.
  const read = { ...input, path: member.input.path };
  const several =
    stated.format === undefined && holdsTables.has(likely.format) && (await countTables(read, signal)) > 1;
  if (several || likely.format === 'dump') return await dumpOf(read, path, stated, signal);
  const options = { ...likely.options, ...toSourceOptions(likely.format, stated, path) };
  const first = await firstReadable(likely.format, options, read, signal);
  const { found, notes } = await withPeople(first, options, read, signal);
  // A file with tabs that was stated as CSV stays CSV.
  const asStated =
    stated.format === 'csv' ? { format: 'csv', options: { ...found.facts.detected, ...found.options } } : {};
  const facts = { ...found.facts, notes: [...(likely.notes ?? []), ...notes, ...found.facts.notes] };
  return { ...found, facts, ...asStated, path, plan: null };
}

/**
 * Opens a workbook again with only the sheets that list people. Returns it unchanged if a sheet is stated, if it has
 * only one visible sheet, or if no sheet lists people.
 */
async function withPeople(
  first: Looked,
  options: Options,
  input: SourceInput,
  signal: AbortSignal,
): Promise<{ readonly found: Looked; readonly notes: readonly string[] }> {
  const names = first.facts.visibleSheets ?? [];
  if (names.length < 2 || options.sheet !== undefined) return { found: first, notes: [] };
  const read = (sheet: string) =>
    openSourceByFormat(first.format, { duplicateHeaders: 'number', ...options, sheet }, input).read(
      0,
      signal,
    );
  const people = await findPeopleSheets(names, read, signal);
  if (people === undefined) return { found: first, notes: [] };
  const stated = { ...options, ...people.options };
  return { found: await firstReadable(first.format, stated, input, signal), notes: people.notes };
}

/**
 * Returns the stated format, else the one that the file's beginning suggests; for JSON with the path of its records.
 */
async function likelyFormat(
  plain: InputFile,
  name: string,
  { format, delimiter }: InputSettings,
  signal: AbortSignal,
): Promise<LikelyFormat> {
  if (format !== undefined && format !== 'json') return { format, options: {} };
  const likely = await sniffFormat(plain, name, signal);
  if (likely.isAligned === true && delimiter === undefined) throw alignedByBlanks(plain.name);
  return format === undefined || likely.format === format ? likely : { format, options: {} };
}

/** Opens a dump with its tables joined; reads the whole input even if only a part is requested. */
async function dumpOf(
  { part: _part, ...input }: SourceInput,
  path: string,
  stated: InputSettings,
  signal: AbortSignal,
): Promise<InspectedInput> {
  const common = toSourceOptions('dump', stated, path);
  const plan = await planDumpJoins(input, stated.table, signal);
  const { table, where, joins, files } = plan;
  const options = {
    ...common,
    ...(Object.keys(files).length > 0 && { tables: files }),
    table,
    ...(Object.keys(where).length > 0 && { where }),
    ...(Object.keys(joins).length > 0 && { join: joins }),
  };
  return { ...(await looked('dump', options, input, signal)), path, plan };
}

const ofText = [
  ...[{}, { duplicateHeaders: 'number' }],
  ...[{ quote: false }, { quote: false, duplicateHeaders: 'number' }],
];

/** Options that a delimited file or a workbook may need, tried in order until the input can be read. */
const remedies: Readonly<Record<string, readonly Options[]>> = {
  csv: ofText,
  tsv: ofText,
  xlsx: [{}, { duplicateHeaders: 'number' }],
};

/** Opens a JSON document again, with the elements of another list as its rows. */
export async function openListOfInput(
  found: InspectedInput,
  at: string,
  signal: AbortSignal,
): Promise<InspectedInput> {
  return { ...found, ...(await looked(found.format, { ...found.options, at }, found.input, signal)) };
}

/** Opens an input with the first remedy of its format that makes it readable; throws the first error if none does. */
async function firstReadable(
  format: string,
  stated: Options,
  input: SourceInput,
  signal: AbortSignal,
): Promise<Looked> {
  let refusal: FatalError | null = null;
  for (const remedy of remedies[format] ?? [{}]) {
    try {
      return { ...(await looked(format, { ...stated, ...remedy }, input, signal)), refusal };
    } catch (error) {
      if (!(error instanceof FatalError) || error.reason !== 'input') throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

/** Opens and inspects an input; the returned options include the detected ones, so that an import does not guess. */
async function looked(
  format: string,
  options: Options,
  input: SourceInput,
  signal: AbortSignal,
): Promise<Looked> {
  const isText = format === 'csv' || format === 'tsv';
  const source = openSourceByFormat(format, { ...options, ...(isText && { skipEmpty: true }) }, input);
  const facts = await source.inspect(signal);
  const all = { ...facts.detected, ...options };
  const refusal = null;
  const padded = isText
    ? openSourceByFormat(format, { ...all, skipEmpty: true, ragged: 'pad' }, input)
    : null;
  if (!isText || facts.detected?.delimiter !== '\t')
    return { input, format, options: all, source, facts, padded, refusal };
  const { delimiter: _tab, ...others } = all;
  return { input, format: 'tsv', options: others, source, facts, padded, refusal };
}

/** Opens an input in the format of this name, with the options of that format. */
export function openSourceByFormat(format: string, options: Options, input: SourceInput): Source {
  const found = sourceFormats.find(({ name }) => name === format);
  if (found === undefined) throw new FatalError('unexpected', `unknown input format "${format}"`);
  return found.open(options, input);
}

function alignedByBlanks(file: string): FatalError {
  return new FatalError(
    'input',
    `${file} has columns of a fixed width, aligned by blanks, which cannot be read.`,
    {
      place: { file },
      next: 'Export it again as CSV (psql --csv; in SQL*Plus "set markup csv on"), or open it in a spreadsheet as text of a fixed width, with every column as text, and save it as CSV.',
    },
  );
}

function nothing(path: string): FatalError {
  return new FatalError('input', `${path} contains no file.`, {
    place: { file: path },
    next: 'Give the path of a file.',
  });
}
