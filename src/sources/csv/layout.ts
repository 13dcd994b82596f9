import type { FatalError } from '../../model/fatal-error.ts';
import { unguardCsvCell } from '../../model/spreadsheet-guard.ts';
import { shown } from '../encoding/undecodable.ts';
import { headerOf } from '../header.ts';
import { refused } from '../input-file.ts';
import { type HeadLine, headLines, likelyHeader } from '../likely-header.ts';
import { RowLayout } from '../rows.ts';
import { declaredDelimiter, detectDialect, type Sample } from './detect-dialect.ts';
import type { Dialect, RawRecord } from './dialect.ts';
import type { CsvReading } from './options.ts';
import { recordCells } from './record-cells.ts';
import { RecordSplitter } from './record-splitter.ts';

/** How a file is laid out: its dialect, its columns, and the last line that is not data. */
export interface Layout {
  readonly dialect: Dialect;
  readonly header: RowLayout;
  readonly preambleLines: number;
  /** Where the header was found, as the option states it; undefined where its names are stated. */
  readonly headerOption?: boolean | number;
  readonly notes: readonly string[];
}

/** Reads the layout off the beginning of a file. Throws a FatalError('input') where it has no usable header. */
export function layoutOf(sample: Sample, options: CsvReading, file: string): Layout {
  const { dialect, notes } = detectDialect(sample, options);
  const splitter = new RecordSplitter(dialect, null);
  const records = [...splitter.push(sample.text, true), ...(sample.whole ? splitter.end() : [])];
  const declared = declaredDelimiter(sample.text) === dialect.delimiter ? 1 : 0;
  const data = records.filter(({ line }) => line > declared);
  const open = data.find(({ problem }) => problem === 'unclosed');
  if (open !== undefined) throw unclosed(file, open.line);
  if (data.length === 0) throw noRecord(sample, file, dialect);
  if (Array.isArray(options.header)) {
    const header = headerOf(options.header, options.duplicateHeaders, file, 0);
    return { dialect, notes, header, preambleLines: declared };
  }
  if (sample.whole && data.every(({ text }) => text.trim() === '')) throw noRecord(sample, file, dialect);
  if (options.header === undefined) assertReadable(data[0]?.line ?? 1, data, file);
  const head = data.slice(0, headLines).flatMap((record) => headRecord(record, dialect));
  const found =
    options.header === undefined ? likelyHeader(head) : statedHeader(options.header, head, data, file);
  if (found === null) {
    if (options.header === undefined) {
      notes.push(
        'The first record looks like data, so the file seems to have no header: its columns are named "Column 1", "Column 2" and so on. If it has one, set "header: true".',
      );
    }
    return { dialect, notes, header: numbered(head), preambleLines: declared, headerOption: false };
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
  const names = options.guarded ? found.cells.map(unguardCsvCell) : found.cells;
  const header = headerOf(names, options.duplicateHeaders, file, found.line);
  const last =
    found.line + (data.find(({ line }) => line === found.line)?.text.match(/\r\n|\n|\r/g)?.length ?? 0);
  return { dialect, notes, header, preambleLines: last, headerOption: isFirst || found.line };
}

/** The error for a quote that swallows the rest of a file. */
export function unclosed(file: string, line: number): FatalError {
  return refused(
    file,
    `has a quote in line ${line} that is never closed, so the rest of the file would be one cell`,
    'Close or remove that quote, or set "quote: false" if the file quotes nothing.',
    line,
  );
}

/** The cells of a record at the head of the file; one that is broken still counts as a line that cannot be a header. */
function headRecord(record: RawRecord, dialect: Dialect): HeadLine[] {
  const [cells] = recordCells([record.text], dialect);
  if (record.problem === 'quote' || cells === undefined || 'refused' in cells) return [];
  return [{ line: record.line, cells }];
}

function statedHeader(
  stated: boolean | number,
  head: readonly HeadLine[],
  data: readonly RawRecord[],
  file: string,
): HeadLine | null {
  if (stated === false) return null;
  const line = stated === true ? (data[0]?.line ?? 1) : stated;
  assertReadable(line, data, file);
  const found = head.find((record) => record.line === line);
  if (found !== undefined) return found;
  throw refused(
    file,
    `has no record in line ${line}, where the header should be`,
    'Set the right line: "header: <line>".',
    line,
  );
}

function assertReadable(line: number, data: readonly RawRecord[], file: string): void {
  const record = data.find((candidate) => candidate.line === line);
  if (record?.problem === 'encoding') {
    const next = 'Set the encoding of the file, for example "encoding: windows-1252".';
    throw refused(
      file,
      `has a header that cannot be decoded: ${shown(record.text.slice(0, 200))}`,
      next,
      line,
    );
  }
  if (record?.problem === 'quote') {
    throw refused(
      file,
      'has a stray quote in its header',
      'Fix the header, or set "quote: false" if the file quotes nothing.',
      line,
    );
  }
}

function numbered(head: readonly HeadLine[]): RowLayout {
  return new RowLayout((head[0]?.cells ?? []).map((_, index) => `Column ${index + 1}`));
}

function noRecord(sample: Sample, file: string, dialect: Dialect): FatalError {
  if (!sample.whole) {
    return refused(
      file,
      `has no line end in its first ${sample.text.length} characters`,
      'Is it a CSV file? If so, set "lineEnds" and "quote".',
      1,
    );
  }
  const what = dialect.comment === null ? 'has only empty lines' : 'has only empty lines and comments';
  return refused(file, what, 'Export it again, or use another file.');
}
