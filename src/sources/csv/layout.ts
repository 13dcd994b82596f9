import type { FatalError } from '../../model/fatal-error.ts';
import { unescapeCsvFormula } from '../../model/spreadsheet-guard.ts';
import { escapeUndecodableBytes } from '../encoding/decoding.ts';
import { createHeaderLayout, detectHeader, type LeadingRow, maxHeaderSearchLines } from '../header.ts';
import { createInputError } from '../plain-file.ts';
import { RowLayout } from '../rows.ts';
import type { CsvOptions, ResolvedCsvOptions } from './options.ts';
import { parseRecordCells } from './record-cells.ts';
import {
  type CsvReadDialect,
  CsvRecordScanner,
  createScanPosition,
  type RawCsvRecord,
} from './record-scan.ts';
import { CsvRecordSplitter } from './record-splitter.ts';

const delimiters = [',', ';', '\t', '|', '^', '`'];
const enoughRecords = 200;
const fewestColumns = 3;

/** The beginning of a file as text; `whole` is true if it is the whole file. */
export interface CsvSample {
  readonly text: string;
  readonly whole: boolean;
}

/**
 * Takes the dialect from the options, and detects from the sample what they do not set; the notes report guesses about
 * quotes and escapes.
 */
function detectDialect(sample: CsvSample, options: CsvOptions): { dialect: CsvReadDialect; notes: string[] } {
  const notes: string[] = [];
  const stated: CsvReadDialect = {
    delimiter: options.delimiter ?? ',',
    quote: options.quote === false ? null : (options.quote ?? '"'),
    escape: options.escape ?? (options.quote === false ? '"' : (options.quote ?? '"')),
    lineEnds: options.lineEnds,
    comment: options.comment ?? null,
    maxRowBytes: options.maxRowBytes,
  };
  const delimiter = options.delimiter ?? declaredDelimiter(sample.text) ?? likelyDelimiter(sample, stated);
  let dialect: CsvReadDialect = { ...stated, delimiter };
  if (
    options.quote === undefined &&
    quotesWith("'", dialect, sample) > 1 &&
    quotesWith('"', dialect, sample) === 0
  ) {
    dialect = { ...dialect, quote: "'", escape: options.escape ?? "'" };
    notes.push(`Cells seem to be quoted with apostrophes. If they are not, set "quote: '\\"'".`);
  }
  if (options.escape === undefined && dialect.quote !== null && sample.text.includes(`\\${dialect.quote}`)) {
    const backslash: CsvReadDialect = { ...dialect, escape: '\\' };
    if (measure(sample, backslash).problems < measure(sample, dialect).problems) {
      dialect = backslash;
      notes.push('Quotes within cells seem to be escaped with a backslash. If they are not, set "escape".');
    }
  }
  if (options.quote === undefined && dialect.quote === '"' && hasBareQuotes(sample, dialect)) {
    dialect = { ...dialect, quote: null };
    notes.push(
      'Quotes seem to be a part of the cells, and not around them, so they are kept (quote: false). If that is wrong, set "quote: \'"\'".',
    );
  }
  return { dialect, notes };
}

/**
 * Returns true if the file seems to quote nothing: most records with a quote cannot be read, or are several lines that
 * are whole records each, and all of them can be without quoting.
 */
function hasBareQuotes(sample: CsvSample, dialect: CsvReadDialect): boolean {
  if (dialect.comment !== null) return false;
  const quoting = cellCounts(sample, dialect);
  const { cells, consistency } = measure(sample, dialect);
  const bare = { ...dialect, quote: null };
  const wholeLines = (record: string) => {
    const [lines, ...others] = [...cellCounts({ text: record, whole: true }, bare).counts];
    return others.length === 0 && lines?.[0] === cells && lines[1] > 1 ? lines[1] : 0;
  };
  const swallowed = cells < fewestColumns ? [] : quoting.quoted.map(wholeLines).filter((lines) => lines > 0);
  const wrong = swallowed.reduce((sum, lines) => sum + lines, quoting.problems);
  const right = quoting.quoted.length - swallowed.length;
  if (wrong < 2 || right * 2 > wrong || quotesWith('"', dialect, sample) > wrong) return false;
  return measure(sample, bare).consistency >= consistency;
}

/** Returns the delimiter of a first line such as `sep=;`; null if there is none. */
function declaredDelimiter(text: string): string | null {
  return /^"?sep=(.)"?[\r\n]/.exec(text)?.[1] ?? null;
}

function likelyDelimiter(sample: CsvSample, stated: CsvReadDialect): string {
  let best = { delimiter: stated.delimiter, score: 0 };
  for (const delimiter of delimiters) {
    const { consistency, cells } = measure(sample, { ...stated, delimiter });
    const score = consistency * Math.log2(cells);
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

interface DelimiterFit {
  /** The share of all records that are without a problem and have the most common number of cells. */
  readonly consistency: number;
  readonly cells: number;
  readonly problems: number;
}

function measure(sample: CsvSample, dialect: CsvReadDialect): DelimiterFit {
  const { counts, problems } = cellCounts(sample, dialect);
  // Titles and notes are lines with one cell, and a file may have more of them than rows. So if several records have
  // the same number of cells, three or more, one cell never counts as the most common number.
  const isTable = [...counts].some(([count, times]) => count >= fewestColumns && times > 1);
  let cells = 1;
  let most = 0;
  let records = problems;
  for (const [count, times] of counts) {
    records += times;
    if (isTable && count === 1) continue;
    if (times > most || (times === most && count > cells)) [cells, most] = [count, times];
  }
  return { consistency: records === 0 ? 0 : most / records, cells, problems };
}

interface RecordCounts {
  /** The numbers of valid records by number of cells. */
  readonly counts: ReadonlyMap<number, number>;
  /** The number of records with wrong quotes. */
  readonly problems: number;
  /** The valid records that have a quote. */
  readonly quoted: readonly string[];
}

/** Counts the records by number of cells, and those with wrong quotes. */
function cellCounts({ text, whole }: CsvSample, dialect: CsvReadDialect): RecordCounts {
  const scan = new CsvRecordScanner(dialect);
  scan.setText(text, whole);
  const counts = new Map<number, number>();
  const quoted: string[] = [];
  let problems = 0;
  let at = 0;
  for (let records = 0; at < text.length && records < enoughRecords; records += 1) {
    const found = scan.scan(createScanPosition(at));
    if (found.kind === 'more' && !whole) break;
    if (found.kind === 'end') {
      if (found.end > at) counts.set(found.cells, (counts.get(found.cells) ?? 0) + 1);
      const record = text.slice(at, found.end);
      if (dialect.quote !== null && record.includes(dialect.quote)) quoted.push(record);
      at = found.next;
    } else {
      problems += 1;
      const end = scan.lines.from(at);
      at = end < text.length ? scan.lines.after(end) : text.length;
    }
  }
  return { counts, problems, quoted };
}

/** Counts the cells that begin and end with the character `quote`. */
function quotesWith(quote: string, { delimiter }: CsvReadDialect, { text }: CsvSample): number {
  let wrapped = 0;
  for (const line of text.split(/[\r\n]+/).slice(0, enoughRecords)) {
    for (const cell of line.split(delimiter)) {
      if (cell.length > 1 && cell.startsWith(quote) && cell.endsWith(quote)) wrapped += 1;
    }
  }
  return wrapped;
}

/** The layout of a file: its dialect, its columns, and the last line before the data. */
export interface CsvLayout {
  readonly dialect: CsvReadDialect;
  readonly header: RowLayout;
  readonly preambleLines: number;
  /** The detected header as a value of the option `header`; undefined if the option lists the names. */
  readonly headerOption?: boolean | number;
  readonly notes: readonly string[];
}

/**
 * Detects the layout from the beginning of a file. Throws a FatalError('input') if there is no record or no usable
 * header.
 */
export function detectCsvLayout(sample: CsvSample, options: ResolvedCsvOptions, file: string): CsvLayout {
  const { dialect, notes } = detectDialect(sample, options);
  const splitter = new CsvRecordSplitter(dialect, null);
  const records = [...splitter.push(sample.text, true), ...(sample.whole ? splitter.end() : [])];
  const declared = declaredDelimiter(sample.text) === dialect.delimiter ? 1 : 0;
  const data = records.filter(({ line }) => line > declared);
  const open = data.find(({ problem }) => problem === 'unclosed');
  if (open !== undefined) throw createUnclosedQuoteError(file, open.line);
  if (data.length === 0) throw noRecord(sample, file, dialect);
  if (Array.isArray(options.header)) {
    const header = createHeaderLayout(options.header, options.duplicateHeaders, file, 0);
    return { dialect, notes, header, preambleLines: declared };
  }
  if (sample.whole && data.every(({ text }) => text.trim() === '')) throw noRecord(sample, file, dialect);
  if (options.header === undefined) assertReadable(data[0]?.line ?? 1, data, file);
  const head = data.slice(0, maxHeaderSearchLines).flatMap((record) => headRecord(record, dialect));
  const found =
    options.header === undefined ? detectHeader(head) : statedHeader(options.header, head, data, file);
  if (found === null) {
    if (options.header === undefined) {
      notes.push(
        'The first record looks like data, so the file seems to have no header: its columns are named "Column 1", "Column 2" and so on. If it has one, set "header: true".',
      );
    }
    return { dialect, notes, header: numberedColumns(head), preambleLines: declared, headerOption: false };
  }
  assertReadable(found.line, data, file);
  const isFirst = found.line === (data[0]?.line ?? 1);
  if (options.header === undefined && !isFirst) {
    notes.push(
      `The header is in line ${found.line}; the lines above it are left out. If that is wrong, set "header".`,
    );
  }
  if (found.cells.some((cell) => cell.includes('\0')))
    notes.push('The header has NUL characters; they are removed from its names.');
  const names = options.guarded ? found.cells.map(unescapeCsvFormula) : found.cells;
  const header = createHeaderLayout(names, options.duplicateHeaders, file, found.line);
  const last =
    found.line + (data.find(({ line }) => line === found.line)?.text.match(/\r\n|\n|\r/g)?.length ?? 0);
  return { dialect, notes, header, preambleLines: last, headerOption: isFirst || found.line };
}

/** Creates the error for a quote that is never closed. */
export function createUnclosedQuoteError(file: string, line: number): FatalError {
  return createInputError(
    file,
    `has a quote in line ${line} that is never closed, so the rest of the file would be one cell`,
    'Close or remove that quote, or set "quote: false" if the file quotes nothing.',
    line,
  );
}

/** Returns the cells of a record at the head of the file; none for a record with wrong quotes. */
function headRecord(record: RawCsvRecord, dialect: CsvReadDialect): LeadingRow[] {
  const [cells] = parseRecordCells([record.text], dialect);
  if (record.problem === 'quote' || cells === undefined || 'refused' in cells) return [];
  return [{ line: record.line, cells }];
}

function statedHeader(
  stated: boolean | number,
  head: readonly LeadingRow[],
  data: readonly RawCsvRecord[],
  file: string,
): LeadingRow | null {
  if (stated === false) return null;
  const line = stated === true ? (data[0]?.line ?? 1) : stated;
  assertReadable(line, data, file);
  const found = head.find((record) => record.line === line);
  if (found !== undefined) return found;
  throw createInputError(
    file,
    `has no record in line ${line}, where the header should be`,
    'Set the right line: "header: <line>".',
    line,
  );
}

function assertReadable(line: number, data: readonly RawCsvRecord[], file: string): void {
  const record = data.find((candidate) => candidate.line === line);
  if (record?.problem === 'encoding') {
    const next = 'Set the encoding of the file, for example "encoding: windows-1252".';
    throw createInputError(
      file,
      `has a header that cannot be decoded: ${escapeUndecodableBytes(record.text.slice(0, 200))}`,
      next,
      line,
    );
  }
  if (record?.problem === 'quote') {
    throw createInputError(
      file,
      'has a stray quote in its header',
      'Fix the header, or set "quote: false" if the file quotes nothing.',
      line,
    );
  }
}

function numberedColumns(head: readonly LeadingRow[]): RowLayout {
  return new RowLayout((head[0]?.cells ?? []).map((_, index) => `Column ${index + 1}`));
}

function noRecord(sample: CsvSample, file: string, dialect: CsvReadDialect): FatalError {
  if (!sample.whole) {
    return createInputError(
      file,
      `has no line end in its first ${sample.text.length} characters`,
      'Is it a CSV file? If so, set "lineEnds" and "quote".',
      1,
    );
  }
  const what = dialect.comment === null ? 'has only empty lines' : 'has only empty lines and comments';
  return createInputError(file, what, 'Export it again, or use another file.');
}
