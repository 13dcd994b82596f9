import type { SourceItem } from '../../../model/row.ts';
import {
  type ContactColumns,
  canUseColumnInTemplate,
  isMappableColumnName,
} from '../columns/contact-columns.ts';
import { findColumnMeaning, splitColumnName } from '../columns/header-words.ts';
import type { ColumnProfile } from './column-profile.ts';
import { findColumnType } from './column-type.ts';
import { isDetailOfCopies, isDetailOfPerson, isIdOfEvent, isOfRecord } from './event-columns.ts';
import {
  collectPeople,
  countSharedValues,
  differs,
  filledOf,
  namesOf,
  type PersonValues,
  sizeOf,
} from './people-sample.ts';
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

const fewestPeople = 2;
/** The share of rows that are a further row of a person, from which on rows are taken for events without ids of events. */
const mostDuplicates = 0.2;
/** The share of people in whom some column of events, such as their date, differs. */
const nearlyAll = 0.8;
/** The shares of people in whom a column differs, from which on it is no field, and from which on it is in the comment. */
const ofTheRow = 0.25;
const nowAndThen = 0.05;
const fewRepeats = 0.1;

/**
 * Compares the rows of each person of a sample. Returns undefined where a row is a person: hardly any has several rows,
 * the rows have keys of people, or those of a person differ only as copies of one contact do.
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
  if (several.length < fewestPeople) return undefined;
  const isIn = (share: number, test: (person: PersonValues, column: ColumnProfile) => boolean) => {
    const fewest = Math.max(1, several.length * share);
    return (column: ColumnProfile) => several.filter((person) => test(person, column)).length >= fewest;
  };
  const varied = compared.filter(isIn(nearlyAll, differs));
  const haveIds = varied.length > 1 && varied.some((column) => isOfOneEvent(column, people));
  if (!haveIds && rows - people.length < rows * mostDuplicates) return undefined;
  const isCopied = compared.some((column) => isDetailOfCopies(column) && isIn(ofTheRow, differs)(column));
  if (!varied.some((column) => isOfEvent(column, isCopied))) return undefined;
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

/** Returns true for ids of events, of which each belongs to one person. */
function isOfOneEvent(column: ColumnProfile, people: readonly PersonValues[]): boolean {
  return isIdOfEvent(column) && countSharedValues(people, column) === 0;
}

/**
 * Returns true for a column that an event has and a copy of a contact has not. Where copies of a contact differ in what
 * they say of the person (`isCopied`), a date is that of the copy.
 */
function isOfEvent(column: ColumnProfile, isCopied: boolean): boolean {
  if (isDetailOfPerson(column) || isOfRecord(column)) return false;
  return !isCopied || findColumnType(column).kind !== 'date';
}

/** Returns true if some rows of the person have a value and others none: the contact alone would not tell which. */
function isInSomeRows(person: PersonValues, column: ColumnProfile): boolean {
  const filled = filledOf(person, column);
  return filled > 0 && filled < person.rows;
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
  const filled = (column: ColumnProfile) => people.reduce((sum, person) => sum + filledOf(person, column), 0);
  const all = people.reduce((sum, person) => sum + person.rows, 0);
  const ranked = columns
    .filter((column) => filled(column) === all)
    .map((column) => ({
      column,
      repeats: all - people.reduce((sum, person) => sum + sizeOf(person, column), 0),
    }))
    .toSorted((one, other) => one.repeats - other.repeats);
  const isId = ({ column }: (typeof ranked)[number]) =>
    isIdOfEvent(column) ||
    findColumnMeaning(column.name)?.role === 'key' ||
    idWords.has(splitColumnName(column.name).at(-1) ?? '');
  const isDate = ({ column }: (typeof ranked)[number]) => findColumnType(column).kind === 'date';
  const few = ranked.filter(({ repeats }) => repeats <= all * fewRepeats);
  return (few.find(isId) ?? few.find(isDate) ?? ranked[0])?.column;
}
