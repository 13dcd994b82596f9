import type { InputFacts, Source } from '../../model/row.ts';
import { sourceFormats } from '../../sources/registry.ts';
import type { SourceInput } from '../../sources/source-format.ts';
import { inspectInput, openSourceByFormat } from '../draft/input/found-input.ts';
import type { InputSettings } from '../draft/input/stated.ts';
import type { JoinPlan } from '../draft/joins/join-plan.ts';

type Options = Readonly<Record<string, unknown>>;

/** An input to preview before there is a run. */
export interface PreviewInput {
  /** The absolute path of a file or a folder. */
  readonly path: string;
  readonly spoolDir: string;
  /** The settings that the user states; the others are detected. */
  readonly stated?: InputSettings;
  /** The format and options that a pipeline states, instead of detection. */
  readonly as?: { readonly format: string; readonly options: Options };
}

/** An input that was inspected: the whole of it, or the beginning of a large file. */
export interface OpenedInput {
  readonly path: string;
  readonly format: string;
  readonly options: Options;
  /** Reads only the beginning where `whole` is false. */
  readonly source: Source;
  readonly facts: InputFacts;
  readonly whole: boolean;
  /** The number of bytes read from the file. */
  readonly bytes: number;
  /** The error that occurs with the stated options alone; null if they suffice to read the input. */
  readonly refusal: string | null;
  readonly plan: JoinPlan | null;
}

/**
 * The number of bytes at the beginning of a file that are enough to detect its options; used for formats that can be
 * read in parts.
 */
const beginningBytes = 512 * 1024;

/**
 * Inspects an input, or only the beginning of a large file in a format that can be read in parts. Throws a FatalError
 * if it cannot be read.
 */
export async function openInputForPreview(given: PreviewInput, signal: AbortSignal): Promise<OpenedInput> {
  const input = { ...placeOf(given), part: { from: 0, to: beginningBytes } };
  const { refusal, ...found } = given.as
    ? { ...(await asStated(given.as, input, signal)), path: given.path, refusal: null, plan: null }
    : await inspectInput(input, given.stated ?? {}, signal);
  const { path, format, options, source, facts, plan } = found;
  const whole = getPartialReadMode(format) === undefined || facts.bytes <= beginningBytes;
  const bytes = whole ? facts.bytes : beginningBytes;
  return { path, format, options, source, facts, whole, bytes, refusal: refusal?.message ?? null, plan };
}

async function asStated(
  { format, options }: { format: string; options: Options },
  input: SourceInput,
  signal: AbortSignal,
) {
  const source = openSourceByFormat(format, options, input);
  return { format, options, source, facts: await source.inspect(signal) };
}

/** An input whose rows can all be read. */
export interface WholeInput extends Pick<OpenedInput, 'format' | 'options' | 'source'> {
  readonly facts: Pick<InputFacts, 'columns' | 'lists' | 'absent' | 'bytes' | 'notes' | 'truncated'>;
  /** Returns the share of the input that has been read, from 0 to 1; `rows` is the number of rows read so far. */
  share(rows: number): number;
}

/**
 * Opens a whole input with the options detected from its beginning, so that its first rows can be read at
 * once.
 */
export async function openWholeInput(given: PreviewInput, signal: AbortSignal): Promise<WholeInput> {
  const begun = await openInputForPreview(given, signal);
  const { path, format, facts } = begun;
  if (begun.whole) return { ...begun, share: (rows) => (facts.items === 0 ? 1 : rows / facts.items) };
  let reached = 0;
  const heard = (bytes: number): void => {
    reached = bytes;
  };
  const options = given.as?.options ?? withoutGuess(begun.options, given.stated);
  // Blank rows are skipped, as in an input that was inspected whole.
  const blank = given.as === undefined && facts.writing !== undefined ? { skipEmpty: true } : {};
  const source = openSourceByFormat(
    format,
    { ...options, ...blank },
    { ...placeOf(given), path, onBytesRead: heard },
  );
  const isOpen = sourceFormats.find(({ name }) => name === format)?.sparse === true;
  return {
    ...{ format, options, source },
    // In a sparse format later rows may have further columns.
    facts: isOpen ? { ...facts, columns: null } : facts,
    share: () => Math.min(1, reached / facts.bytes),
  };
}

/**
 * Returns which part of a file in this format can be read without the rest: its beginning, or lines from anywhere in
 * it; undefined if the file can only be read as a whole.
 */
export function getPartialReadMode(format: string): 'beginning' | 'lines' | undefined {
  return sourceFormats.find(({ name }) => name === format)?.parts;
}

/** Drops a detected encoding: the beginning is weaker evidence than the whole file. */
function withoutGuess(options: Options, stated: InputSettings | undefined): Options {
  const { encoding, ...others } = options;
  return stated?.encoding === undefined ? others : { ...others, encoding };
}

function placeOf({ path, spoolDir }: PreviewInput): SourceInput {
  return { path, spoolDir };
}
