import { isDeepStrictEqual } from 'node:util';
import { findMissingColumns, type LoadedMapping, setYamlValues } from '../../mapping/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { InputFacts } from '../../model/row.ts';
import { pipelineSchema } from '../../pipeline/schema.ts';
import { sourceFormats } from '../../sources/registry.ts';
import { type InspectedInput, inspectInput, openSourceByFormat } from '../draft/input/found-input.ts';
import {
  type InputSettings,
  type SourceSettingName,
  sourceOptionNamesBySetting,
  sourceSettingNames,
  toSourceOptions,
} from '../draft/input/stated.ts';
import { toRelativeYamlPath, toYamlValue } from '../draft/pipeline-text.ts';
import { openInputForPreview, type PreviewInput } from './given-input.ts';
import { parseUnsavedMapping, type UnsavedMapping } from './mapping-text.ts';

type Options = Readonly<Record<string, unknown>>;

/** An input of a pipeline, read as the pipeline says. */
type InputOfPipeline = PreviewInput & Required<Pick<PreviewInput, 'as'>>;

/** A pipeline with its mapping and the input that it reads now. */
export interface ImportToContinue {
  /** The text of the pipeline, its absolute path, and the etag of the text. */
  readonly pipeline: { readonly text: string; readonly file: string; readonly etag: string };
  readonly mapping: UnsavedMapping;
  readonly current: InputOfPipeline;
}

/** A setting of the pipeline's input that has another value for the newer file; null for none. */
export interface ChangedInputSetting {
  readonly option: string;
  readonly flag: SourceSettingName | 'format' | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** How a newer file fits to an import. */
export interface NewerInput {
  /** The columns and lists that the mapping reads and the file lacks; null if only its rows have columns. */
  readonly missing: readonly string[] | null;
  /** The columns of the file that the current one lacks. */
  readonly added: readonly string[];
  readonly changed: readonly ChangedInputSetting[];
  /** The text of the pipeline that reads the newer file, and the etag of the text that it replaces. */
  readonly pipeline: { readonly text: string; readonly etag: string };
}

/**
 * Compares a newer file with what an import reads now. Settings of the pipeline are kept where the file can be read
 * with them. Throws a FatalError if it cannot be read, or if the mapping or the pipeline cannot.
 */
export async function compareNewerInput(
  input: PreviewInput,
  { pipeline, mapping, current }: ImportToContinue,
  signal: AbortSignal,
): Promise<NewerInput> {
  const { loaded } = parseUnsavedMapping(mapping);
  const { path, format, options, facts, missing } = await findReading(input, current.as, loaded, signal);
  const before: Options = { format: current.as.format, ...current.as.options };
  const after: Options = { format, ...options };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isDeepStrictEqual(before[key], after[key]),
  );
  const edited = setYamlValues(
    pipeline.text,
    [
      ...keys.map((key) => [key, after[key]] as const),
      ['path', toRelativeYamlPath(pipeline.file, path)] as const,
    ].map(([key, value]) => [
      ['import', 'source', key],
      value === undefined ? undefined : toYamlValue(value),
    ]),
    { schema: pipelineSchema, what: 'pipeline' },
  );
  if (!edited.ok) throw new FatalError('usage', edited.reason, { place: { file: pipeline.file } });
  const known = await readColumns(current, signal);
  return {
    missing: facts.columns === null ? null : missing,
    added: known === null ? [] : (facts.columns ?? []).filter((column) => !known.includes(column)),
    changed: keys.map((option) => ({
      ...{ option, flag: flagOf(option, format) },
      ...{ from: toText(before[option]), to: toText(after[option]) },
    })),
    pipeline: { text: edited.text, etag: pipeline.etag },
  };
}

interface Reading {
  readonly path: string;
  readonly format: string;
  readonly options: Options;
  readonly facts: InputFacts;
  readonly missing: readonly string[];
}

/** Returns the way to read a newer file in which the mapping misses the fewest columns; the current one if equal. */
async function findReading(
  { path, spoolDir, stated = {} }: PreviewInput,
  as: InputOfPipeline['as'],
  mapping: LoadedMapping,
  signal: AbortSignal,
): Promise<Reading> {
  const read = async (format: string, options: Options, from = path): Promise<Reading> => {
    const facts = await openSourceByFormat(format, options, { path: from, spoolDir }).inspect(signal);
    return { path: from, format, options, facts, missing: findMissingColumns(mapping, facts) };
  };
  const isSame = stated.format === undefined || stated.format === as.format;
  const kept = isSame ? await orFatalError(() => read(as.format, keptOptions(as, stated, path))) : undefined;
  const isRead = kept !== undefined && !(kept instanceof FatalError);
  const encoding = sourceOptionNamesBySetting.encoding[as.format];
  const hasEncoding =
    encoding !== undefined && as.options[encoding] !== undefined && stated.encoding === undefined;
  if (isRead && kept.missing.length === 0 && !hasEncoding) return kept;
  const found = await orFatalError(() => inspectInput({ path, spoolDir }, stated, signal));
  if (found instanceof FatalError) {
    if (isRead) return kept;
    throw kept ?? found;
  }
  // Another encoding shows in no column name, so it is taken from the whole file.
  if (isRead && kept.missing.length === 0)
    return encoding !== undefined && found.format === as.format && found.options[encoding] !== undefined
      ? await read(as.format, { ...kept.options, [encoding]: found.options[encoding] })
      : kept;
  const other = await orFatalError(() => read(found.format, optionsFor(found, as, stated), found.path));
  if (other instanceof FatalError) {
    if (isRead) return kept;
    throw other;
  }
  return isRead && kept.missing.length <= other.missing.length ? kept : other;
}

function keptOptions(as: InputOfPipeline['as'], stated: InputSettings, path: string): Options {
  return { ...as.options, ...toSourceOptions(as.format, stated, path) };
}

/**
 * Returns the options of a pipeline that the format of a file has, too, with what was found in the file. What the same
 * format detects again in each import is stated only where the pipeline or the user states it.
 */
function optionsFor(
  { format, options }: Pick<InspectedInput, 'format' | 'options'>,
  as: InputOfPipeline['as'],
  stated: InputSettings,
): Options {
  const known = sourceFormats.find(({ name }) => name === format)?.options.shape ?? {};
  const kept = Object.entries(as.options).filter(
    ([key]) =>
      Object.hasOwn(known, key) &&
      !Object.hasOwn(options, key) &&
      // A list within the records is not detected.
      (flagOf(key, format) === null || key === 'at'),
  );
  const found = Object.entries(options).filter(([key, value]) => {
    const flag = flagOf(key, format);
    const isDetected = flag === 'delimiter' || flag === 'encoding' || value === true;
    return (
      format !== as.format ||
      !isDetected ||
      Object.hasOwn(as.options, key) ||
      (flag !== null && Object.hasOwn(stated, flag))
    );
  });
  return Object.fromEntries([...kept, ...found]);
}

function flagOf(option: string, format: string): ChangedInputSetting['flag'] {
  if (option === 'format') return option;
  const isOf = (flag: SourceSettingName): boolean => sourceOptionNamesBySetting[flag][format] === option;
  return sourceSettingNames.find(isOf) ?? sourceSettingNames.find((flag) => flag === option) ?? null;
}

function toText(value: unknown): string | null {
  if (value === undefined) return null;
  // The line of the column names.
  if (value === true) return '1';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function orFatalError<T>(work: () => Promise<T>): Promise<T | FatalError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FatalError && error.reason !== 'unexpected') return error;
    throw error;
  }
}

/** An import that a file with similar columns may be a newer input of. */
export interface SimilarImport {
  readonly pipeline: string;
  /** The columns of its current input that the file lacks. */
  readonly missing: readonly string[];
  /** The columns of the file that its current input lacks. */
  readonly added: readonly string[];
}

/** The least part of the columns of each of two files that the other has, too, if one may be newer than the other. */
const leastCommon = 2 / 3;

/** Returns the imports whose current input has most of its columns in common with a file, those with all first. */
export async function findSimilarImports(
  input: PreviewInput,
  imports: readonly { readonly pipeline: string; readonly current: InputOfPipeline }[],
  signal: AbortSignal,
): Promise<readonly SimilarImport[]> {
  const columns = new Set(await readColumns(input, signal));
  const found: SimilarImport[] = [];
  for (const { pipeline, current } of imports) {
    const known = new Set(await readColumns(current, signal));
    const missing = [...known].filter((column) => !columns.has(column));
    const added = [...columns].filter((column) => !known.has(column));
    const common = known.size - missing.length;
    if (common > 0 && common >= Math.max(known.size, columns.size) * leastCommon)
      found.push({ pipeline, missing, added });
  }
  return found.toSorted((a, b) => a.missing.length - b.missing.length);
}

/** Returns the columns of an input by its beginning; null where it has none, or cannot be read. */
async function readColumns(input: PreviewInput, signal: AbortSignal): Promise<readonly string[] | null> {
  const opened = await orFatalError(() => openInputForPreview(input, signal));
  return opened instanceof FatalError ? null : opened.facts.columns;
}
