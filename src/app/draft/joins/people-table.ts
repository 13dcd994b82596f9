import type { SampledTable } from './sampled-table.ts';
import { isSameNoun } from './table-words.ts';

const people =
  'contact person customer client lead subscriber member prospect guest patient student kunde kontakt cliente contacto contatto persona pessoa personne'.split(
    ' ',
  );
const staff =
  'user employee owner agent staff admin operator mitarbeiter benutzer betreuer usuario empleado utilisateur employe utente utilizador funcionario'.split(
    ' ',
  );
const firms =
  'account company organization organisation vendor supplier firm firma business unternehmen empresa entreprise societe azienda'.split(
    ' ',
  );

/** Tables of the old system about itself, whose rows say nothing of a person. */
const technical =
  'session login signin token log audit permission role setting preference device credential password migration job cache notification'.split(
    ' ',
  );

const isOneOf = (nouns: readonly string[], word = ''): boolean =>
  nouns.some((noun) => isSameNoun(noun, word));

/** Returns true if a table's name tells that it holds the old system's own users. */
export function isStaffTable({ words }: Pick<SampledTable, 'words'>): boolean {
  return isOneOf(staff, words.at(-1));
}

/** Returns true if a table's name tells that it holds what the old system notes of itself, such as logins. */
export function isTechnicalTable({ words }: Pick<SampledTable, 'words'>): boolean {
  return isOneOf(technical, words.at(-1));
}

/** Returns true if a table's name tells that it holds companies. */
export function isCompanyTable({ words }: Pick<SampledTable, 'words'>): boolean {
  return isOneOf(firms, words.at(-1));
}

/** Returns true for a table of people with names and a way to reach them, other than the users of the old system. */
export function holdsPeople(table: SampledTable): boolean {
  const { names, emails, phones } = table.contact;
  const isReached = emails.length + phones.length > 0;
  return names !== undefined && isReached && !isStaffTable(table) && !isCompanyTable(table);
}

/**
 * Returns the table whose rows are most likely people, by its columns, values and name; undefined where there is none.
 */
export function findPeopleTable(tables: readonly SampledTable[]): SampledTable | undefined {
  const rated = tables
    .map((table) => ({ table, score: scorePeopleTable(table) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.table.items - a.table.items);
  return rated[0]?.table;
}

/**
 * Returns a score of how much a table looks like people, by its columns, values and name; 0 for a table without people.
 */
export function scorePeopleTable(table: SampledTable): number {
  const { names, emails, phones, key } = table.contact;
  const person =
    (names === undefined ? 0 : names.kind === 'full' ? 2 : names.last === undefined ? 1 : 3) +
    (emails.length > 0 ? 3 : 0) +
    (phones.length > 0 ? 1 : 0);
  if (person === 0 || table.items === 0) return 0;
  return person + (key === undefined ? 0 : 1) + byName(table);
}

function byName(table: SampledTable): number {
  const [only, ...more] = table.words;
  if (only !== undefined && more.length === 0 && isOneOf(people, only))
    return only === 'lead' || only === 'prospect' ? 3 : 4;
  if (isStaffTable(table) || isCompanyTable(table)) return -2;
  return table.words.some((word) => isOneOf(people, word)) ? 1 : 0;
}
