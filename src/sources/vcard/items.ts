import type { BrokenRow, Cell, Row, SourceItem } from '../../model/row.ts';
import { firstUndecodable, holdsUndecodable, shown } from '../encoding/undecodable.ts';
import { decoded } from './byte-text.ts';
import type { RawCard } from './card-splitter.ts';
import { columnsOf } from './columns.ts';
import { type ContentLine, contentLine } from './content-line.ts';
import { type Property, property } from './property.ts';
import { unfold } from './unfold.ts';

const rawLength = 64 * 1024;

/** A card as a row. */
class CardRow implements Row {
  readonly kind = 'row';
  readonly line: number;
  readonly #cells: ReadonlyMap<string, string>;

  constructor(line: number, cells: ReadonlyMap<string, string>) {
    this.line = line;
    this.#cells = cells;
  }

  cell(column: string): Cell | undefined {
    return this.#cells.get(column);
  }

  entries(): readonly (readonly [column: string, cell: Cell])[] {
    return [...this.#cells];
  }
}

/** The item of a card, and how many binary values and cards within it were left out. */
export interface CardItem {
  readonly item: SourceItem;
  readonly binaries: number;
  readonly nested: number;
}

/** Reads a card: a row, or a broken one with its reason and raw text. `encoding` is the file's. */
export function cardItem(card: RawCard, encoding: string, mostBytes: number): CardItem {
  const { binaries, nested } = card;
  const broken = (code: string, reason: string): CardItem => ({
    item: brokenCard(card, encoding, code, reason),
    binaries,
    nested,
  });
  switch (card.trouble) {
    case 'stray':
      return broken('row.stray', 'This text belongs to no card: before it a card ended, or none began.');
    case 'incomplete':
      return broken('row.incomplete', 'The card has no END:VCARD: the file was cut off, or damaged.');
    case 'tooLarge':
      return broken(
        'row.tooLarge',
        `The card is larger than ${mostBytes} bytes. Raise "maxRowBytes" if it is meant to be.`,
      );
    default:
  }
  const read = readLines(card.lines, encoding);
  if ('malformed' in read)
    return broken(
      'row.malformed',
      `"${shown(decoded(read.malformed, encoding)).slice(0, 80)}" is no property of a card: it has no name and colon. If it belongs to the line before, it must begin with a blank.`,
    );
  const undecodable = read.properties.find(({ value, components }) =>
    [value, ...components].some(holdsUndecodable),
  );
  if (undecodable !== undefined) return broken('row.encoding', encodingReason(undecodable));
  return {
    item: new CardRow(card.line, columnsOf(read.properties)),
    binaries: binaries + read.binaries,
    nested: nested + read.nested,
  };
}

type Read =
  | { readonly properties: readonly Property[]; readonly binaries: number; readonly nested: number }
  | { readonly malformed: string };

function readLines(lines: readonly string[], encoding: string): Read {
  const properties: Property[] = [];
  let binaries = 0;
  let nested = 0;
  for (const text of unfold(lines, versionOf(lines))) {
    const line = contentLine(text);
    if (line === null) return { malformed: text };
    if (isCard(line)) nested += 1;
    else if (!announcesCard(line)) {
      const found = property(line, encoding);
      if (found === null) binaries += 1;
      else properties.push(found);
    }
  }
  return { properties, binaries, nested };
}

/** A card within the card that is written as its property, as version 3.0 has it. */
function isCard({ name, value }: ContentLine): boolean {
  return name === 'AGENT' && /^\s*BEGIN:VCARD/i.test(value);
}

/** Version 2.1 has the card in the lines that follow; the splitter has left them out. */
function announcesCard({ name, value }: ContentLine): boolean {
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
  return `${what} that its encoding does not have there. Save the file in one encoding, or state "encoding".`;
}

function brokenCard(card: RawCard, encoding: string, code: string, reason: string): BrokenRow {
  const raw = shown(decoded(card.lines.join('\n').slice(0, rawLength), encoding));
  return { kind: 'broken', line: card.line, problem: { code, column: null, reason }, raw };
}
