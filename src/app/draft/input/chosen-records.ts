import { formatNameList } from '../../../model/listed.ts';
import { findContactColumns } from '../columns/contact-columns.ts';
import { formatRowCount } from '../mapping/column-words.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { toPrintableName, type YamlValue } from '../yaml/entry.ts';
import { type InspectedInput, openListOfInput } from './found-input.ts';
import { findPeopleLists, isInList, type PeopleList } from './people-lists.ts';
import { type InputProfile, profileInput } from './read-input.ts';
import type { InputSettings } from './stated.ts';

/** The records to draft from: those of the input, or the elements of a list in them. */
export interface ChosenRecords {
  readonly found: InspectedInput;
  readonly read: InputProfile;
  /** The list whose elements are the records; undefined for the records of the input. */
  readonly list?: string | undefined;
  /** Lists of people in these records: no field of a contact is drafted from their elements. */
  readonly lists: readonly PeopleList[];
  /** Further options of the source. */
  readonly options: { readonly [option: string]: YamlValue };
  readonly notes: readonly string[];
}

const withAt = 'json';
const withLeavingOut = new Set(['json', 'ndjson']);

/**
 * Profiles the records of an input. If they have no e-mail and no phone except in a list of people, the elements of
 * this list are the records. A note says which columns that loses, or that people in a list are left out.
 */
export async function chooseRecords(
  found: InspectedInput,
  stated: InputSettings,
  signal: AbortSignal,
): Promise<ChosenRecords> {
  const read = await profileInput(found, signal);
  const { columns } = read.table;
  const lists = findPeopleLists(columns);
  const all = { found, read, lists, options: {}, notes: [] };
  if (lists.length === 0 || found.plan !== null) return all;
  const around = columns.filter(({ name }) => !lists.some((list) => isInList(name, list)));
  const { emails, phones } = findContactColumns(around);
  const isReached = emails.length + phones.length > 0;
  const people = lists.filter(({ kind }) => kind === 'contacts' || (!isReached && kind !== 'companies'));
  const [list] = people.toSorted(
    (one, other) => Number(other.kind === 'contacts') - Number(one.kind === 'contacts'),
  );
  if (list === undefined) return all;
  if (isReached) return { ...all, ...withoutLists(people, found, columns, stated) };
  if (found.format !== withAt || stated.table !== undefined) return { ...all, notes: [unreadableNote(list)] };
  const base = typeof found.options.at === 'string' ? `${found.options.at}.` : '';
  const inner = await openListOfInput(found, `${base}${list.path}`, signal);
  const own = around.filter(({ name, filled }) => filled > 0 && name !== list.path);
  const elements = await profileInput(inner, signal);
  return {
    found: inner,
    read: elements,
    list: list.path,
    lists: findPeopleLists(elements.table.columns),
    options: {},
    notes: [
      `The rows are the elements of the list "${toPrintableName(list.path)}" in each record.${lost(own)}`,
    ],
  };
}

function lost(around: readonly ColumnProfile[]): string {
  if (around.length === 0) return '';
  const names = formatNameList(around.map(({ name }) => toPrintableName(name)));
  return ` The other columns of the record are not read: ${names}.`;
}

/** Returns the option and the note that leave out lists of people in records that have an e-mail or a phone themselves. */
function withoutLists(
  lists: readonly PeopleList[],
  { format, options }: InspectedInput,
  columns: readonly ColumnProfile[],
  stated: InputSettings,
): Pick<ChosenRecords, 'options' | 'notes'> {
  const [first] = lists;
  if (stated.table !== undefined || first === undefined) return { options: {}, notes: [] };
  const names = formatNameList(lists.map(({ path }) => `"${toPrintableName(path)}"`));
  const isProperty = lists.every(({ path }) =>
    columns.some(({ name }) => name === path && !name.includes('.')),
  );
  const left = `Each record is a contact. The list ${names} in a record has people, too, who are not imported`;
  if (!withLeavingOut.has(format) || !isProperty) return { options: {}, notes: [`${left}.`] };
  const filled = columns.find(({ name }) => name === first.path)?.filled ?? 0;
  const base = typeof options.at === 'string' ? `${options.at}.` : '';
  const other =
    format === withAt
      ? `draft again with --table ${base}${first.path}`
      : `save the file as one JSON array and draft again with --table ${first.path}`;
  return {
    options: { without: lists.map(({ path }) => path) },
    notes: [
      `${left} (${formatRowCount(filled)} with such a list). To import them in place of the records, ${other}.`,
    ],
  };
}

function unreadableNote({ path }: PeopleList): string {
  return `Only the list "${toPrintableName(path)}" in each record has people with e-mails or phones, and a row is a whole record. To import them, save the file as one JSON array, or as a file with a row for each of them, and draft again.`;
}
