import type { BrokenRow, Row, SourceItem } from '../../model/row.ts';
import { brokenRow, encodingReason, rawLength, tooLargeReason } from '../broken-row.ts';
import { escapedUndecodable, firstUndecodable, hasUndecodable } from '../encoding/decoding.ts';
import { listedRow } from '../json/array-rows.ts';
import { mapRow } from '../rows.ts';
import { decodedText } from './byte-text.ts';
import type { CardProblem, RawCard } from './card-splitter.ts';
import {
  type ContentLine,
  componentNames,
  contentLineParser,
  type Property,
  readProperty,
  splitUnescaped,
  unescaped,
  unfold,
} from './content-line.ts';

/** The column whose cell can also be read as a list. */
export const listColumn = 'CATEGORIES';

/** A card as a row; its columns are made when they are asked for: a row that is only counted needs none. */
function cardRow(line: number, properties: readonly Property[]): Row {
  let cells: ReadonlyMap<string, string> | undefined;
  const columns = () => {
    cells ??= columnsOf(properties);
    return cells;
  };
  const row = (category: string) => listedRow(new Map([['', category]]));
  return mapRow(line, columns, (name) =>
    name === listColumn ? categoriesOf(properties)?.map(row) : undefined,
  );
}

/** The item of a card, and how many binary values and cards within it were left out. */
interface CardItem {
  readonly item: SourceItem;
  readonly binaries: number;
  readonly nested: number;
}

/** Reads cards: each a row, or a broken one with its reason and raw text. */
export class CardReader {
  readonly #encoding: string;
  readonly #mostBytes: number;
  readonly #line = contentLineParser();

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
      const text = escapedUndecodable(decodedText(read.malformed, this.#encoding)).slice(0, 80);
      const reason = `"${text}" is not a property: it has no name and colon. If it continues the line before, it must begin with a blank.`;
      return { item: this.#broken(card, 'row.malformed', reason), binaries, nested };
    }
    const undecodable = read.properties.find(
      ({ value, components }) => hasUndecodable(value) || components.some(hasUndecodable),
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

  #properties(lines: readonly string[]): ReadProperties {
    const properties: Property[] = [];
    let binaries = 0;
    let nested = 0;
    for (const text of unfold(lines, versionOf(lines))) {
      const line = this.#line(text);
      if (line === null) return { malformed: text };
      if (isCard(line)) nested += 1;
      else if (!isAgentBefore21Card(line)) {
        const found = readProperty(line, this.#encoding);
        if (found === null) binaries += 1;
        else properties.push(found);
      }
    }
    return { properties, binaries, nested };
  }

  #broken({ line, lines }: RawCard, code: string, reason: string): BrokenRow {
    return brokenRow(line, code, reason, decodedText(lines.join('\n').slice(0, rawLength), this.#encoding));
  }
}

type ReadProperties =
  | { readonly properties: readonly Property[]; readonly binaries: number; readonly nested: number }
  | { readonly malformed: string };

/** A card within the card that is written as its property, as version 3.0 has it. */
function isCard({ head: { name }, value }: ContentLine): boolean {
  return name === 'AGENT' && /^\s*BEGIN:VCARD/i.test(value);
}

/** Version 2.1 has the card in the lines that follow; the splitter has left them out. */
function isAgentBefore21Card({ head: { name }, value }: ContentLine): boolean {
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

/** Types that say nothing of where or how somebody is reached. */
const genericTypes = new Set([
  'internet',
  'voice',
  'msg',
  'text',
  'textphone',
  'video',
  'x400',
  'dom',
  'intl',
  'postal',
  'parcel',
  'other',
]);
/** Numbers that nobody answers. */
const machineTypes = new Set(['fax', 'pager', 'modem', 'bbs', 'isdn']);
const typeAliases: Readonly<Record<string, string>> = {
  mobile: 'cell',
  iphone: 'cell',
  homefax: 'fax',
  workfax: 'fax',
  otherfax: 'fax',
};

/** What groups are called: `item1.X-ABLabel:_$!<Mobile>!$_` names the type of `item1.TEL`. */
function groupLabels(properties: readonly Property[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { group, name, value } of properties) {
    if (group === null || name !== 'X-ABLABEL') continue;
    labels.set(
      group,
      unescaped(value)
        .replace(/^_\$!<(.*)>!\$_$/s, '$1')
        .trim()
        .toLowerCase(),
    );
  }
  return labels;
}

/** The types under which a property has columns of its own; of a machine, only which one it is. */
function columnTypes({ group, types }: Property, labels: ReadonlyMap<string, string>): readonly string[] {
  const label = group === null ? undefined : labels.get(group);
  const all = label === undefined ? types : [...types, label];
  const named = new Set(
    all.map((type) => typeAliases[type] ?? type).filter((type) => type !== '' && !genericTypes.has(type)),
  );
  const machine = [...named].filter(isMachine);
  return machine.length > 0 ? machine : [...named];
}

/** Whether a number of this type is no phone of a person. */
function isMachine(type: string): boolean {
  return machineTypes.has(type);
}

/** Names whose properties have columns by their type, too: TEL.cell, EMAIL.work. */
const namesWithTypes = new Set(['TEL', 'EMAIL', 'ADR', 'URL', 'IMPP', 'X-ABDATE', 'X-ABRELATEDNAMES']);
/** What frames a card, and what only names its neighbours. */
const ignoredNames = new Set(['BEGIN', 'END', 'VERSION', 'X-ABLABEL']);

/** The columns of a card: of each name the preferred property first, the others numbered, and again by their types. */
function columnsOf(properties: readonly Property[]): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  const labels = groupLabels(properties);
  for (const [name, family] of propertiesByName(properties)) {
    const found =
      name === 'CATEGORIES' ? [[name, categories(family).join(',')] as const] : cellsOfName(family, labels);
    for (const [column, cell] of found) if (!cells.has(column)) cells.set(column, cell);
  }
  return cells;
}

/** The cells of the properties of one name; of several with the same column, the second is `TEL.2`. */
function* cellsOfName(
  family: readonly Property[],
  labels: ReadonlyMap<string, string>,
): Generator<readonly [column: string, cell: string]> {
  const counts = new Map<string, number>();
  for (const property of family) {
    for (const base of baseColumns(property, labels)) {
      const count = (counts.get(base) ?? 0) + 1;
      counts.set(base, count);
      const own = count === 1 ? base : `${base}.${count}`;
      for (const [part, cell] of propertyCells(property)) {
        if (cell !== '' || base === property.name) yield [part === '' ? own : `${own}.${part}`, cell];
      }
    }
  }
}

/** The columns that a property counts for. A fax is never a phone: it has its own only. */
function baseColumns(property: Property, labels: ReadonlyMap<string, string>): readonly string[] {
  const { name } = property;
  if (!namesWithTypes.has(name)) return [name];
  const types = columnTypes(property, labels);
  const own = types.map((type) => `${name}.${type}`);
  return name === 'TEL' && types.some(isMachine) ? own : [name, ...own];
}

/** The properties by name, in the order in which the names come, the preferred ones of each first. */
function propertiesByName(properties: readonly Property[]): ReadonlyMap<string, readonly Property[]> {
  const found = new Map<string, Property[]>();
  for (const property of properties) {
    if (ignoredNames.has(property.name)) continue;
    const family = found.get(property.name);
    if (family === undefined) found.set(property.name, [property]);
    else family.push(property);
  }
  for (const family of found.values()) family.sort((a, b) => rank(a) - rank(b));
  return found;
}

function rank({ preference }: Property): number {
  return preference ?? Number.MAX_SAFE_INTEGER;
}

/** The categories of a card, each once; one with a comma in its name is one. */
function categoriesOf(properties: readonly Property[]): readonly string[] | undefined {
  const family = properties.filter(({ name }) => name === 'CATEGORIES');
  return family.length === 0 ? undefined : categories(family);
}

function categories(family: readonly Property[]): readonly string[] {
  const all = family.flatMap(({ value }) => splitUnescaped(value, ',').map((part) => unescaped(part).trim()));
  return [...new Set(all)].filter((category) => category !== '');
}

/** The cells of one property, each with the name of its part; '' is the property itself. */
function propertyCells({
  name,
  value,
  components,
}: Property): readonly (readonly [part: string, cell: string])[] {
  const names = componentNames.get(name);
  if (names === undefined) return [['', cellOf(name, unescaped(value))]];
  if (name !== 'ORG')
    return components.slice(0, names.length).map((cell, at) => [names[at] ?? '', cell] as const);
  const [company = '', ...rest] = components;
  const units = rest.filter((unit) => unit.trim() !== '').join(', ');
  return units === ''
    ? [['', company]]
    : [
        ['', company],
        ['unit', units],
      ];
}

function cellOf(name: string, text: string): string {
  switch (name) {
    case 'TEL':
      return text.replace(/^\s*tel:/i, '');
    case 'EMAIL':
      return text.replace(/^\s*mailto:/i, '');
    case 'BDAY':
    case 'ANNIVERSARY':
      return dateText(text);
    default:
      return text;
  }
}

/** A day without its time, in the usual form; one without a year stays as it is. */
function dateText(text: string): string {
  const [, year, month, ofMonth] = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:$|T|\s)/.exec(text) ?? [];
  if (year === undefined) return text;
  // Apple's programs write this year where none is known.
  return year === '1604' ? `--${month}-${ofMonth}` : `${year}-${month}-${ofMonth}`;
}
