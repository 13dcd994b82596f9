import { stat } from 'node:fs/promises';
import { FatalError } from '../../../model/fatal-error.ts';
import type { InputFacts, Source } from '../../../model/row.ts';
import { type Member, membersOf } from '../../../sources/archive/members.ts';
import { foundWriting } from '../../../sources/csv/found-writing.ts';
import { inputFile } from '../../../sources/input-file.ts';
import { sourceFormats } from '../../../sources/registry.ts';
import type { SourceInput } from '../../../sources/source-format.ts';
import type { JoinPlan } from '../joins/join-plan.ts';
import { planOfDump, tablesIn } from '../joins/plan-of-dump.ts';
import { sniffed } from './sniff.ts';

type Options = Readonly<Record<string, unknown>>;

/** An input with one table, opened and looked through once. */
export interface FoundInput {
  /** The path a pipeline names: the file that was given, or the only one in the folder. */
  readonly path: string;
  readonly format: string;
  /** What a pipeline must or should state beside format and path. */
  readonly options: Options;
  readonly source: Source;
  readonly facts: InputFacts;
  /** How the tables hang together, where there are several. */
  readonly plan: JoinPlan | null;
}

type Looked = Omit<FoundInput, 'path' | 'plan'>;

const holdsTables = new Set(['sql', 'sqlite']);

/** Finds out what an input is and looks through it. Throws a FatalError('input') where it cannot be read. */
export async function findInput(input: SourceInput, signal: AbortSignal): Promise<FoundInput> {
  const members = await membersOf({ ...input, unpacking: { extensions: [], maxBytes: undefined } }, signal);
  const [only, ...others] = members;
  if (only === undefined) throw nothing(input.path);
  return others.length > 0 ? await dumpOf(input, input.path, signal) : await opened(only, input, signal);
}

async function opened(member: Member, input: SourceInput, signal: AbortSignal): Promise<FoundInput> {
  const plain = await inputFile(
    { ...member.input, unpacking: { extensions: ['xlsx'], maxBytes: undefined } },
    signal,
  );
  const likely = await sniffed(plain, member.name, signal);
  const folder = input.path !== '-' && (await stat(input.path)).isDirectory();
  const path = folder ? member.input.path : input.path;
  // A pipe can be read only once: from then on it is the copy that is read.
  const read = { ...input, path: member.input.path };
  const several = holdsTables.has(likely.format) && (await tablesIn(read, signal)) > 1;
  if (several) return await dumpOf(read, path, signal);
  const found = await firstReadable(likely.format, likely.options, read, signal);
  return { ...found, path, plan: null };
}

async function dumpOf(input: SourceInput, path: string, signal: AbortSignal): Promise<FoundInput> {
  const plan = await planOfDump(input, signal);
  const { table, where, joins, files } = plan;
  const options = {
    ...(Object.keys(files).length > 0 && { tables: files }),
    table,
    ...(Object.keys(where).length > 0 && { where }),
    ...(Object.keys(joins).length > 0 && { join: joins }),
  };
  return { ...(await looked('dump', options, input, signal)), path, plan };
}

/** What a CSV file or a workbook may need, tried in order: the first that can be read is taken. */
const remedies: Readonly<Record<string, readonly Options[]>> = {
  csv: [{}, { duplicateHeaders: 'number' }, { quote: false }, { quote: false, duplicateHeaders: 'number' }],
  xlsx: [{}, { duplicateHeaders: 'number' }],
};

async function firstReadable(
  format: string,
  stated: Options,
  input: SourceInput,
  signal: AbortSignal,
): Promise<Looked> {
  let refusal: unknown;
  for (const remedy of remedies[format] ?? [{}]) {
    try {
      return await look(format, { ...stated, ...remedy }, input, signal);
    } catch (error) {
      if (!(error instanceof FatalError) || error.reason !== 'input') throw error;
      refusal ??= error;
    }
  }
  throw refusal;
}

async function look(
  format: string,
  options: Options,
  input: SourceInput,
  signal: AbortSignal,
): Promise<Looked> {
  if (format === 'csv') {
    const { encoding, delimiter } = await foundWriting(options, input, signal);
    const tab = delimiter === '\t';
    return await looked(
      tab ? 'tsv' : 'csv',
      { encoding, ...(tab ? {} : { delimiter }), ...options },
      input,
      signal,
    );
  }
  return await looked(format, options, input, signal);
}

async function looked(
  format: string,
  options: Options,
  input: SourceInput,
  signal: AbortSignal,
): Promise<Looked> {
  const source = openSource(format, options, input);
  return { format, options, source, facts: await source.inspect(signal) };
}

/** Opens an input in a format with what is to be stated for it. */
export function openSource(format: string, options: Options, input: SourceInput): Source {
  const found = sourceFormats.find(({ name }) => name === format);
  if (found === undefined) throw new FatalError('unexpected', `there is no input format "${format}"`);
  return found.open(options, input);
}

function nothing(path: string): FatalError {
  return new FatalError('input', `${path} holds no file.`, { place: { file: path }, next: 'Name a file.' });
}
