import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { unguardCsvCell } from '../../model/spreadsheet-guard.ts';
import { firstUndecodable, shown } from '../encoding/undecodable.ts';
import { CsvRow } from '../header.ts';
import type { Dialect, RawRecord, RecordTrouble } from './dialect.ts';
import type { Layout } from './layout.ts';
import type { CsvOptions, CsvReading } from './options.ts';
import { type RecordCells, recordCells } from './record-cells.ts';

const rawLength = 64 * 1024;

/** The items that records make, one each: rows, broken rows with their reason and raw text, or empty ones left out. */
export function itemsOf(
  records: readonly RawRecord[],
  layout: Layout,
  options: CsvReading,
): readonly SourceItem[] {
  const sound = records.filter(({ trouble }) => trouble === null);
  const cells = recordCells(
    sound.map(({ text }) => text),
    layout.dialect,
  );
  let next = 0;
  return records.map((record) => {
    if (options.skipEmpty && isEmptyRecord(record.text, layout.dialect)) {
      if (record.trouble === null) next += 1;
      return { kind: 'filtered', line: record.line };
    }
    if (record.trouble !== null) return troubled(record, record.trouble, layout.dialect);
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
  record: RawRecord,
  found: RecordCells,
  { header, dialect }: Layout,
  options: CsvReading,
): SourceItem {
  if ('refused' in found)
    return broken(record, 'row.quote', `The quotes of this record do not match: ${found.refused}.`);
  const expected = header.names.length;
  const cells = found.length === expected ? found : options.ragged === 'pad' ? padded(found, expected) : null;
  if (cells === null)
    return broken(record, 'row.ragged', raggedReason(found.length, expected, dialect, options));
  return new CsvRow(record.line, header, cleaned(cells, record.text, options));
}

function cleaned(
  cells: readonly string[],
  text: string,
  { nulls, guarded }: Pick<CsvReading, 'nulls' | 'guarded'>,
): readonly Cell[] {
  const whole = text.includes('\0') ? cells.map((cell) => cell.replaceAll('\0', '')) : cells;
  const bare = guarded ? whole.map(unguardCsvCell) : whole;
  return nulls.length === 0 ? bare : bare.map((cell) => (nulls.includes(cell) ? null : cell));
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

function troubled(record: RawRecord, trouble: RecordTrouble, dialect: Dialect): BrokenRow {
  switch (trouble) {
    case 'tooLarge':
      return broken(
        record,
        'row.tooLarge',
        `The row is larger than ${dialect.maxRowBytes} bytes. Raise "maxRowBytes" if it is meant to be.`,
      );
    case 'encoding':
      return broken(record, 'row.encoding', encodingReason(record.text));
    default:
      return broken(
        record,
        'row.quote',
        `There is a quote inside a cell or after a closed one. Double the quotes within quoted cells, or set "quote: false" if the file quotes nothing.`,
      );
  }
}

function encodingReason(text: string): string {
  const byte = firstUndecodable(text);
  const what = byte === null ? 'The row holds bytes' : `The row holds the byte ${byte}`;
  return `${what} that the file's encoding does not have there. Save the file in one encoding, or set "encoding".`;
}

function broken(record: RawRecord, code: string, reason: string): BrokenRow {
  const raw = shown(record.text.slice(0, rawLength));
  return { kind: 'broken', line: record.line, problem: { code, column: null, reason }, raw };
}
