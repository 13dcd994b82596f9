import type { BrokenRow, CsvDialect, InputFacts, Source, SourceItem } from '../../model/row.ts';
import { unescapeCsvFormula } from '../../model/spreadsheet-guard.ts';
import { createBrokenRow, formatEncodingReason, formatTooLargeReason } from '../broken-row.ts';
import { openTextFile, readTextChunks, splitTextFile, type TextFile } from '../encoding/text-file.ts';
import { createFileSource } from '../file-source.ts';
import { detectFormulaGuard } from '../guarded-file.ts';
import { resolveInputFile } from '../input-file.ts';
import type { InputFile } from '../plain-file.ts';
import { convertNullTexts, TableRow } from '../rows.ts';
import { defineSourceFormat, type SourceInput } from '../source-format.ts';
import { WarningCounter } from '../warnings.ts';
import { type CsvLayout, type CsvSample, createUnclosedQuoteError, detectCsvLayout } from './layout.ts';
import {
  type CsvOptions,
  csvOptionsSchema,
  type ResolvedCsvOptions,
  resolveCsvOptions,
  tsvOptionsSchema,
} from './options.ts';
import { parseRecordCells, type RecordCellsResult } from './record-cells.ts';
import {
  type CsvReadDialect,
  type CsvRecordProblem,
  CsvRecordScanner,
  createScanPosition,
  type RawCsvRecord,
} from './record-scan.ts';
import { CsvRecordSplitter } from './record-splitter.ts';

/**
 * Converts each record to an item: a row, a broken row, or with `skipEmpty` a filtered one if all its cells are empty.
 */
function itemsOf(
  records: readonly RawCsvRecord[],
  layout: CsvLayout,
  options: ResolvedCsvOptions,
): readonly SourceItem[] {
  const valid = records.filter(({ problem }) => problem === null);
  const cells = parseRecordCells(
    valid.map(({ text }) => text),
    layout.dialect,
  );
  let next = 0;
  return records.map((record) => {
    if (options.skipEmpty && isEmptyRecord(record.text, layout.dialect)) {
      if (record.problem === null) next += 1;
      return { kind: 'filtered', line: record.line };
    }
    if (record.problem !== null) return problemOf(record, record.problem, layout);
    const found = cells[next] ?? { refused: 'it was not parsed' };
    next += 1;
    return item(record, found, layout, options);
  });
}

/** True if all cells of a record are empty. */
function isEmptyRecord(text: string, { delimiter, quote }: CsvReadDialect): boolean {
  const bare = text.replaceAll(delimiter, '').trim();
  return bare === '' || (quote !== null && bare.replaceAll(quote, '').trim() === '');
}

function item(
  { line, text }: RawCsvRecord,
  found: RecordCellsResult,
  { header, dialect }: CsvLayout,
  options: ResolvedCsvOptions,
): SourceItem {
  if ('refused' in found)
    return createBrokenRow(
      line,
      'row.quote',
      `The quotes of this record do not match: ${found.refused}.`,
      text,
    );
  const cells =
    found.length === header.width
      ? found
      : options.ragged === 'pad'
        ? paddedCells(found, header.width)
        : null;
  if (cells === null)
    return createBrokenRow(
      line,
      'row.ragged',
      raggedReason(found.length, header.width, dialect, options),
      text,
    );
  const whole = text.includes('\0') ? cells.map((cell) => cell.replaceAll('\0', '')) : cells;
  const bare = options.guarded ? whole.map(unescapeCsvFormula) : whole;
  return new TableRow(line, header, convertNullTexts(bare, options.nulls));
}

/** Adds missing cells and drops superfluous empty ones; null if a superfluous cell has text. */
function paddedCells(cells: readonly string[], expected: number): readonly string[] | null {
  if (cells.length < expected) return [...cells, ...Array<string>(expected - cells.length).fill('')];
  return cells.slice(expected).every((cell) => cell === '') ? cells.slice(0, expected) : null;
}

function raggedReason(
  found: number,
  expected: number,
  { delimiter }: CsvReadDialect,
  { ragged }: CsvOptions,
): string {
  const count = `The row has ${found} ${found === 1 ? 'cell' : 'cells'}, the header has ${expected}.`;
  if (found > expected) return `${count} A cell with ${JSON.stringify(delimiter)} in it must be quoted.`;
  return ragged === 'reject' ? `${count} Add the missing cells, or set "ragged: pad".` : count;
}

function problemOf({ line, text }: RawCsvRecord, problem: CsvRecordProblem, layout: CsvLayout): BrokenRow {
  switch (problem) {
    case 'tooLarge':
      return createBrokenRow(
        line,
        'row.tooLarge',
        formatTooLargeReason('row', layout.dialect.maxRowBytes),
        text,
      );
    case 'encoding':
      return createBrokenRow(line, 'row.encoding', formatEncodingReason('The row', text), text);
    default:
      return createBrokenRow(
        line,
        'row.quote',
        `There is a quote inside a cell or after a closed one. Double the quotes within quoted cells, or set "quote: false" if the file quotes nothing.`,
        text,
        columnOfStrayQuote(text, layout),
      );
  }
}

/** Returns the column of the cell with a stray quote; null where the record was cut before it, or has more cells. */
function columnOfStrayQuote(text: string, { dialect, header }: CsvLayout): string | null {
  const scan = new CsvRecordScanner(dialect);
  scan.setText(text, true);
  const progress = createScanPosition(0);
  if (scan.scan(progress).kind !== 'stray') return null;
  return header.columns.find((column) => header.places.get(column) === progress.cells - 1) ?? null;
}

const sampleBytes = 256 * 1024;

/** A CSV file after the scan of its bytes. */
interface OpenedCsv extends TextFile {
  readonly layout: CsvLayout;
  readonly options: ResolvedCsvOptions;
  readonly notes: readonly string[];
  readonly lineEnds: CsvDialect['lineEnds'];
}

/** Creates the source of a CSV file; reads nothing before `inspect` or `read`. */
function csvSource(options: CsvOptions, input: SourceInput): Source {
  return createFileSource({
    find: (signal) => resolveInputFile(input, signal),
    open: (file, signal) => opened(file, options, input, signal),
    records: recordsOf,
    facts: factsOf,
    items:
      ({ layout, options: resolved }) =>
      (records) =>
        itemsOf(records, layout, resolved),
  });
}

async function opened(
  file: InputFile,
  options: CsvOptions,
  input: SourceInput,
  signal: AbortSignal,
): Promise<OpenedCsv> {
  const { guarded, notes } = await detectFormulaGuard(options.guarded, input);
  const resolved = resolveCsvOptions(options, guarded);
  const text = await openTextFile(file, resolved.encoding, ['csv', resolved], signal);
  const sample = await sampleOf(text, signal);
  const layout = detectCsvLayout(sample, resolved, file.name);
  return { ...text, layout, options: resolved, notes, lineEnds: lineEndsOf(sample.text) };
}

/** Reads the beginning of a file, for its layout. */
async function sampleOf(text: TextFile, signal: AbortSignal): Promise<CsvSample> {
  let sample = '';
  const { onBytesRead: _heard, ...file } = text.file;
  for await (const [chunk] of readTextChunks({ ...text, file }, signal)) {
    if (chunk === null) return { text: sample, whole: true };
    sample += chunk;
    if (sample.length >= sampleBytes) break;
  }
  return { text: sample, whole: false };
}

/** Yields the records below the header. */
async function* recordsOf(
  file: OpenedCsv,
  signal: AbortSignal,
): AsyncGenerator<readonly RawCsvRecord[], void, undefined> {
  const { dialect, header, preambleLines } = file.layout;
  for await (const records of splitTextFile(file, new CsvRecordSplitter(dialect, header.width), signal)) {
    const last = records.at(-1);
    if (last?.problem === 'unclosed') throw createUnclosedQuoteError(file.file.name, last.line);
    const isData = records[0] !== undefined && records[0].line > preambleLines;
    yield isData ? records : records.filter(({ line }) => line > preambleLines);
  }
}

async function factsOf(file: OpenedCsv, signal: AbortSignal) {
  const { layout, lineEnds } = file;
  const { encoding, bomBytes } = file.encoding;
  const { delimiter } = layout.dialect;
  const nuls = new WarningCounter({
    nul: (count, first: number) =>
      `${count} records have NUL characters, the first in line ${first}; they are removed from the cells.`,
  });
  let items = 0;
  for await (const records of recordsOf(file, signal)) {
    items += records.length;
    for (const { text, line } of records) if (text.includes('\0')) nuls.add('nul', line);
  }
  const detected: InputFacts['detected'] = {
    encoding,
    delimiter,
    ...(layout.headerOption !== undefined && { header: layout.headerOption }),
    ...(layout.dialect.quote === null && { quote: false }),
  };
  const notes = [...file.encoding.notes, ...layout.notes, ...file.notes, ...nuls.notes()];
  const writing = { delimiter, encoding, bom: bomBytes > 0, lineEnds };
  return { items, columns: layout.header.columns, detected, notes, writing };
}

/** Returns the line end of the first line. */
function lineEndsOf(text: string): CsvDialect['lineEnds'] {
  const [end] = /\r\n|\n|\r/.exec(text) ?? [];
  return end === '\r\n' ? 'CRLF' : end === '\r' ? 'CR' : 'LF';
}

const line = 'The line where the record begins.';

export const csvSourceFormat = defineSourceFormat({
  name: 'csv',
  extensions: ['csv', 'txt'],
  words: {
    reads: 'Text with delimiters.',
    columns: 'The header; without one `Column 1`, `Column 2` and so on.',
    line,
  },
  options: csvOptionsSchema,
  parts: 'lines',
  open: csvSource,
});

export const tsvSourceFormat = defineSourceFormat({
  name: 'tsv',
  extensions: ['tsv', 'tab', 'txt'],
  words: {
    reads: 'Text with tabs.',
    columns: 'As CSV.',
    line,
    keys: 'Takes the keys of [csv](#csv); `delimiter` is a tab where it is left out.',
  },
  options: tsvOptionsSchema,
  parts: 'lines',
  open: csvSource,
});
