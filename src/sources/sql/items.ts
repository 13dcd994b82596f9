import type { BrokenRow, Cell, SourceItem } from '../../model/row.ts';
import { brokenRow, encodingReason, tooLargeReason } from '../broken-row.ts';
import { hasUndecodable } from '../encoding/decoding.ts';
import { RowLayout, replaceNulls, TableRow } from '../rows.ts';
import type { SqlDialect } from './dialect.ts';
import type { DumpRecord, StatementBlock } from './records.ts';
import type { SqlWarnings } from './values.ts';
import { type BinaryText, bitColumnText, copyText, TupleReader } from './values.ts';

/** The settings of an ItemMaker. */
export interface ItemSettings {
  /** All columns of the table; null while unknown. */
  readonly columns: readonly string[] | null;
  readonly warnings: SqlWarnings;
  readonly binaryText: BinaryText;
  readonly maxRowBytes: number;
  /** The option `nulls`: texts that are null. */
  readonly nulls: readonly string[];
}

interface BlockLayout {
  readonly block: StatementBlock;
  readonly rows: RowLayout | null;
  /** Where values are bytes or bits. */
  readonly bytes: readonly (readonly [place: number, bit: boolean])[];
}

/** Makes one item of each record of a table: a row, or a broken row with its reason and raw text. */
export class ItemMaker {
  readonly #settings: ItemSettings;
  #layout: BlockLayout | null = null;
  #reader: { readonly dialect: SqlDialect; readonly tuples: TupleReader } | null = null;

  constructor(settings: ItemSettings) {
    this.#settings = settings;
  }

  /** `suspect` once the decoder has seen undecodable bytes. */
  item(record: DumpRecord, suspect: boolean): SourceItem {
    const { block, line, text, problem } = record;
    if (problem !== null) return broken(record, codes[problem], this.#reason(record));
    this.#settings.warnings.line = line;
    const cells = this.cells(record);
    if (cells === null) return broken(record, 'sql.syntax', 'This is not a list of values in brackets.');
    const { rows } = this.#layoutOf(block);
    const width = rows?.width ?? cells.length;
    if (cells.length !== width) return broken(record, 'row.ragged', ragged(cells.length, width, block));
    this.showBytes(cells, block);
    if (suspect && cells.some((cell) => cell !== null && hasUndecodable(cell)))
      return broken(record, 'row.encoding', undecodableReason(text));
    return new TableRow(line, rows ?? new RowLayout([]), replaceNulls(cells, this.#settings.nulls));
  }

  /** Returns the cells of a complete record; null where they cannot be parsed. */
  cells({ block, text }: DumpRecord): Cell[] | null {
    if (block.kind === 'insert') return this.#readerOf(block).cells(text);
    // A table without columns has empty lines.
    if (text === '' && block.columns?.length === 0) return [];
    const fields = text.split('\t');
    if (!text.includes('\\')) return fields;
    return fields.map((field) => (field === '\\N' ? null : field.includes('\\') ? copyText(field) : field));
  }

  /** Replaces the values of binary columns by their text form. */
  showBytes(cells: Cell[], block: StatementBlock): void {
    const { binaryText, warnings } = this.#settings;
    for (const [place, bit] of this.#layoutOf(block).bytes) {
      const cell = cells[place];
      if (cell === null || cell === undefined) continue;
      const as = bit ? bitColumnText(cell, binaryText) : binaryText(cell);
      if (as !== cell && as.startsWith('0x')) warnings.note('hex');
      cells[place] = as;
    }
  }

  #readerOf({ dialect }: StatementBlock): TupleReader {
    if (this.#reader?.dialect !== dialect)
      this.#reader = { dialect, tuples: new TupleReader({ ...this.#settings, dialect }) };
    return this.#reader.tuples;
  }

  #layoutOf(block: StatementBlock): BlockLayout {
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

  #reason({ block, problem }: DumpRecord): string {
    switch (problem) {
      case 'tooLarge':
        return tooLargeReason('row', this.#settings.maxRowBytes);
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

function ragged(found: number, expected: number, { columns, table }: StatementBlock): string {
  const values = `${found} ${found === 1 ? 'value' : 'values'}`;
  return columns === null
    ? `The row has ${values}, the first row of ${table.name} has ${expected}.`
    : `The row has ${values} for ${expected} columns.`;
}

function undecodableReason(text: string): string {
  return encodingReason('The row', text, "the dump's character set", 'Set "charset" if it is another one.');
}

function broken({ line, text }: DumpRecord, code: string, reason: string): BrokenRow {
  return brokenRow(line, code, reason, text);
}
