import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CsvError, parse as csvParser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { unescapeCsvFormula } from '../../model/spreadsheet-guard.ts';
import { formatDidYouMeanPath } from '../../storage/path-meant.ts';
import { openRegularFile } from '../../storage/regular-file.ts';

/** The format of a CSV file of a run in which a user fills in answers. */
export interface AnswerListFormat<A extends string = YesNoAnswer> {
  /** The name of the file in the run's folder. */
  readonly name: string;
  /** The column for the answer. */
  readonly mark: string;
  /** The columns that the file must have besides `mark`. */
  readonly needed: readonly string[];
  /** The answers, each with the words accepted for it. */
  readonly answers: Readonly<Record<A, readonly string[]>>;
  /** The advice for an answer that is not among the accepted words. */
  readonly howToMark: string;
}

/** The answers of most lists. */
export type YesNoAnswer = 'yes' | 'no';

/** The words accepted for yes and no. */
export const yesNoAnswerWords: AnswerListFormat['answers'] = {
  yes: ['yes', 'y', 'x', 'true', '1', 'ja', 'oui'],
  no: ['no', 'n', 'false', '0', 'nein', 'non'],
};

/** A line of a list that a user has filled in. */
export interface AnswerListLine<A extends string = YesNoAnswer> {
  /** The line in the file, from 1. */
  readonly at: number;
  /** The answer in the mark column; undefined where it is empty. */
  readonly answer: A | undefined;
  /** The cells by column, without the apostrophes that keep a spreadsheet from reading a text as a formula. */
  readonly cells: Readonly<Record<string, string>>;
  /** The number of columns that the first line names. */
  readonly columns: number;
  /** The number of cells in the line if one of those beyond the columns is not empty; otherwise undefined. */
  readonly tooMany: number | undefined;
}

/** Returns the error to throw for an invalid line, with the place of the line. */
export type LineErrorFactory = (message: string, next: Hint) => FatalError;

const delimiters = [',', ';', '\t', '|'];

/** The part of a list's format that its header is checked against. */
type Columns = Pick<AnswerListFormat, 'name' | 'mark' | 'needed'>;

/** The number of bytes that the header must fit into. */
const headBytes = 256 * 1_024;

/**
 * Reads a list as saved by a spreadsheet program, whatever its delimiter, line ends and byte order mark;
 * passes its lines to `take`, and returns the absolute path and the SHA-256 of the file. Throws a FatalError
 * (usage) if it cannot be read, or if an answer is not among the accepted words.
 */
export async function readAnswerList<A extends string>(
  path: string,
  list: AnswerListFormat<A>,
  take: (line: AnswerListLine<A>, refuse: LineErrorFactory) => void,
): Promise<{ readonly file: string; readonly fingerprint: string }> {
  const file = resolve(path);
  const start = await beginningOf(file, list);
  const encoding = start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : 'utf-8';
  const { delimiter, columns } = headerOf(file, new TextDecoder(encoding).decode(start), list);
  const hash = createHash('sha256');
  const text = async function* (bytes: AsyncIterable<Buffer>) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    for await (const chunk of bytes) {
      hash.update(chunk);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  };
  const takeAll = async (records: AsyncIterable<{ record: string[]; info: { lines: number } }>) => {
    let before = 0;
    for await (const { record, info } of records) {
      // Spreadsheets leave empty lines behind.
      const isEmpty = record.every((cell) => cell.trim() === '');
      const place = { file, line: before + 1 };
      const refuse: LineErrorFactory = (message, next) => new FatalError('usage', message, { place, next });
      if (before > 0 && !isEmpty) take(filledLine(record, columns, before + 1, list, refuse), refuse);
      before = info.lines;
    }
  };
  const parser = csvParser({ delimiter, relax_column_count: true, info: true });
  try {
    await pipeline((await openRegularFile(file)).createReadStream(), text, parser, takeAll);
  } catch (error) {
    throw unreadable(file, error, list);
  }
  return { file, fingerprint: hash.digest('hex') };
}

/** Returns the lines of a list that is small enough to be read at once; throws as `readAnswerList` does. */
export function parseAnswerList<A extends string>(
  file: string,
  bytes: Buffer,
  list: AnswerListFormat<A>,
): readonly AnswerListLine<A>[] {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  const { delimiter, columns } = headerOf(file, text, list);
  const records = parse(text, { delimiter, relax_column_count: true, skip_records_with_empty_values: true });
  return records.slice(1).map((record, index) => {
    const place = { file, line: index + 2 };
    return filledLine(record, columns, index + 2, list, (message, next) => {
      return new FatalError('usage', message, { place, next });
    });
  });
}

/** Returns true if the first line of a file names all columns that the list needs. */
export async function hasAnswerListHeader(path: string, list: Columns): Promise<boolean> {
  const file = resolve(path);
  const start = await beginningOf(file, list);
  const encoding = start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : 'utf-8';
  return readHeader(new TextDecoder(encoding).decode(start), list).missing.length === 0;
}

function filledLine<A extends string>(
  record: readonly string[],
  columns: readonly string[],
  at: number,
  { mark, howToMark, answers }: AnswerListFormat<A>,
  refuse: LineErrorFactory,
): AnswerListLine<A> {
  const cells = Object.fromEntries(
    columns.map((column, index) => [column, unescapeCsvFormula(record[index] ?? '')]),
  );
  const written = (cells[mark] ?? '').trim();
  const word = written.toLowerCase();
  const known: A[] = [];
  for (const name in answers) known.push(name);
  const answer = known.find((name) => answers[name].includes(word));
  if (answer === undefined && word !== '')
    throw refuse(`"${written}" under "${mark}" is neither ${known.join(' nor ')}.`, howToMark);
  const more = record.slice(columns.length).some((cell) => cell.trim() !== '');
  return { at, answer, cells, columns: columns.length, tooMany: more ? record.length : undefined };
}

async function beginningOf(file: string, list: Pick<AnswerListFormat, 'name'>): Promise<Buffer> {
  try {
    const handle = await openRegularFile(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unreadable(file, error, list);
  }
}

/** Reads the header with the delimiter that yields most of the needed columns. */
function readHeader(text: string, { mark, needed }: Columns) {
  const wanted = [mark, ...needed];
  const readings = delimiters.map((delimiter) => {
    const [header = []] = parse(text, { delimiter, to: 1, relax_quotes: true });
    const columns = header.map((column) => column.trim());
    return { delimiter, columns, missing: wanted.filter((column) => !columns.includes(column)) };
  });
  const [best] = readings.sort((a, b) => a.missing.length - b.missing.length);
  return best ?? { delimiter: ',', columns: [], missing: wanted };
}

function headerOf(
  file: string,
  text: string,
  list: Columns,
): { delimiter: string; columns: readonly string[] } {
  const read = readHeader(text, list);
  if (read.missing.length === 0) return read;
  const missing = read.missing.map((column) => `"${column}"`).join(', ');
  const { name, mark } = list;
  throw new FatalError('usage', `this is no ${name}: its first line does not name ${missing}.`, {
    place: { file, line: 1 },
    next: `Take the ${name} of the run again, fill in "${mark}", and leave its first line as it is.`,
  });
}

function unreadable(file: string, error: unknown, { name }: Pick<AnswerListFormat, 'name'>): unknown {
  if (error instanceof FatalError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
    return new FatalError('usage', 'this file is not UTF-8, so its letters cannot be read for sure.', {
      place: { file },
      next: 'Save it again as "CSV UTF-8", or as Unicode text.',
      cause: error,
    });
  }
  if (error instanceof CsvError) {
    const line: unknown = error.lines;
    return new FatalError('usage', `the line cannot be read as CSV: ${error.message}.`, {
      place: { file, ...(typeof line === 'number' && { line }) },
      next: 'Fix the quotes of that line, or take the file of the run again.',
      cause: error,
    });
  }
  if (code === undefined) return error;
  const why =
    code === 'ENOENT'
      ? `there is no such file${formatDidYouMeanPath(file) || '.'}`
      : `the file cannot be read (${code}).`;
  return new FatalError('usage', why, {
    place: { file },
    next: `Name the ${name} of a run: it is in the folder of the run, runs/RUN in the work dir.`,
    cause: error,
  });
}
