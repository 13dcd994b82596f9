import { stat } from 'node:fs/promises';
import { FatalError } from '../../../model/fatal-error.ts';
import type { InputFacts, Source } from '../../../model/row.ts';
import { type Member, membersOf } from '../../../sources/archive/members.ts';
import { foundWriting } from '../../../sources/csv/found-writing.ts';
import { inputFile } from '../../../sources/input-file.ts';
import { sourceFormats } from '../../../sources/registry.ts';
import type { SourceInput } from '../../../sources/source-format.ts';
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
}

/** Finds out what an input is and looks through it. Throws a FatalError('input') where it cannot be read. */
export async function findInput(input: SourceInput, signal: AbortSignal): Promise<FoundInput> {
  const members = await membersOf({ ...input, unpacking: { extensions: [], maxBytes: undefined } }, signal);
  const [only, ...others] = members;
  if (only === undefined) throw nothing(input.path);
  if (others.length > 0) return await oneOf(members, input, signal);
  return await opened(only, input, signal);
}

async function oneOf(
  members: readonly Member[],
  input: SourceInput,
  signal: AbortSignal,
): Promise<FoundInput> {
  const names = members.map(({ name }) => name).join(', ');
  signal.throwIfAborted();
  throw new FatalError('input', `${input.path} holds ${members.length} files: ${names}.`, {
    place: { file: input.path },
    next: 'Name one of them.',
  });
}

async function opened(member: Member, input: SourceInput, signal: AbortSignal): Promise<FoundInput> {
  const plain = await inputFile(
    { ...member.input, unpacking: { extensions: ['xlsx'], maxBytes: undefined } },
    signal,
  );
  const likely = await sniffed(plain, member.name, signal);
  const folder = input.path !== '-' && (await stat(input.path)).isDirectory();
  const path = folder ? member.input.path : input.path;
  // Standard input can be read only once: from then on it is the copy that is read.
  const read = { ...input, path: path === '-' ? member.input.path : path };
  return { ...(await firstReadable(likely.format, likely.options, read, signal)), path };
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
): Promise<FoundInput> {
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
): Promise<FoundInput> {
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
): Promise<FoundInput> {
  const source = openSource(format, options, input);
  return { path: input.path, format, options, source, facts: await source.inspect(signal) };
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
