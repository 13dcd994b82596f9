import { createHash } from 'node:crypto';
import { z } from 'zod';
import { formatNameList, truncateNotes } from '../model/listed.ts';
import type { LiveWorkspaceInput } from '../model/ports.ts';
import type { InputFacts, Source, SourceItem } from '../model/row.ts';
import { normaliseRowPlace } from '../model/row-place.ts';
import type { ArchiveListing } from './archive/packed-file.ts';
import { createInputError, type FilePart } from './plain-file.ts';
import type { TableSet } from './tables.ts';
import { canMatchWithoutColumn, createWherePredicate, type WhereConditions, whereOption } from './where.ts';

const sizeShape = /^(\d+(?:\.\d+)?) ?(KB|MB|GB|TB)$/i;
const notASize = 'a size is a number with its unit: 500MB, 20GB or 1TB';
const units: Readonly<Record<string, number>> = { KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };

/** The options of packed inputs, for every format. */
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

/** Parses a size such as `500MB` to bytes. */
function bytesOf(size: string): number {
  const [, amount, unit = ''] = sizeShape.exec(size) ?? [];
  return Math.round(Number(amount) * (units[unit.toUpperCase()] ?? 1));
}

/** The columns that a mapping reads, without those of joined tables and lists. */
export interface MappedColumns {
  /** The columns that it reads and does not declare optional. */
  readonly needed: readonly string[];
  /** All columns that it reads. */
  readonly read: readonly string[];
}

/** An input to open: its location, and the settings that come with it. */
export interface SourceInput {
  /** An absolute path, or `-` for standard input; empty if the input is not a file. */
  readonly path: string;
  /** The folder for copies of pipes and unpacked files; created when needed. */
  readonly spoolDir: string;
  /** The display name, if it is not the path. */
  readonly name?: string;
  /** The file to read in an archive; if left out, the only one that fits the format. */
  readonly member?: string;
  /** The archive that holds `member`, with the list of its files. */
  readonly archive?: ArchiveListing;
  /** Receives the reason of a wait of more than two seconds. */
  readonly waiting?: WaitReasonListener | undefined;
  /** The workspace of a live format. */
  readonly live?: LiveWorkspaceInput;
  /** The part of the file to read, for a format with `parts`. */
  readonly part?: FilePart;
  /** Receives the byte offset that reading has reached, for a format with `parts`. */
  readonly onBytesRead?: (bytes: number) => void;
  /**
   * The conditions of `where`. Only the format `dump` uses them, to report joined rows whose main row is filtered
   * out; set by `defineSourceFormat`.
   */
  readonly where?: WhereConditions | undefined;
  /** The columns of the mapping, for a format that finds a file by its columns. */
  readonly columns?: MappedColumns;
  /** The rules for unpacking a packed input; set by `defineSourceFormat`. */
  readonly unpacking?: UnpackingRules;
}

/** The rules of a format for unpacking a packed input. */
export interface UnpackingRules {
  /** The file extensions of the format, which choose the member of an archive. */
  readonly extensions: readonly string[];
  /** The option `maxUnpacked` in bytes. */
  readonly maxBytes: number | undefined;
}

/** The description of a format in the reference. */
interface FormatWords {
  readonly reads: string;
  readonly columns: string;
  /** The meaning of `_line` in reports. */
  readonly line: string;
  /** The text that replaces the table of the format's keys. */
  readonly keys?: string;
}

/** An input format: its name in a pipeline, its options besides `format` and `path`, and how it is opened. */
export interface SourceFormat {
  readonly name: string;
  /** The file extensions of the format, without the dot. */
  readonly extensions: readonly string[];
  readonly words: FormatWords;
  /** A strict schema with every key described, without `format` and `path`. */
  readonly options: z.ZodObject;
  /** True if the format reads a live workspace, so that a pipeline has no `path`. */
  readonly live?: boolean;
  /** True if records omit empty values: a column that no record has then counts as empty, not as missing. */
  readonly sparse?: boolean;
  /** The parts of a file that can be read alone: its beginning, or for `lines` any range of lines. */
  readonly parts?: 'beginning' | 'lines';
  /** Returns the names of the lists that its rows have beside their columns; absent if they have none. */
  readonly lists?: (options: unknown) => readonly string[];
  /** Creates the table set of a file, for a format whose files hold several tables. */
  readonly tables?: (options: object, input: SourceInput) => TableSet;
  /** Opens a source; reads nothing yet. Throws a ZodError for invalid options. */
  open(options: unknown, input: SourceInput): Source;
}

/** The definition of a format, with its typed options. */
interface SourceFormatDefinition<S extends z.ZodObject>
  extends Omit<SourceFormat, 'options' | 'open' | 'lists'> {
  readonly options: S;
  readonly lists?: (options: z.output<S>) => readonly string[];
  open(options: z.output<S>, input: SourceInput): Source;
}

const everyFormat = packedOptions.extend({ where: whereOption.optional() });

/** Creates a format from its definition: parses the options, and adds `where` and the options of packed inputs. */
export function defineSourceFormat<S extends z.ZodObject>(parts: SourceFormatDefinition<S>): SourceFormat {
  const { options, extensions, lists, ...rest } = parts;
  return {
    ...rest,
    extensions,
    options: options.safeExtend(everyFormat.shape),
    ...(lists && { lists: (given) => lists(options.parse(ownOptions(given).own)) }),
    open(given, input) {
      const { member, maxUnpacked, where, own } = ownOptions(given);
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

/** Splits off the options that every format has. */
function ownOptions(given: unknown) {
  const { member, maxUnpacked, where, ...own } = everyFormat.loose().parse(given);
  return { member, maxUnpacked, where, own };
}

/** Returns the same source with a limited number of notes. */
function withFewNotes(source: Source): Source {
  return {
    inspect: async (signal) => {
      const facts = await source.inspect(signal);
      return { ...facts, notes: truncateNotes(facts.notes) };
    },
    read: (from, signal) => source.read(from, signal),
    ...tablesOf(source),
  };
}

function tablesOf(source: Source): Pick<Source, 'tables'> {
  return source.tables === undefined ? {} : { tables: () => source.tables?.() };
}

/** Returns the same source with filtered items in place of the rows that do not match `where`. */
function filtered(source: Source, where: WhereConditions): Source {
  const isTaken = createWherePredicate(where);
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
            item.kind === 'row' && !isTaken(item) ? { kind: 'filtered', ...normaliseRowPlace(item) } : item,
        );
      }
    },
    ...tablesOf(source),
  };
}

/** Throws a FatalError('input') if a missing column excludes every row; returns notes about other missing columns. */
function missingColumns({ name, columns }: InputFacts, where: WhereConditions): readonly string[] {
  if (columns === null) return [];
  const missing = Object.keys(where).filter((column) => !columns.includes(column));
  const needed = missing.find((column) => !canMatchWithoutColumn(where, column));
  if (needed === undefined) return missing.map(missingColumnNote);
  throw createInputError(
    name,
    `has no column "${needed}", which "where" uses`,
    `It has: ${formatNameList(columns, 40)}. Fix "where".`,
  );
}

function missingColumnNote(column: string): string {
  return `"where" uses the column "${column}", which no row has: it counts as empty.`;
}

const patienceMs = 2_000;

/** Receives the reason of a long wait, as a sentence; may be called several times with the same reason. */
export type WaitReasonListener = (text: string) => void;

/** Awaits `work`; if that takes more than two seconds, reports `text` once, as the reason of the wait. */
export async function withWaitNotice<T>(
  waiting: WaitReasonListener | undefined,
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
