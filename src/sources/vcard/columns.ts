import { parts, unescaped } from './escapes.ts';
import { componentNames, type Property } from './property.ts';
import { columnTypes, groupLabels, isMachine } from './property-types.ts';

/** Names whose properties have columns by their type, too: TEL.cell, EMAIL.work. */
const typed = new Set(['TEL', 'EMAIL', 'ADR', 'URL', 'IMPP', 'X-ABDATE', 'X-ABRELATEDNAMES']);
/** What frames a card, and what only names its neighbours. */
const unsaid = new Set(['BEGIN', 'END', 'VERSION', 'X-ABLABEL']);

/** The columns of a card: of each name the preferred property first, the others numbered, and again by their types. */
export function columnsOf(properties: readonly Property[]): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  const labels = groupLabels(properties);
  for (const [name, family] of families(properties)) {
    const found =
      name === 'CATEGORIES' ? [[name, categories(family).join(',')] as const] : familyCells(family, labels);
    for (const [column, cell] of found) if (!cells.has(column)) cells.set(column, cell);
  }
  return cells;
}

/** The cells of the properties of one name; of several with the same column, the second is `TEL.2`. */
function* familyCells(
  family: readonly Property[],
  labels: ReadonlyMap<string, string>,
): Generator<readonly [column: string, cell: string]> {
  const counts = new Map<string, number>();
  for (const property of family) {
    for (const base of basesOf(property, labels)) {
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
function basesOf(property: Property, labels: ReadonlyMap<string, string>): readonly string[] {
  const { name } = property;
  if (!typed.has(name)) return [name];
  const types = columnTypes(property, labels);
  const own = types.map((type) => `${name}.${type}`);
  return name === 'TEL' && types.some(isMachine) ? own : [name, ...own];
}

/** The properties by name, in the order in which the names come, the preferred ones of each first. */
function families(properties: readonly Property[]): ReadonlyMap<string, readonly Property[]> {
  const found = new Map<string, Property[]>();
  for (const property of properties) {
    if (unsaid.has(property.name)) continue;
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
export function categoriesOf(properties: readonly Property[]): readonly string[] | undefined {
  const family = properties.filter(({ name }) => name === 'CATEGORIES');
  return family.length === 0 ? undefined : categories(family);
}

function categories(family: readonly Property[]): readonly string[] {
  const all = family.flatMap(({ value }) => parts(value, ',').map((part) => unescaped(part).trim()));
  return [...new Set(all)].filter((category) => category !== '');
}

/** The cells of one property, each with the name of its part; '' is the property itself. */
function propertyCells({
  name,
  value,
  components,
}: Property): readonly (readonly [part: string, cell: string])[] {
  const names = componentNames.get(name);
  if (names === undefined) return [['', single(name, unescaped(value))]];
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

function single(name: string, text: string): string {
  switch (name) {
    case 'TEL':
      return text.replace(/^\s*tel:/i, '');
    case 'EMAIL':
      return text.replace(/^\s*mailto:/i, '');
    case 'BDAY':
    case 'ANNIVERSARY':
      return day(text);
    default:
      return text;
  }
}

/** A day without its time, in the usual form; one without a year stays as it is. */
function day(text: string): string {
  const [, year, month, ofMonth] = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:$|T|\s)/.exec(text) ?? [];
  if (year === undefined) return text;
  // Apple's programs write this year where none is known.
  return year === '1604' ? `--${month}-${ofMonth}` : `${year}-${month}-${ofMonth}`;
}
