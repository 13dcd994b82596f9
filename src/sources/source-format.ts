import type { z } from 'zod';
import { fewNotes } from '../model/listed.ts';
import type { LiveInput } from '../model/ports.ts';
import type { Source } from '../model/row.ts';
import { bytesOf, packedOptions } from './archive/options.ts';
import { filtered } from './filtered.ts';
import type { Waiting } from './waiting.ts';
import { whereOption } from './where.ts';

/** Where an input comes from. */
export interface SourceInput {
  /** An absolute path, or `-` for standard input; empty where the input is no file. */
  readonly path: string;
  /** The folder where copies are kept of an input that can be read only once or that is packed; created when needed. */
  readonly spoolDir: string;
  /** What people call it, where that is not its path. */
  readonly name?: string;
  /** Which file of an archive is meant; without it the only one that fits. */
  readonly member?: string;
  /** Hears what is waited for where that takes longer than two seconds. */
  readonly waiting?: Waiting | undefined;
  /** The workspace that a live format reads. */
  readonly live?: LiveInput;
  /** What the format makes of a packed input; `sourceFormat` fills it in. */
  readonly unpacking?: Unpacking;
}

/** How a packed input of a format is unpacked. */
export interface Unpacking {
  /** How files of the format end, without the dot; a member of an archive fits by them. */
  readonly extensions: readonly string[];
  /** How many bytes it may become, where that is stated. */
  readonly maxBytes: number | undefined;
}

/** One input format: its name in a pipeline, the options it takes beside `format` and `path`, and how it is opened. */
export interface SourceFormat {
  readonly name: string;
  /** Strict, every key described; without `format` and `path`. */
  readonly options: z.ZodObject;
  /** How files of the format end, without the dot. */
  readonly extensions: readonly string[];
  /** Whether it reads a live workspace in place of a file: a pipeline names no path then. */
  readonly live?: boolean;
  /** Touches nothing yet: a missing file is reported by `inspect`. Throws a ZodError where the options break the schema. */
  open(options: unknown, input: SourceInput): Source;
}

const everyFormat = packedOptions.extend({ where: whereOption.optional() });

/**
 * Ties a format's options to the function that opens it, so that it gets them checked and typed. Every format takes
 * `where` and the options of packed inputs besides.
 */
export function sourceFormat<S extends z.ZodObject>(
  name: string,
  options: S,
  open: (options: z.output<S>, input: SourceInput) => Source,
  extensions: readonly string[] = [name],
): SourceFormat {
  return {
    name,
    options: options.safeExtend(everyFormat.shape),
    extensions,
    open(given, input) {
      const { member, maxUnpacked, where, ...own } = everyFormat.loose().parse(given);
      const maxBytes = maxUnpacked === undefined ? undefined : bytesOf(maxUnpacked);
      const wanted = member === undefined ? input : { ...input, member };
      const source = open(options.parse(own), { ...wanted, unpacking: { extensions, maxBytes } });
      return withFewNotes(where === undefined ? source : filtered(source, where));
    },
  };
}

/** Whatever an input is like, what is said of it is short enough to be read. */
function withFewNotes(source: Source): Source {
  return {
    inspect: async (signal) => {
      const facts = await source.inspect(signal);
      return { ...facts, notes: fewNotes(facts.notes) };
    },
    read: (from, signal) => source.read(from, signal),
  };
}
