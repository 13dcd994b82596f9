import type { BrokenRow, Row, SourceItem } from '../../model/row.ts';
import {
  createBrokenRow,
  formatEncodingReason,
  formatTooLargeReason,
  maxRawTextLength,
} from '../broken-row.ts';
import {
  escapeUndecodableBytes,
  formatFirstUndecodableByte,
  hasUndecodableBytes,
} from '../encoding/decoding.ts';
import { createNestedRow } from '../json/array-rows.ts';
import { createLazyRow } from '../rows.ts';
import { decodeByteString } from './byte-text.ts';
import type { CardProblem, RawCard } from './card-splitter.ts';
import {
  type ContentLine,
  componentNamesByProperty,
  createContentLineParser,
  decodeProperty,
  splitAtUnescaped,
  unescapeVcardText,
  unfoldLines,
  type VcardProperty,
} from './content-line.ts';

/** The column of categories, which rows also have as a list. */
export const categoriesColumn = 'CATEGORIES';

/** Creates the row of a card; its columns are computed on first use. */
function cardRow(line: number, properties: readonly VcardProperty[]): Row {
  let cells: ReadonlyMap<string, string> | undefined;
  const columns = () => {
    cells ??= columnsOf(properties);
    return cells;
  };
  const row = (category: string) => createNestedRow(new Map([['', category]]));
  return createLazyRow(line, columns, (name) =>
    name === categoriesColumn ? categoriesOf(properties)?.map(row) : undefined,
  );
}

/** The item of a card, and the number of omitted binary values and nested cards. */
interface CardItem {
  readonly item: SourceItem;
  readonly binaries: number;
  readonly nested: number;
}

/** Converts each card to a row, or a broken row with its reason and raw text. */
export class CardItemConverter {
  readonly #encoding: string;
  readonly #mostBytes: number;
  readonly #line = createContentLineParser();

  /** `encoding` is the encoding of the cards' bytes; `mostBytes` is the size limit of a card, used only in messages. */
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
      const text = escapeUndecodableBytes(decodeByteString(read.malformed, this.#encoding)).slice(0, 80);
      const reason = `"${text}" is not a property: it has no name and colon. If it continues the line before, it must begin with a blank.`;
      return { item: this.#broken(card, 'row.malformed', reason), binaries, nested };
    }
    const undecodable = read.properties.find(
      ({ value, components }) => hasUndecodableBytes(value) || components.some(hasUndecodableBytes),
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
        return ['row.tooLarge', formatTooLargeReason('card', this.#mostBytes)];
    }
  }

  #properties(lines: readonly string[]): ReadProperties {
    const properties: VcardProperty[] = [];
    let binaries = 0;
    let nested = 0;
    for (const text of unfoldLines(lines, versionOf(lines))) {
      const line = this.#line(text);
      if (line === null) return { malformed: text };
      if (isNestedCard(line)) nested += 1;
      else if (!precedesNestedCard(line)) {
        const found = decodeProperty(line, this.#encoding);
        if (found === null) binaries += 1;
        else properties.push(found);
      }
    }
    return { properties, binaries, nested };
  }

  #broken({ line, lines }: RawCard, code: string, reason: string): BrokenRow {
    return createBrokenRow(
      line,
      code,
      reason,
      decodeByteString(lines.join('\n').slice(0, maxRawTextLength), this.#encoding),
    );
  }
}

type ReadProperties =
  | { readonly properties: readonly VcardProperty[]; readonly binaries: number; readonly nested: number }
  | { readonly malformed: string };

/** True if the value of a property is a nested card, as in version 3.0. */
function isNestedCard({ head: { name }, value }: ContentLine): boolean {
  return name === 'AGENT' && /^\s*BEGIN:VCARD/i.test(value);
}

/** True if a nested card follows the property, as in version 2.1; the splitter has removed its lines. */
function precedesNestedCard({ head: { name }, value }: ContentLine): boolean {
  return name === 'AGENT' && value.trim() === '';
}

function versionOf(lines: readonly string[]): string {
  for (const line of lines) {
    const found = /^VERSION[^:]*:\s*(\S+)/i.exec(line);
    if (found !== null) return found[1] ?? '';
  }
  return '';
}

function undecodableReason({ name, value, components }: VcardProperty): string {
  const text = [value, ...components].find((each) => formatFirstUndecodableByte(each) !== null) ?? '';
  return formatEncodingReason(name, text, 'its encoding');
}

/** The types for which a property gets no extra column. */
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
/** The types of phone numbers that a machine answers. */
const machineTypes = new Set(['fax', 'pager', 'modem', 'bbs', 'isdn']);
const typeAliases: Readonly<Record<string, string>> = {
  mobile: 'cell',
  iphone: 'cell',
  homefax: 'fax',
  workfax: 'fax',
  otherfax: 'fax',
};

/** Returns the labels of groups: `item1.X-ABLabel:_$!<Mobile>!$_` is the type of `item1.TEL`. */
function groupLabels(properties: readonly VcardProperty[]): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  for (const { group, name, value } of properties) {
    if (group === null || name !== 'X-ABLABEL') continue;
    labels.set(
      group,
      unescapeVcardText(value)
        .replace(/^_\$!<(.*)>!\$_$/s, '$1')
        .trim()
        .toLowerCase(),
    );
  }
  return labels;
}

/**
 * Returns the types for which a property gets extra columns; for a fax or another machine only the type of
 * the machine.
 */
function columnTypes(
  { group, types }: VcardProperty,
  labels: ReadonlyMap<string, string>,
): readonly string[] {
  const label = group === null ? undefined : labels.get(group);
  const all = label === undefined ? types : [...types, label];
  const named = new Set(
    all.map((type) => typeAliases[type] ?? type).filter((type) => type !== '' && !genericTypes.has(type)),
  );
  const machine = [...named].filter(isMachine);
  return machine.length > 0 ? machine : [...named];
}

/** True if a phone number of this type belongs to a machine, such as a fax. */
function isMachine(type: string): boolean {
  return machineTypes.has(type);
}

/** The names of properties that also get columns by type: TEL.cell, EMAIL.work. */
const namesWithTypes = new Set(['TEL', 'EMAIL', 'ADR', 'URL', 'IMPP', 'X-ABDATE', 'X-ABRELATEDNAMES']);
/** The names of properties that get no column. */
const ignoredNames = new Set(['BEGIN', 'END', 'VERSION', 'X-ABLABEL']);

/**
 * Returns the cells of a card by column. The preferred property of a name has the column of the name (`TEL`), the
 * others are numbered (`TEL.2`). Properties with types have columns by type, too (`TEL.cell`).
 */
function columnsOf(properties: readonly VcardProperty[]): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  const labels = groupLabels(properties);
  for (const [name, family] of propertiesByName(properties)) {
    const found =
      name === 'CATEGORIES' ? [[name, categories(family).join(',')] as const] : cellsOfName(family, labels);
    for (const [column, cell] of found) if (!cells.has(column)) cells.set(column, cell);
  }
  return cells;
}

/** Yields the cells of the properties of one name; the second of the same column is `TEL.2`. */
function* cellsOfName(
  family: readonly VcardProperty[],
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

/**
 * Returns the columns of a property: its name (`TEL`), and one for each of its types (`TEL.cell`). The number of a
 * machine, such as a fax, has only the columns of its types, so that it does not count as a phone.
 */
function baseColumns(property: VcardProperty, labels: ReadonlyMap<string, string>): readonly string[] {
  const { name } = property;
  if (!namesWithTypes.has(name)) return [name];
  const types = columnTypes(property, labels);
  const own = types.map((type) => `${name}.${type}`);
  return name === 'TEL' && types.some(isMachine) ? own : [name, ...own];
}

/** Groups properties by name, in order of appearance, the preferred ones first. */
function propertiesByName(
  properties: readonly VcardProperty[],
): ReadonlyMap<string, readonly VcardProperty[]> {
  const found = new Map<string, VcardProperty[]>();
  for (const property of properties) {
    if (ignoredNames.has(property.name)) continue;
    const family = found.get(property.name);
    if (family === undefined) found.set(property.name, [property]);
    else family.push(property);
  }
  for (const family of found.values()) family.sort((a, b) => rank(a) - rank(b));
  return found;
}

function rank({ preference }: VcardProperty): number {
  return preference ?? Number.MAX_SAFE_INTEGER;
}

/**
 * Returns the distinct categories of a card; undefined if it has no CATEGORIES. An escaped comma does not split one.
 */
function categoriesOf(properties: readonly VcardProperty[]): readonly string[] | undefined {
  const family = properties.filter(({ name }) => name === 'CATEGORIES');
  return family.length === 0 ? undefined : categories(family);
}

function categories(family: readonly VcardProperty[]): readonly string[] {
  const all = family.flatMap(({ value }) =>
    splitAtUnescaped(value, ',').map((part) => unescapeVcardText(part).trim()),
  );
  return [...new Set(all)].filter((category) => category !== '');
}

/** Returns the cells of one property by component; the cell of the component '' is in the property's own column. */
function propertyCells({
  name,
  value,
  components,
}: VcardProperty): readonly (readonly [part: string, cell: string])[] {
  const names = componentNamesByProperty.get(name);
  if (names === undefined) return [['', cellOf(name, unescapeVcardText(value))]];
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

/** Returns a date without time as yyyy-mm-dd; a date without a year stays as written. */
function dateText(text: string): string {
  const [, year, month, ofMonth] = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:$|T|\s)/.exec(text) ?? [];
  if (year === undefined) return text;
  // Apple's programs write 1604 for an unknown year.
  return year === '1604' ? `--${month}-${ofMonth}` : `${year}-${month}-${ofMonth}`;
}
