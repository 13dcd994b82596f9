import { toColumnLetters } from '../../model/sheet-column.ts';
import { StringItemHandler } from './shared-strings.ts';
import type { XmlAttributes, XmlHandler } from './xml.ts';

/** A cell as stored in the sheet. */
export interface SheetCell {
  /** The index of its column, from 0. */
  readonly column: number;
  /** The attribute `t`: s, str, inlineStr, b, e, d, or n. */
  readonly type: string;
  readonly style: number;
  readonly value: string;
  readonly formula: boolean;
}

/** A row as stored in the sheet: only cells with content. */
export interface SheetRow {
  readonly number: number;
  readonly cells: readonly SheetCell[];
  /** True if the text of the row exceeds the limit; its remaining cells may be missing. */
  readonly tooLarge: boolean;
}

const mostCells = 16_384;

/** Collects the rows of a sheet while its part is parsed. */
export class SheetRowCollector implements XmlHandler {
  readonly #mostText: number;
  readonly #inline = new StringItemHandler();
  #found: SheetRow[] = [];
  #inData = false;
  #number = 0;
  #cells: SheetCell[] = [];
  #text = 0;
  #column = -1;
  #cell: XmlAttributes | null = null;
  #value = '';
  #formula = false;
  #within: 'value' | 'inline' | null = null;

  constructor(mostText: number) {
    this.#mostText = mostText;
  }

  /** The number of the last row begun. */
  get row(): number {
    return this.#number;
  }

  /** Returns the rows completed since the last call. */
  take(): readonly SheetRow[] {
    const found = this.#found;
    this.#found = [];
    return found;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (!this.#inData) this.#inData = name === 'sheetData';
    else if (this.#within === 'inline') this.#inline.open(name);
    else if (this.#cell !== null) this.#openInCell(name);
    else if (name === 'c') {
      this.#cell = attributes;
      this.#column = columnOf(attributes.r) ?? this.#column + 1;
      this.#value = '';
      this.#formula = false;
    } else if (name === 'row') {
      const stated = Number(attributes.r);
      this.#number = Number.isSafeInteger(stated) && stated > 0 ? stated : this.#number + 1;
      this.#cells = [];
      this.#text = 0;
      this.#column = -1;
    }
  }

  text(text: string): void {
    if (this.#within === null || this.#text > this.#mostText) return;
    this.#text += text.length;
    if (this.#within === 'inline') this.#inline.text(text);
    else this.#value += text;
  }

  close(name: string): void {
    if (this.#cell === null) {
      if (name === 'row' && this.#inData) this.#endRow();
      else if (name === 'sheetData') this.#inData = false;
    } else if (name === 'c') this.#endCell(this.#cell);
    else if (name === 'v') this.#within = null;
    else if (name === 'is') {
      this.#within = null;
      this.#value = this.#inline.take();
    } else if (this.#within === 'inline') this.#inline.close(name);
  }

  #openInCell(name: string): void {
    if (name === 'v') this.#within = 'value';
    else if (name === 'is') this.#within = 'inline';
    else if (name === 'f') this.#formula = true;
  }

  #endCell({ t: type = 'n', s: style = '0' }: XmlAttributes): void {
    this.#cell = null;
    this.#within = null;
    if (this.#value === '' && !this.#formula) return;
    // A row with more cells than a sheet has columns is invalid: it counts as too large.
    if (this.#cells.length >= mostCells) this.#text = this.#mostText + 1;
    else
      this.#cells.push({
        column: this.#column,
        type,
        style: Number(style),
        value: this.#value,
        formula: this.#formula,
      });
  }

  #endRow(): void {
    if (this.#cells.length === 0 && this.#text <= this.#mostText) return;
    this.#found.push({ number: this.#number, cells: this.#cells, tooLarge: this.#text > this.#mostText });
  }
}

/** Returns the reference of a cell: `AB12`. */
export function formatCellAddress(column: number, row: number): string {
  return `${toColumnLetters(column)}${row}`;
}

/** Returns the column index of a reference such as `AB12`; null if there is none. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Za-z]{1,3}/.exec(reference ?? '')?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
