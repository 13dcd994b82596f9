import type { BrokenRow, Row, SourceItem } from '../../model/row.ts';
import { brokenRow, encodingReason, rawLength, tooLargeReason } from '../broken-row.ts';
import { firstUndecodable, holdsUndecodable, shown } from '../encoding/undecodable.ts';
import { listedRow } from '../json/array-rows.ts';
import { mapRow } from '../rows.ts';
import { decoded } from './byte-text.ts';
import type { CardProblem, RawCard } from './card-splitter.ts';
import { categoriesOf, columnsOf } from './columns.ts';
import { type ContentLine, contentLines } from './content-line.ts';
import { type Property, property } from './property.ts';
import { unfold } from './unfold.ts';

/** The column whose cell can also be read as a list. */
export const listed = 'CATEGORIES';

/** A card as a row; its columns are made when they are asked for: a row that is only counted needs none. */
function cardRow(line: number, properties: readonly Property[]): Row {
  let cells: ReadonlyMap<string, string> | undefined;
  const columns = () => {
    cells ??= columnsOf(properties);
    return cells;
  };
  const row = (category: string) => listedRow(new Map([['', category]]));
  return mapRow(line, columns, (name) => (name === listed ? categoriesOf(properties)?.map(row) : undefined));
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
  readonly #line = contentLines();

  /** `encoding` is the file's. */
  constructor(encoding: string, mostBytes: number) {
    this.#encoding = encoding;
    this.#mostBytes = mostBytes;
  }

  read(card: RawCard): CardItem {
    const { binaries, nested } = card;
    if (card.problem !== null)
      return { item: this.#broken(card, ...this.#reason(card.problem)), binaries, nested };
    const read = this.#properties(card.lines);
    if ('malformed' in read) {
      const text = shown(decoded(read.malformed, this.#encoding)).slice(0, 80);
      const reason = `"${text}" is not a property: it has no name and colon. If it continues the line before, it must begin with a blank.`;
      return { item: this.#broken(card, 'row.malformed', reason), binaries, nested };
    }
    const undecodable = read.properties.find(
      ({ value, components }) => holdsUndecodable(value) || components.some(holdsUndecodable),
    );
    const item =
      undecodable === undefined
        ? cardRow(card.line, read.properties)
        : this.#broken(card, 'row.encoding', undecodableReason(undecodable));
    return { item, binaries: binaries + read.binaries, nested: nested + read.nested };
  }

  #reason(problem: CardProblem): [code: string, reason: string] {
    switch (problem) {
      case 'stray':
        return ['row.stray', 'This text is outside of any card.'];
      case 'incomplete':
        return ['row.incomplete', 'The card has no END:VCARD: the file was cut off, or damaged.'];
      default:
        return ['row.tooLarge', tooLargeReason('card', this.#mostBytes)];
    }
  }

  #properties(lines: readonly string[]): Read {
    const properties: Property[] = [];
    let binaries = 0;
    let nested = 0;
    for (const text of unfold(lines, versionOf(lines))) {
      const line = this.#line(text);
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

  #broken({ line, lines }: RawCard, code: string, reason: string): BrokenRow {
    return brokenRow(line, code, reason, decoded(lines.join('\n').slice(0, rawLength), this.#encoding));
  }
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

function undecodableReason({ name, value, components }: Property): string {
  const text = [value, ...components].find((each) => firstUndecodable(each) !== null) ?? '';
  return encodingReason(name, text, 'its encoding');
}
