import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { createBrokenRow, formatEncodingReason, formatTooLargeReason } from '../broken-row.ts';
import { hasUndecodableBytes } from '../encoding/decoding.ts';
import { convertNullTexts, RowLayout, TableRow } from '../rows.ts';
import type { SqlDialect } from './dialect.ts';
import type { RowsStatement, SqlDumpRecord } from './records.ts';
import type { SqlWarningCounter } from './values.ts';
import { type BinaryFormatter, formatBitValue, TupleParser, unescapeCopyField } from './values.ts';

/** The settings of an SqlItemConverter. */
export interface SqlItemOptions {
  /** All columns of the table; null if they are not known. */
  readonly columns: readonly string[] | null;
  readonly warnings: SqlWarningCounter;
  readonly binaryText: BinaryFormatter;
  readonly maxRowBytes: number;
  /** The option `nulls`: texts that are null. */
  readonly nulls: readonly string[];
}

interface BlockLayout {
  readonly block: RowsStatement;
  readonly rows: RowLayout | null;
  /** The indexes of the columns whose values are bytes or bits. */
  readonly bytes: readonly (readonly [place: number, bit: boolean])[];
}

/** Converts each record of a table to one item: a row, or a broken row with its reason and raw text. */
export class SqlItemConverter {
  readonly #settings: SqlItemOptions;
  #layout: BlockLayout | null = null;
  #reader: { readonly dialect: SqlDialect; readonly tuples: TupleParser } | null = null;

  constructor(settings: SqlItemOptions) {
    this.#settings = settings;
  }

  /** Converts a record to an item; `suspect` is true once undecodable bytes were seen. */
  item(record: SqlDumpRecord, suspect: boolean): SourceItem {
    const { block, line, text, problem } = record;
    if (problem !== null) return broken(record, codes[problem], this.#reason(record));
    this.#settings.warnings.line = line;
    const cells = this.cells(record);
    if (cells === null) return broken(record, 'sql.syntax', 'This is not a list of values in brackets.');
    const { rows } = this.#layoutOf(block);
    const width = rows?.width ?? cells.length;
    if (cells.length !== width) return broken(record, 'row.ragged', ragged(cells.length, width, block));
    this.showBytes(cells, block);
    if (suspect && cells.some((cell) => cell !== null && hasUndecodableBytes(cell)))
      return broken(record, 'row.encoding', undecodableReason(text));
    return new TableRow(line, rows ?? new RowLayout([]), convertNullTexts(cells, this.#settings.nulls));
  }

  /** Returns the cells of a complete record; null if they cannot be parsed. */
  cells({ block, text }: SqlDumpRecord): Cell[] | null {
    if (block.kind === 'insert') return this.#readerOf(block).cells(text);
    // In a COPY, the rows of a table without columns are empty lines.
    if (text === '' && block.columns?.length === 0) return [];
    const fields = text.split('\t');
    if (!text.includes('\\')) return fields;
    return fields.map((field) =>
      field === '\\N' ? null : field.includes('\\') ? unescapeCopyField(field) : field,
    );
  }

  /** Replaces the values of binary columns in `cells` with their text form. */
  showBytes(cells: Cell[], block: RowsStatement): void {
    const { binaryText, warnings } = this.#settings;
    for (const [place, bit] of this.#layoutOf(block).bytes) {
      const cell = cells[place];
      if (cell === null || cell === undefined) continue;
      const as = bit ? formatBitValue(cell, binaryText) : binaryText(cell);
      if (as !== cell && as.startsWith('0x')) warnings.note('hex');
      cells[place] = as;
    }
  }

  #readerOf({ dialect }: RowsStatement): TupleParser {
    if (this.#reader?.dialect !== dialect)
      this.#reader = { dialect, tuples: new TupleParser({ ...this.#settings, dialect }) };
    return this.#reader.tuples;
  }

  #layoutOf(block: RowsStatement): BlockLayout {
    if (this.#layout?.block === block) return this.#layout;
    const { columns } = this.#settings;
    const listed = block.columns ?? columns;
    const rows = listed === null ? null : new RowLayout(columns ?? listed, listed);
    const bytes = (listed ?? []).flatMap((column, place) => {
      const kind = block.table.columns.get(column) ?? 'text';
      return kind === 'text' ? [] : [[place, kind === 'bit'] as const];
    });
    this.#layout = { block, rows, bytes };
    return this.#layout;
  }

  #reason({ block, problem }: SqlDumpRecord): string {
    switch (problem) {
      case 'tooLarge':
        return formatTooLargeReason('row', this.#settings.maxRowBytes);
      case 'cutOff':
        return `The dump is cut off here, in the rows of ${block.table.name}: rows are missing. Export it again.`;
      case 'rowless':
        return block.kind === 'copy'
          ? 'This COPY is not in the text format that pg_dump writes. Export the table again as plain text.'
          : 'This INSERT has no VALUES, so its rows are not in the dump. Export the table with its rows.';
      default:
        return 'This is not a row: a bracket, comma or quote is missing or superfluous.';
    }
  }
}

const codes = {
  tooLarge: 'row.tooLarge',
  cutOff: 'sql.cutOff',
  syntax: 'sql.syntax',
  rowless: 'sql.rowless',
} as const;

function ragged(found: number, expected: number, { columns, table }: RowsStatement): string {
  const values = `${found} ${found === 1 ? 'value' : 'values'}`;
  return columns === null
    ? `The row has ${values}, the first row of ${table.name} has ${expected}.`
    : `The row has ${values} for ${expected} columns.`;
}

function undecodableReason(text: string): string {
  return formatEncodingReason(
    'The row',
    text,
    "the dump's character set",
    'Set "charset" if it is another one.',
  );
}

function broken({ line, text }: SqlDumpRecord, code: string, reason: string): BrokenRow {
  return createBrokenRow(line, code, reason, text);
}
