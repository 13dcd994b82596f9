import { createHash } from 'node:crypto';
import { z } from 'zod';
import { fewNotes, listed } from '../model/listed.ts';
import type { LiveInput } from '../model/ports.ts';
import type { InputFacts, Source, SourceItem } from '../model/row.ts';
import { placeOf } from '../model/row-place.ts';
import type { ListedArchive } from './archive/packed-file.ts';
import { type FilePart, inputError } from './plain-file.ts';
import type { TableSet } from './tables.ts';
import { allowsNothing, conditionOf, type Where, whereOption } from './where.ts';

const sizeShape = /^(\d+(?:\.\d+)?) ?(KB|MB|GB|TB)$/i;
const notASize = 'a size is a number with its unit: 500MB, 20GB or 1TB';
const units: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** What every format takes beside its own options, for inputs that are packed. */
const packedOptions = z.object({
  member: z
    .string()
    .min(1)
    .optional()
    .describe('Which file of a zip or tar.gz is read. Left out: the only one that fits the format.'),
  maxUnpacked: z
    .string(notASize)
    .regex(sizeShape, notASize)
    .optional()
    .describe(
      'The most that a packed input may unpack to, for example 50GB. Left out: 20GB, and at most 250 times its packed size.',
    ),
});

/** A size with its unit in bytes. */
function bytesOf(size: string): number {
  const [, amount, unit = ''] = sizeShape.exec(size) ?? [];
  return Math.round(Number(amount) * (units[unit.toUpperCase()] ?? 1));
}

/** The columns that a mapping wants of the rows of an input, those of joined tables and lists aside. */
export interface WantedColumns {
  /** Without which it refuses the input. */
  readonly needed: readonly string[];
  /** All that it reads, those included. */
  readonly read: readonly string[];
}

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
  /** The archive that it is, or that `member` is in, where its files were listed. */
  readonly archive?: ListedArchive;
  /** Hears what is waited for where that takes longer than two seconds. */
  readonly waiting?: WaitingListener | undefined;
  /** The workspace that a live format reads. */
  readonly live?: LiveInput;
  /** The part of the file that is read, by a format that can be read in parts; others read all of it. */
  readonly part?: FilePart;
  /** Hears how many bytes of the file the rows so far come from, of a format that can be read in parts. */
  readonly onBytesRead?: (bytes: number) => void;
  /** Which rows are taken, for a format that says what became of what belongs to the others; `sourceFormat` fills it in. */
  readonly where?: Where | undefined;
  /** What is wanted of its rows, for a format that finds the file with them where no name tells which it is. */
  readonly columns?: WantedColumns;
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

/** What the reference says of a format. */
interface FormatWords {
  readonly reads: string;
  readonly columns: string;
  /** What `_line` is in reports. */
  readonly line: string;
  /** In place of a table of its keys. */
  readonly keys?: string;
}

/** One input format: its name in a pipeline, the options it takes beside `format` and `path`, and how it is opened. */
export interface SourceFormat {
  readonly name: string;
  /** How files of the format end, without the dot. */
  readonly extensions: readonly string[];
  readonly words: FormatWords;
  /** Strict, every key described; without `format` and `path`. */
  readonly options: z.ZodObject;
  /** Whether it reads a live workspace in place of a file: a pipeline names no path then. */
  readonly live?: boolean;
  /** Whether its records leave out what is empty: a column that none of them has may be empty everywhere. */
  readonly sparse?: boolean;
  /** Whether a part of a file is a file: its beginning, or for `lines` also what begins at any of its lines. */
  readonly parts?: 'beginning' | 'lines';
  /** The tables of a file of the format, where it can hold several. */
  readonly tables?: (options: object, input: SourceInput) => TableSet;
  /** Touches nothing yet: a missing file is reported by `inspect`. Throws a ZodError where the options break the schema. */
  open(options: unknown, input: SourceInput): Source;
}

/** What a format says of itself. */
interface SourceFormatDefinition<S extends z.ZodObject> extends Omit<SourceFormat, 'options' | 'open'> {
  readonly options: S;
  open(options: z.output<S>, input: SourceInput): Source;
}

const everyFormat = packedOptions.extend({ where: whereOption.optional() });

/**
 * Ties a format's options to the function that opens it, so that it gets them checked and typed. Every format takes
 * `where` and the options of packed inputs besides.
 */
export function sourceFormat<S extends z.ZodObject>(parts: SourceFormatDefinition<S>): SourceFormat {
  const { options, extensions } = parts;
  return {
    ...parts,
    options: options.safeExtend(everyFormat.shape),
    open(given, input) {
      const { member, maxUnpacked, where, ...own } = everyFormat.loose().parse(given);
      const maxBytes = maxUnpacked === undefined ? undefined : bytesOf(maxUnpacked);
      const { part: _part, onBytesRead: _heard, ...whole } = input;
      const read = parts.parts === undefined ? whole : input;
      const wanted = member === undefined ? read : { ...read, member };
      const source = parts.open(options.parse(own), {
        ...wanted,
        where,
        unpacking: { extensions, maxBytes },
      });
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
    ...tablesOf(source),
  };
}

function tablesOf(source: Source): Pick<Source, 'tables'> {
  return source.tables === undefined ? {} : { tables: () => source.tables?.() };
}

/** A source whose rows are taken only where they fulfil a condition; the others keep their place as filtered items. */
function filtered(source: Source, where: Where): Source {
  const isTaken = conditionOf(where);
  return {
    async inspect(signal) {
      const facts = await source.inspect(signal);
      const notes = missingColumns(facts, where);
      const fingerprint = createHash('sha256').update(`${facts.fingerprint} ${JSON.stringify(where)}`);
      return { ...facts, fingerprint: fingerprint.digest('hex'), notes: [...facts.notes, ...notes] };
    },
    async *read(from, signal) {
      for await (const batch of source.read(from, signal)) {
        yield batch.map(
          (item): SourceItem =>
            item.kind === 'row' && !isTaken(item) ? { kind: 'filtered', ...placeOf(item) } : item,
        );
      }
    },
    ...tablesOf(source),
  };
}

/** Throws where a column is missing without which no row is taken; gives a note of others. */
function missingColumns({ name, columns }: InputFacts, where: Where): readonly string[] {
  if (columns === null) return [];
  const missing = Object.keys(where).filter((column) => !columns.includes(column));
  const needed = missing.find((column) => !allowsNothing(where, column));
  if (needed === undefined) return missing.map(missingColumnNote);
  throw inputError(
    name,
    `has no column "${needed}", which "where" uses`,
    `It has: ${listed(columns, 40)}. Fix "where".`,
  );
}

function missingColumnNote(column: string): string {
  return `"where" uses the column "${column}", which no row has: it counts as empty.`;
}

const patienceMs = 2_000;

/** Hears what is waited for; each sentence once. */
export type WaitingListener = (text: string) => void;

/** What work gives; where it takes longer than two seconds, says what is waited for. */
export async function whileWaiting<T>(
  waiting: WaitingListener | undefined,
  text: string,
  work: Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => waiting?.(text), patienceMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
