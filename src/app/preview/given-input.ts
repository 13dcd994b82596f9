import type { InputFacts, Source } from '../../model/row.ts';
import { sourceFormats } from '../../sources/registry.ts';
import type { SourceInput } from '../../sources/source-format.ts';
import { findInput, openSource } from '../draft/input/found-input.ts';
import type { Stated } from '../draft/input/stated.ts';
import type { JoinPlan } from '../draft/joins/join-plan.ts';

type Options = Readonly<Record<string, unknown>>;

/** An input that somebody looks at before there is a run. */
export interface GivenInput {
  /** An absolute path of a file or a folder. */
  readonly path: string;
  readonly spoolDir: string;
  /** What is stated of it; the rest is found out. */
  readonly stated?: Stated;
  /** How a pipeline states it, in place of finding out. */
  readonly as?: { readonly format: string; readonly options: Options };
}

/** An input of which at least the beginning was looked through. */
export interface BegunInput {
  readonly path: string;
  readonly format: string;
  readonly options: Options;
  /** Gives the beginning alone where `whole` is false. */
  readonly source: Source;
  readonly facts: InputFacts;
  readonly whole: boolean;
  /** How many bytes of the file that is. */
  readonly bytes: number;
  /** Why it needs options that nobody stated. */
  readonly refusal: string | null;
  readonly plan: JoinPlan | null;
}

/** So many bytes of a file show what it is, of a format that can be read in parts. */
const beginningBytes = 512 * 1024;

/** Looks through an input, of a large file of lines or JSON through its beginning. Throws a FatalError where it cannot be read. */
export async function beginInput(given: GivenInput, signal: AbortSignal): Promise<BegunInput> {
  const input = { ...placeOf(given), part: { from: 0, to: beginningBytes } };
  const { refusal, ...found } = given.as
    ? { ...(await asStated(given.as, input, signal)), path: given.path, refusal: null, plan: null }
    : await findInput(input, given.stated ?? {}, signal);
  const { path, format, options, source, facts, plan } = found;
  const whole = partsOf(format) === undefined || facts.bytes <= beginningBytes;
  const bytes = whole ? facts.bytes : beginningBytes;
  return { path, format, options, source, facts, whole, bytes, refusal: refusal?.message ?? null, plan };
}

async function asStated(
  { format, options }: { format: string; options: Options },
  input: SourceInput,
  signal: AbortSignal,
) {
  const source = openSource(format, options, input);
  return { format, options, source, facts: await source.inspect(signal) };
}

/** An input all of whose rows can be read. */
export interface OpenInput extends Pick<BegunInput, 'format' | 'options' | 'source'> {
  readonly facts: Pick<InputFacts, 'columns' | 'lists' | 'absent' | 'bytes' | 'notes' | 'truncated'>;
  /** The share of the input that so many rows reach to, from 0 to 1. */
  share(rows: number): number;
}

/** Opens all of an input as far as its beginning tells, so that the first rows come at once. */
export async function openWhole(given: GivenInput, signal: AbortSignal): Promise<OpenInput> {
  const begun = await beginInput(given, signal);
  const { path, format, facts } = begun;
  if (begun.whole) return { ...begun, share: (rows) => (facts.items === 0 ? 1 : rows / facts.items) };
  let reached = 0;
  const heard = (bytes: number): void => {
    reached = bytes;
  };
  const options = given.as?.options ?? withoutGuess(begun.options, given.stated);
  // As where the beginning is the whole.
  const blank = given.as === undefined && facts.writing !== undefined ? { skipEmpty: true } : {};
  const source = openSource(
    format,
    { ...options, ...blank },
    { ...placeOf(given), path, onBytesRead: heard },
  );
  const isOpen = sourceFormats.find(({ name }) => name === format)?.sparse === true;
  return {
    ...{ format, options, source },
    // Further rows of such a format may have further columns.
    facts: isOpen ? { ...facts, columns: null } : facts,
    share: () => Math.min(1, reached / facts.bytes),
  };
}

/** How much of a file of a format is a file, too. */
export function partsOf(format: string): 'beginning' | 'lines' | undefined {
  return sourceFormats.find(({ name }) => name === format)?.parts;
}

/** The beginning says less of the encoding than the whole file. */
function withoutGuess(options: Options, stated: Stated | undefined): Options {
  const { encoding, ...others } = options;
  return stated?.encoding === undefined ? others : { ...others, encoding };
}

function placeOf({ path, spoolDir }: GivenInput): SourceInput {
  return { path, spoolDir };
}
