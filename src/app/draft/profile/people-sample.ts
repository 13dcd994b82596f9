import { trimWhiteSpace } from '../../../datatypes/index.ts';
import type { Row, SourceItem } from '../../../model/row.ts';
import type { ContactColumns } from '../columns/contact-columns.ts';
import type { ColumnProfile } from './column-profile.ts';

/** The values that the rows of one person have in each column, and how many of its cells are filled. */
export interface PersonValues {
  rows: number;
  readonly cells: Map<ColumnProfile, { filled: number; readonly values: Set<string> }>;
}

const mostRows = 500_000;
/** The maximum number of values that are kept; each takes about 300 bytes until the draft is made, a person that of three. */
export const mostValues = 100_000;
const valuesOfPerson = 3;
const longestCompared = 200;

/**
 * Returns the people of the first 500,000 rows with the values of their rows; where these have too many values, a part of the
 * people with all their rows, so that memory stays bounded and a person recurs in the sample as in the input.
 */
export async function collectPeople(
  batches: AsyncIterable<readonly SourceItem[]>,
  columns: ContactColumns,
  compared: readonly ColumnProfile[],
): Promise<readonly PersonValues[]> {
  const sample = new PeopleSample(columns, compared);
  let rows = 0;
  for await (const items of batches) {
    for (const item of items) if (item.kind === 'row') sample.add(item);
    rows += items.length;
    if (rows >= mostRows || sample.isFull) break;
  }
  return sample.all();
}

/** The people whose e-mail or phone has a hash that is a multiple of `#share`. */
class PeopleSample {
  readonly #columns: ContactColumns;
  readonly #names: readonly string[];
  readonly #compared: readonly ColumnProfile[];
  readonly #phones: ReadonlySet<ColumnProfile>;
  /** The people by e-mail or phone, and of each of these by name. */
  readonly #people = new Map<string, Map<string, PersonValues>>();
  #share = 1;
  #values = 0;

  constructor(columns: ContactColumns, compared: readonly ColumnProfile[]) {
    this.#columns = columns;
    this.#names = namesOf(columns);
    this.#compared = compared;
    this.#phones = new Set(columns.phones.map(({ profile }) => profile));
  }

  /** True if the one person that is left has too many values. */
  get isFull(): boolean {
    return this.#values > mostValues;
  }

  all(): readonly PersonValues[] {
    return [...this.#people.values()].flatMap((named) => [...named.values()]);
  }

  add(row: Row): void {
    const person = this.#personOf(row);
    if (person === undefined) return;
    person.rows += 1;
    for (const column of this.#compared) this.#addCell(person, column, textOf(row, column.name));
    while (this.#values > mostValues && this.#people.size > 1) this.#thin();
  }

  #addCell({ cells }: PersonValues, column: ColumnProfile, written: string): void {
    const text = this.#phones.has(column) ? digitsOf(written) : written;
    if (text === '') return;
    const seen = cells.get(column) ?? { filled: 0, values: new Set() };
    cells.set(column, seen);
    seen.filled += 1;
    const before = seen.values.size;
    seen.values.add(
      text.length > longestCompared ? `${text.length} ${text.slice(0, longestCompared)}` : text,
    );
    this.#values += seen.values.size - before;
  }

  /** Leaves out about half of the people. */
  #thin(): void {
    this.#share *= 2;
    for (const [reach, named] of this.#people) {
      if (hashOf(reach) % this.#share === 0) continue;
      this.#people.delete(reach);
      for (const { cells } of named.values()) {
        this.#values -= valuesOfPerson;
        for (const { values } of cells.values()) this.#values -= values.size;
      }
    }
  }

  /**
   * Returns the values of whom the row is about: its e-mail or else its phone, with its name, because families share both.
   * A row without a name, such as the second line of an order, is of the person before it. Undefined for a row of no one
   * in the sample.
   */
  #personOf(row: Row): PersonValues | undefined {
    const firstOf = (group: ContactColumns['emails']) =>
      group.map(({ profile }) => textOf(row, profile.name)).find((text) => text !== '');
    const reach = firstOf(this.#columns.emails) ?? digitsOf(firstOf(this.#columns.phones) ?? '');
    if (reach === '' || (this.#share > 1 && hashOf(reach) % this.#share !== 0)) return undefined;
    const named = this.#people.get(reach) ?? new Map<string, PersonValues>();
    this.#people.set(reach, named);
    const name = this.#names.map((column) => textOf(row, column));
    const known = name.every((part) => part === '') ? [...named.values()].at(-1) : named.get(name.join('\n'));
    if (known !== undefined) return known;
    const person = { rows: 0, cells: new Map() };
    this.#values += valuesOfPerson;
    named.set(name.join('\n'), person);
    return person;
  }
}

/** Returns the FNV-1a hash of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Returns the names of the columns with the name of the row's person. */
export function namesOf({ names }: Pick<ContactColumns, 'names'>): readonly string[] {
  if (names === undefined) return [];
  const found = names.kind === 'full' ? [names.column] : [names.first, names.prefix, names.last];
  return found.flatMap((column) => column?.profile.name ?? []);
}

function digitsOf(phone: string): string {
  return phone.replace(/[^\d+]/g, '');
}

function textOf(row: Row, column: string): string {
  return trimWhiteSpace(row.cell(column) ?? '').toLowerCase();
}

/** Returns the number of different values that a person has in a column. */
export function sizeOf({ cells }: PersonValues, column: ColumnProfile): number {
  return cells.get(column)?.values.size ?? 0;
}

/** Returns true if the rows of a person have different values in a column. */
export function differs(person: PersonValues, column: ColumnProfile): boolean {
  return sizeOf(person, column) > 1;
}

/** Returns the number of a person's rows that have a value in a column. */
export function filledOf({ cells }: PersonValues, column: ColumnProfile): number {
  return cells.get(column)?.filled ?? 0;
}

/** Returns how many values of a column belong to several people, each counted once for every further person. */
export function countSharedValues(people: readonly PersonValues[], column: ColumnProfile): number {
  const all = new Set(people.flatMap(({ cells }) => [...(cells.get(column)?.values ?? [])]));
  return people.reduce((sum, person) => sum + sizeOf(person, column), 0) - all.size;
}
