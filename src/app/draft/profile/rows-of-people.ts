import { trimWhiteSpace } from '../../../datatypes/index.ts';
import type { Row, SourceItem } from '../../../model/row.ts';
import {
  type ContactColumns,
  canUseColumnInTemplate,
  isMappableColumnName,
} from '../columns/contact-columns.ts';
import { findColumnMeaning, splitColumnName } from '../columns/header-words.ts';
import type { ColumnProfile } from './column-profile.ts';
import { findColumnType } from './column-type.ts';
import type { TableProfile } from './table-profile.ts';

/** What the rows of an input are if each is an event of a person, such as an order, and a person has several. */
export interface EventRows {
  /** The columns that the comment of a row consists of. */
  readonly columns: readonly ColumnProfile[];
  /** Those of them that are no fields of the person, because their values differ from row to row. */
  readonly ofRows: ReadonlySet<string>;
  /** The column that tells the comments of a person apart. */
  readonly commentKey: string | undefined;
  /** The column that identifies the person; undefined if there is none. */
  readonly personKey: ColumnProfile | undefined;
  /** The people with several rows, among the rows that were compared. */
  readonly people: number;
}

const mostRows = 20_000;
/** Each takes about 300 bytes until the draft is made. */
const mostCells = 100_000;
const longestCompared = 200;
const fewestPeople = 2;
/** The share of rows that are a further row of a person, from which on rows are taken for events. */
const mostDuplicates = 0.2;
/** The share of people in whom some column of events, such as their date, differs. */
const nearlyAll = 0.8;
/** The shares of people in whom a column differs, from which on it is no field, and from which on it is in the comment. */
const ofTheRow = 0.25;
const nowAndThen = 0.05;
const fewRepeats = 0.1;

/** The values that the rows of one person have in each column, and how many of its cells are filled. */
interface PersonValues {
  rows: number;
  readonly cells: Map<ColumnProfile, { filled: number; readonly values: Set<string> }>;
}

/** The people by e-mail or phone, and of each of these by name. */
type PeopleByReach = Map<string, Map<string, PersonValues>>;

/**
 * Compares the rows of each person among the first 20,000 rows, or fewer where these have many columns. Returns undefined where a row is a person: hardly any
 * has several rows, or the rows have keys of people.
 */
export async function findEventRows(
  table: TableProfile,
  columns: ContactColumns,
  batches: AsyncIterable<readonly SourceItem[]>,
): Promise<EventRows | undefined> {
  if (columns.emails.length + columns.phones.length === 0 || columns.people.length > 1) return undefined;
  if (columns.key !== undefined && columns.key.named?.rank === 0) return undefined;
  const compared = comparedColumns(table, columns);
  const people = await collectPeople(batches, columns, compared);
  const several = people.filter(({ rows }) => rows > 1);
  const rows = people.reduce((sum, person) => sum + person.rows, 0);
  if (several.length < fewestPeople || rows - people.length < rows * mostDuplicates) return undefined;
  const isIn = (share: number, test: (person: PersonValues, column: ColumnProfile) => boolean) => {
    const fewest = Math.max(1, several.length * share);
    return (column: ColumnProfile) => several.filter((person) => test(person, column)).length >= fewest;
  };
  if (!compared.some(isIn(nearlyAll, differs))) return undefined;
  const notes = new Set(columns.notes.map(({ profile }) => profile));
  const { phones, countries, language, photo, owner, stage } = columns;
  const ofContact = new Set(
    [...phones, ...countries, language, photo, owner, stage].map((column) => column?.profile),
  );
  const isPartly = isIn(ofTheRow, isInSomeRows);
  const isDifferent = isIn(ofTheRow, differs);
  const told = compared.filter(
    (column) =>
      notes.has(column) || isIn(nowAndThen, differs)(column) || (!ofContact.has(column) && isPartly(column)),
  );
  const different = told.filter(isDifferent);
  return {
    columns: told,
    ofRows: new Set(different.flatMap((column) => (ofContact.has(column) ? [] : column.name))),
    commentKey: commentKeyOf(different, several)?.name,
    personKey: compared.find((column) => isPersonKey(column, people)),
    people: several.length,
  };
}

/** Returns the columns whose values may differ between the rows of a person; tags are united. */
function comparedColumns(table: TableProfile, { emails, tags, ...columns }: ContactColumns) {
  const others = new Set([...namesOf(columns), ...[...emails, ...tags].map(({ profile }) => profile.name)]);
  return table.columns.filter(
    (column) =>
      column.filled > 0 &&
      !others.has(column.name) &&
      isMappableColumnName(column.name) &&
      canUseColumnInTemplate(column.name) &&
      column.share('objects') === 0,
  );
}

function namesOf({ names }: Pick<ContactColumns, 'names'>): readonly string[] {
  if (names === undefined) return [];
  const found = names.kind === 'full' ? [names.column] : [names.first, names.prefix, names.last];
  return found.flatMap((column) => column?.profile.name ?? []);
}

async function collectPeople(
  batches: AsyncIterable<readonly SourceItem[]>,
  columns: ContactColumns,
  compared: readonly ColumnProfile[],
): Promise<readonly PersonValues[]> {
  const people: PeopleByReach = new Map();
  let rows = 0;
  for await (const items of batches) {
    for (const item of items) if (item.kind === 'row') addRow(people, item, columns, compared);
    rows += items.length;
    if (rows >= mostRows || rows * compared.length >= mostCells) break;
  }
  return [...people.values()].flatMap((named) => [...named.values()]);
}

function addRow(
  people: PeopleByReach,
  row: Row,
  columns: ContactColumns,
  compared: readonly ColumnProfile[],
): void {
  const known = personOf(people, row, columns);
  if (known === undefined) return;
  known.rows += 1;
  const phones = new Set(columns.phones.map(({ profile }) => profile));
  for (const column of compared) {
    const written = textOf(row, column.name);
    const text = phones.has(column) ? digitsOf(written) : written;
    if (text === '') continue;
    const seen = known.cells.get(column) ?? { filled: 0, values: new Set() };
    known.cells.set(column, seen);
    seen.filled += 1;
    seen.values.add(
      text.length > longestCompared ? `${text.length} ${text.slice(0, longestCompared)}` : text,
    );
  }
}

/**
 * Returns the values of whom the row is about: its e-mail or else its phone, with its name, because families share both.
 * A row without a name, such as the second line of an order, is of the person before it.
 */
function personOf(people: PeopleByReach, row: Row, columns: ContactColumns): PersonValues | undefined {
  const firstOf = (group: ContactColumns['emails']) =>
    group.map(({ profile }) => textOf(row, profile.name)).find((text) => text !== '');
  const reach = firstOf(columns.emails) ?? digitsOf(firstOf(columns.phones) ?? '');
  if (reach === '') return undefined;
  const named = people.get(reach) ?? new Map<string, PersonValues>();
  people.set(reach, named);
  const name = namesOf(columns).map((column) => textOf(row, column));
  const known = name.every((part) => part === '') ? [...named.values()].at(-1) : named.get(name.join('\n'));
  if (known !== undefined) return known;
  const person = { rows: 0, cells: new Map() };
  named.set(name.join('\n'), person);
  return person;
}

function digitsOf(phone: string): string {
  return phone.replace(/[^\d+]/g, '');
}

function textOf(row: Row, column: string): string {
  return trimWhiteSpace(row.cell(column) ?? '').toLowerCase();
}

function sizeOf({ cells }: PersonValues, column: ColumnProfile): number {
  return cells.get(column)?.values.size ?? 0;
}

function differs(person: PersonValues, column: ColumnProfile): boolean {
  return sizeOf(person, column) > 1;
}

/** Returns true if some rows of the person have a value and others none: the contact alone would not tell which. */
function isInSomeRows({ rows, cells }: PersonValues, column: ColumnProfile): boolean {
  const filled = cells.get(column)?.filled ?? 0;
  return filled > 0 && filled < rows;
}

/** Returns true for a column such as `Customer ID` whose value each person has alone. */
function isPersonKey(column: ColumnProfile, people: readonly PersonValues[]): boolean {
  const meaning = findColumnMeaning(column.name);
  if (meaning?.role !== 'key' || meaning.rank > 0) return false;
  const all = new Set(people.flatMap(({ cells }) => [...(cells.get(column)?.values ?? [])]));
  return all.size === people.length && !people.some((person) => differs(person, column));
}

const idWords = new Set(['id', 'no', 'nr', 'number', 'nummer', 'numero', 'code', 'ref', 'reference', 'uuid']);

/**
 * Returns the column that differs most between the rows of a person: one of ids or dates if its values hardly repeat,
 * because other values are equal or different by chance.
 */
function commentKeyOf(
  columns: readonly ColumnProfile[],
  people: readonly PersonValues[],
): ColumnProfile | undefined {
  const filled = (column: ColumnProfile) =>
    people.reduce((sum, { cells }) => sum + (cells.get(column)?.filled ?? 0), 0);
  const all = people.reduce((sum, person) => sum + person.rows, 0);
  const ranked = columns
    .filter((column) => filled(column) === all)
    .map((column) => ({
      column,
      repeats: all - people.reduce((sum, person) => sum + sizeOf(person, column), 0),
    }))
    .toSorted((one, other) => one.repeats - other.repeats);
  const isId = ({ column: { name } }: (typeof ranked)[number]) =>
    findColumnMeaning(name)?.role === 'key' || idWords.has(splitColumnName(name).at(-1) ?? '');
  const isDate = ({ column }: (typeof ranked)[number]) => findColumnType(column).kind === 'date';
  const few = ranked.filter(({ repeats }) => repeats <= all * fewRepeats);
  return (few.find(isId) ?? few.find(isDate) ?? ranked[0])?.column;
}
