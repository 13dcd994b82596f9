import type { BrokenRow, SourceItem } from '../../model/row.ts';
import { unguardCsvCell } from '../../model/spreadsheet-guard.ts';
import { brokenRow, encodingReason, tooLargeReason } from '../broken-row.ts';
import { TableRow, withNulls } from '../rows.ts';
import type { Dialect, RawRecord, RecordProblem } from './dialect.ts';
import type { Layout } from './layout.ts';
import type { CsvOptions, CsvReading } from './options.ts';
import { type RecordCells, recordCells } from './record-cells.ts';

/** The items that records make, one each: rows, broken rows with their reason and raw text, or empty ones left out. */
export function itemsOf(
  records: readonly RawRecord[],
  layout: Layout,
  options: CsvReading,
): readonly SourceItem[] {
  const valid = records.filter(({ problem }) => problem === null);
  const cells = recordCells(
    valid.map(({ text }) => text),
    layout.dialect,
  );
  let next = 0;
  return records.map((record) => {
    if (options.skipEmpty && isEmptyRecord(record.text, layout.dialect)) {
      if (record.problem === null) next += 1;
      return { kind: 'filtered', line: record.line };
    }
    if (record.problem !== null) return problemOf(record, record.problem, layout.dialect);
    const found = cells[next] ?? { refused: 'it was not parsed' };
    next += 1;
    return item(record, found, layout, options);
  });
}

/** Whether a record has nothing but empty cells. */
function isEmptyRecord(text: string, { delimiter, quote }: Dialect): boolean {
  const bare = text.replaceAll(delimiter, '').trim();
  return bare === '' || (quote !== null && bare.replaceAll(quote, '').trim() === '');
}

function item(
  { line, text }: RawRecord,
  found: RecordCells,
  { header, dialect }: Layout,
  options: CsvReading,
): SourceItem {
  if ('refused' in found)
    return brokenRow(line, 'row.quote', `The quotes of this record do not match: ${found.refused}.`, text);
  const cells =
    found.length === header.width ? found : options.ragged === 'pad' ? padded(found, header.width) : null;
  if (cells === null)
    return brokenRow(line, 'row.ragged', raggedReason(found.length, header.width, dialect, options), text);
  const whole = text.includes('\0') ? cells.map((cell) => cell.replaceAll('\0', '')) : cells;
  const bare = options.guarded ? whole.map(unguardCsvCell) : whole;
  return new TableRow(line, header, withNulls(bare, options.nulls));
}

/** Cells that are missing at the end are empty; cells that are too many may go only where they are empty. */
function padded(cells: readonly string[], expected: number): readonly string[] | null {
  if (cells.length < expected) return [...cells, ...Array<string>(expected - cells.length).fill('')];
  return cells.slice(expected).every((cell) => cell === '') ? cells.slice(0, expected) : null;
}

function raggedReason(
  found: number,
  expected: number,
  { delimiter }: Dialect,
  { ragged }: CsvOptions,
): string {
  const count = `The row has ${found} ${found === 1 ? 'cell' : 'cells'}, the header has ${expected}.`;
  if (found > expected) return `${count} A cell with ${JSON.stringify(delimiter)} in it must be quoted.`;
  return ragged === 'reject' ? `${count} Add the missing cells, or set "ragged: pad".` : count;
}

function problemOf({ line, text }: RawRecord, problem: RecordProblem, { maxRowBytes }: Dialect): BrokenRow {
  switch (problem) {
    case 'tooLarge':
      return brokenRow(line, 'row.tooLarge', tooLargeReason('row', maxRowBytes), text);
    case 'encoding':
      return brokenRow(line, 'row.encoding', encodingReason('The row', text), text);
    default:
      return brokenRow(
        line,
        'row.quote',
        `There is a quote inside a cell or after a closed one. Double the quotes within quoted cells, or set "quote: false" if the file quotes nothing.`,
        text,
      );
  }
}
