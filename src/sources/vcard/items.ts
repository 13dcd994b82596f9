import type { BrokenRow, Cell, ListedRow, Row, SourceItem } from '../../model/row.ts';
import { firstUndecodable, holdsUndecodable, shown } from '../encoding/undecodable.ts';
import { decoded } from './byte-text.ts';
import type { RawCard } from './card-splitter.ts';
import { categoriesOf, columnsOf } from './columns.ts';
import { type ContentLine, ContentLines } from './content-line.ts';
import { type Property, property } from './property.ts';
import { unfold } from './unfold.ts';

const rawLength = 64 * 1024;
/** The column whose cell can also be read as a list. */
export const listed = 'CATEGORIES';

function listedRow(category: string): ListedRow {
  return {
    cell: (column) => (column === '' ? category : undefined),
    entries: () => [['', category]],
  };
}

/** A card as a row. */
class CardRow implements Row {
  readonly kind = 'row';
  readonly line: number;
  readonly #properties: readonly Property[];
  #cells: ReadonlyMap<string, string> | null = null;

  constructor(line: number, properties: readonly Property[]) {
    this.line = line;
    this.#properties = properties;
  }

  cell(column: string): Cell | undefined {
    return this.#columns().get(column);
  }

  entries(): readonly (readonly [column: string, cell: Cell])[] {
    return [...this.#columns()];
  }

  list(name: string): readonly ListedRow[] | undefined {
    return name === listed ? categoriesOf(this.#properties)?.map(listedRow) : undefined;
  }

  /** Made when they are asked for: a row that is only counted needs none. */
  #columns(): ReadonlyMap<string, string> {
    this.#cells ??= columnsOf(this.#properties);
    return this.#cells;
  }
}

/** The item of a card, and how many binary values and cards within it were left out. */
export interface CardItem {
  readonly item: SourceItem;
  readonly binaries: number;
  readonly nested: number;
}

/** Reads cards: each a row, or a broken one with its reason and raw text. */
export class CardReader {
  readonly #encoding: string;
  readonly #mostBytes: number;
  readonly #lines = new ContentLines();

  /** `encoding` is the file's. */
  constructor(encoding: string, mostBytes: number) {
    this.#encoding = encoding;
    this.#mostBytes = mostBytes;
  }

  read(card: RawCard): CardItem {
    const { binaries, nested } = card;
    const trouble = this.#trouble(card);
    if (trouble !== null) return { item: this.#broken(card, trouble), binaries, nested };
    const read = this.#properties(card.lines);
    if ('malformed' in read) {
      const text = shown(decoded(read.malformed, this.#encoding)).slice(0, 80);
      const reason = `"${text}" is not a property: it has no name and colon. If it continues the line before, it must begin with a blank.`;
      return { item: this.#broken(card, { code: 'row.malformed', reason }), binaries, nested };
    }
    const undecodable = read.properties.find(
      ({ value, components }) => holdsUndecodable(value) || components.some(holdsUndecodable),
    );
    const item =
      undecodable === undefined
        ? new CardRow(card.line, read.properties)
        : this.#broken(card, { code: 'row.encoding', reason: encodingReason(undecodable) });
    return { item, binaries: binaries + read.binaries, nested: nested + read.nested };
  }

  #trouble({ trouble }: RawCard): Trouble | null {
    switch (trouble) {
      case 'stray':
        return {
          code: 'row.stray',
          reason: 'This text is outside of any card.',
        };
      case 'incomplete':
        return {
          code: 'row.incomplete',
          reason: 'The card has no END:VCARD: the file was cut off, or damaged.',
        };
      case 'tooLarge':
        return {
          code: 'row.tooLarge',
          reason: `The card is larger than ${this.#mostBytes} bytes. Raise "maxRowBytes" if it is meant to be.`,
        };
      default:
        return null;
    }
  }

  #properties(lines: readonly string[]): Read {
    const properties: Property[] = [];
    let binaries = 0;
    let nested = 0;
    for (const text of unfold(lines, versionOf(lines))) {
      const line = this.#lines.read(text);
      if (line === null) return { malformed: text };
      if (isCard(line)) nested += 1;
      else if (!announcesCard(line)) {
        const found = property(line, this.#encoding);
        if (found === null) binaries += 1;
        else properties.push(found);
      }
    }
    return { properties, binaries, nested };
  }

  #broken(card: RawCard, { code, reason }: Trouble): BrokenRow {
    const raw = shown(decoded(card.lines.join('\n').slice(0, rawLength), this.#encoding));
    return { kind: 'broken', line: card.line, problem: { code, column: null, reason }, raw };
  }
}

interface Trouble {
  readonly code: string;
  readonly reason: string;
}

type Read =
  | { readonly properties: readonly Property[]; readonly binaries: number; readonly nested: number }
  | { readonly malformed: string };

/** A card within the card that is written as its property, as version 3.0 has it. */
function isCard({ head: { name }, value }: ContentLine): boolean {
  return name === 'AGENT' && /^\s*BEGIN:VCARD/i.test(value);
}

/** Version 2.1 has the card in the lines that follow; the splitter has left them out. */
function announcesCard({ head: { name }, value }: ContentLine): boolean {
  return name === 'AGENT' && value.trim() === '';
}

function versionOf(lines: readonly string[]): string {
  for (const line of lines) {
    const found = /^VERSION[^:]*:\s*(\S+)/i.exec(line);
    if (found !== null) return found[1] ?? '';
  }
  return '';
}

function encodingReason({ name, value, components }: Property): string {
  const byte = firstUndecodable(value) ?? components.map(firstUndecodable).find((found) => found !== null);
  const what = byte == null ? `${name} holds bytes` : `${name} holds the byte ${byte}`;
  return `${what} that its encoding does not have there. Save the file in one encoding, or set "encoding".`;
}
