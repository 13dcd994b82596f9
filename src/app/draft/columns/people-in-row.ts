import { findValueLabel } from '../../../datatypes/index.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { findColumnType } from '../profile/column-type.ts';
import { attendingWords, type ColumnRole, nonContactWords, staffWords } from './header-names.ts';
import { type ColumnMeaning, findRoleOfWords, isPersonalWord, splitColumnName } from './header-words.ts';

/** One of several people that each row describes, such as `Tenant 2`, with the roles of that person's columns. */
export interface PersonInRow {
  /** Who it is, as the columns say; null for the person of columns such as `Name` and `Email`. */
  readonly label: string | null;
  readonly columns: ReadonlyMap<string, ColumnMeaning>;
}

const nameRoles: ReadonlySet<ColumnRole> = new Set<ColumnRole>(['firstName', 'lastName', 'fullName', 'name']);
const reachRoles: ReadonlySet<ColumnRole> = new Set<ColumnRole>(['email', 'phone', 'mobile']);
const half = 0.5;
const nearlyAll = 0.8;
const staff = 'user';

/**
 * Words of columns whose names, e-mails and phones are not those of a further person: who pays or receives is mostly the
 * contact, and the others are places, companies and their staff.
 */
const notFurther = new Set([
  ...staffWords,
  ...[...nonContactWords].filter((word) => !['spouse', 'partner', 'parent'].includes(word)),
  ...`billing shipping mailing delivery invoice bill ship address primary default alternate alternative secondary preferred
      company account business organization organisation employer store shop branch location office school bank hotel
      department team group event list product item course class vendor doctor physician dentist teacher coach trainer instructor tutor rechnung liefer lieferung rechnungs lieferadresse
      rechnungsadresse firma facturacion envio livraison facturation domain login`
    .split(/\s+/)
    .filter((word) => word !== ''),
]);

/**
 * Returns the people that each row describes, in the order of their columns: each has a name, and an e-mail or a phone,
 * in columns of their own. Empty where a row describes one person, as usual.
 */
export function findPeopleInRow(profiles: readonly ColumnProfile[]): readonly PersonInRow[] {
  const parts = profiles.flatMap((profile) => partOf(profile) ?? []);
  const names = parts.filter(({ role }) => nameRoles.has(role));
  const reaches = parts.filter(({ role, profile }) => reachRoles.has(role) && hasReach(profile));
  const wholes = profiles.filter(isBareName).map((profile) => ({ profile, who: wordsOf(profile).join(' ') }));
  const people = new Map<string, Map<ColumnProfile, ColumnMeaning>>();
  const add = (who: string, profile: ColumnProfile, role: ColumnRole, rank: number) =>
    people.set(who, (people.get(who) ?? new Map()).set(profile, { role, rank }));
  for (const { who, numbered, role, profile } of names) add(numbered ?? who, profile, role, 0);
  for (const { who, numbered, role, profile, rank } of reaches) {
    const counted = who === '' ? wholes.find((each) => isCountedPerson(each.who, numbered)) : undefined;
    const named =
      counted === undefined
        ? [numbered, who].find((each) => each !== undefined && people.has(each))
        : undefined;
    const bare = counted ?? wholes.find((each) => each.who === (numbered ?? who) || each.who === who);
    const begun = bare ?? wholes.find((each) => who !== '' && each.who.startsWith(`${who} `));
    if (named === undefined && begun !== undefined) add(begun.who, begun.profile, 'fullName', 0);
    add(named ?? begun?.who ?? numbered ?? who, profile, role, rank);
  }
  const places = new Map(profiles.map((profile, at) => [profile, at]));
  const complete = [...people]
    .filter(([who, columns]) => isPerson(who, [...columns]) && (who !== staff || isServed(people)))
    .map(([who, columns]) => ({
      label: who === '' ? null : labelOf(who, [...columns.keys()]),
      order: who === staff ? 2 : who === '' ? 0 : 1,
      columns: new Map([...columns].map(([{ name }, meaning]) => [name, meaning])),
      at: Math.min(...[...columns.keys()].map((profile) => places.get(profile) ?? 0)),
    }))
    .toSorted((one, other) => one.order - other.order || one.at - other.at);
  return complete.length > 1 ? complete.map(({ label, columns }) => ({ label, columns })) : [];
}

const countedWords = new Set(
  `contact person ansprechpartner ansprechperson kontakt kontaktperson contacto contatto guest gast attendee participant teilnehmer
   member mitglied tenant mieter resident parent elternteil guardian traveler traveller passenger player spieler`.split(
    /\s+/,
  ),
);

/** Returns true for `contact 2`, where the number of the e-mail or phone beside it is 2, and for `contact` where it has none. */
function isCountedPerson(who: string, number: string | undefined): boolean {
  const [word = '', ...rest] = who.split(' ');
  return countedWords.has(word) && rest.join(' ') === (number ?? '');
}

/** Returns true if the contact of a booking, a chat or a ticket has an e-mail: then the user is who answered. */
function isServed(people: ReadonlyMap<string, ReadonlyMap<ColumnProfile, ColumnMeaning>>): boolean {
  return [...people].some(
    ([who, columns]) =>
      (who === '' || who.split(' ').some((word) => attendingWords.has(word))) &&
      isPerson(who, [...columns]) &&
      [...columns.values()].some(({ role }) => role === 'email'),
  );
}

/** Returns the people with the one of this label first; throws a FatalError('usage') if there is none. */
export function withPersonFirst(people: readonly PersonInRow[], label: string): readonly PersonInRow[] {
  const chosen = people.find((each) => each.label?.toLowerCase() === label.toLowerCase());
  if (chosen !== undefined) return [chosen, ...people.filter((each) => each !== chosen)];
  const labels = people.flatMap((each) => (each.label === null ? [] : [each.label]));
  const next =
    labels.length === 0
      ? 'Leave --person out: no columns of several people were found.'
      : `Choose one of these: ${labels.join(', ')}.`;
  throw new FatalError('usage', `--person: no person "${label}" in the columns.`, { next });
}

interface NamePart {
  readonly profile: ColumnProfile;
  readonly role: ColumnRole;
  readonly rank: number;
  /** The words that say whose it is: `tenant 2`. */
  readonly who: string;
  /** The same with a number at the end of the column's name: `tenant 2` of `Tenant Email 2`. */
  readonly numbered: string | undefined;
}

function wordsOf({ name }: ColumnProfile): readonly string[] {
  return splitColumnName(name);
}

/** Returns what a column's name says a column has, and of whom; undefined if it does not say both, or of no further person. */
function partOf(profile: ColumnProfile): NamePart | undefined {
  // Elements of lists and fields of records are people's in other ways.
  if (profile.filled === 0 || /[.[\]:]/.test(profile.name)) return undefined;
  const all = wordsOf(profile);
  const number = /^\d+$/.test(all.at(-1) ?? '') ? Number(all.at(-1)) : undefined;
  const found = splitByRole(number === undefined ? all : all.slice(0, -1));
  if (found === undefined) return undefined;
  const others = found.rest.filter((word) => findValueLabel(word) === undefined);
  if (others.some((word) => notFurther.has(word)) || isOfOwner(others)) return undefined;
  const hasNumber = others.some((word) => /^\d+$/.test(word));
  const isNumbered = hasNumber || number !== undefined;
  // In a booking, a chat or a ticket, the user is who answers.
  const who = (isNumbered ? others : others.filter((word) => word === staff || !isPersonalWord(word))).join(
    ' ',
  );
  return {
    profile,
    role: found.role,
    rank: found.rest.length - others.length + (number ?? 0) / 10,
    who,
    numbered: number === undefined || hasNumber ? undefined : `${who} ${number}`.trim(),
  };
}

/** Returns the role that the last or the first words tell, as many as possible, with the other words. */
function splitByRole(
  words: readonly string[],
): { readonly role: ColumnRole; readonly rest: readonly string[] } | undefined {
  for (let length = words.length; length > 0; length -= 1) {
    for (const from of [words.length - length, 0]) {
      const role = findRoleOfWords(words.slice(from, from + length));
      if (role !== undefined && (nameRoles.has(role) || reachRoles.has(role)))
        return { role, rest: words.toSpliced(from, length) };
    }
  }
  return undefined;
}

function isOfOwner(words: readonly string[]): boolean {
  const role = findRoleOfWords(words);
  return role === 'owner' || role === 'company';
}

function hasReach(profile: ColumnProfile): boolean {
  return profile.share('emails') >= half || profile.share('phones') >= half;
}

/** Returns true for a column of full names, or of names, that is named only for who it is: `Mother`. */
function isBareName(profile: ColumnProfile): boolean {
  return (
    profile.filled > 0 &&
    profile.role === undefined &&
    findColumnType(profile).kind === 'text' &&
    profile.share('nameLike') >= half &&
    profile.share('severalWords') >= half
  );
}

function looksLikeFullNames(profile: ColumnProfile): boolean {
  return profile.share('nameLike') >= nearlyAll && profile.share('severalWords') >= nearlyAll;
}

/** Returns true for columns with a name and an e-mail or phone; `Name 2` may be the second line of a company's name. */
function isPerson(who: string, columns: readonly (readonly [ColumnProfile, ColumnMeaning])[]): boolean {
  const names = columns.filter(([, { role }]) => nameRoles.has(role));
  const isNamed = /^\d+$/.test(who)
    ? names.some(([profile, { role }]) => role === 'firstName' || looksLikeFullNames(profile))
    : names.length > 0;
  return isNamed && columns.some(([, { role }]) => reachRoles.has(role));
}

/** Returns the words that say who it is, as the names of the columns have them. */
function labelOf(who: string, columns: readonly ColumnProfile[]): string {
  const [first] = columns;
  if (first !== undefined && /^\d+$/.test(who)) return first.name;
  const written = columns.flatMap(({ name }) => name.split(/[^\p{L}\p{M}\p{N}]+/u));
  return who
    .split(' ')
    .map((word) => written.find((each) => splitColumnName(each).join(' ') === word) ?? word)
    .join(' ');
}
