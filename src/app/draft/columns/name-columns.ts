import type { ColumnProfile } from '../profile/column-profile.ts';
import { findColumnType } from '../profile/column-type.ts';
import { attendingWords, type ColumnRole } from './header-names.ts';
import {
  type ColumnMeaning,
  findFurtherWords,
  findNameOrder,
  isEastAsianFullName,
  type NameOrder,
  splitColumnName,
} from './header-words.ts';

/** The profile of a column, with the role that its name or its joined table gives it. */
export interface ColumnWithMeaning {
  readonly profile: ColumnProfile;
  readonly named: ColumnMeaning | undefined;
}

/** The name columns: separate ones for first and last names, or one of full names. */
export type NameColumns =
  | {
      readonly kind: 'parts';
      readonly first: ColumnWithMeaning | undefined;
      readonly last: ColumnWithMeaning | undefined;
      /** The column with prefixes of the last names. */
      readonly prefix?: ColumnWithMeaning | undefined;
      /** Columns that may have the name of a row in which `first` and `last` are empty, the most likely first. */
      readonly otherwise?: readonly NameOfAnother[];
      /** Where `first` is missing, a column whose values look like names although its name does not say so. */
      readonly likelyFirst?: ColumnWithMeaning | undefined;
    }
  | {
      readonly kind: 'full';
      readonly column: ColumnWithMeaning;
      /**
       * How the names are written: with commas or in East Asian script (at least half of them), or in the order that the
       * column's name or the patronymics tell; undefined if nothing tells.
       */
      readonly order: 'commas' | 'by script' | NameOrder | undefined;
    };

/** Further columns of names: those of who pays or receives (`billing_first_name`), or one of full names without `last`. */
export interface NameOfAnother {
  readonly first: ColumnWithMeaning;
  readonly last?: ColumnWithMeaning;
}

const half = 0.5;

/** Returns the column whose name is the plainest; undefined for none. */
export function best(columns: readonly ColumnWithMeaning[]): ColumnWithMeaning | undefined {
  return inOrder(columns)[0];
}

/** Returns the columns with the plainest names first. */
export function inOrder(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
  return [...columns].sort(
    (a, b) => (a.named?.rank ?? 5) - (b.named?.rank ?? 5) || b.profile.filled - a.profile.filled,
  );
}

/** Returns the columns of names that their own names tell; undefined if none do. */
export function namesByHeader(columns: readonly ColumnWithMeaning[]): NameColumns | undefined {
  const of = (role: ColumnRole): ColumnWithMeaning | undefined =>
    best(columns.filter(({ named }) => named?.role === role));
  const [pair, ...others] = namePairs(columns);
  const first = pair?.first ?? of('firstName');
  const last = pair?.last ?? of('lastName');
  const either = of('name');
  if (first !== undefined && last !== undefined) {
    const prefix = of('namePrefix');
    // A name with braces cannot be written into a text.
    const canBeWritten = [prefix, last].every((column) => !/[{}]/.test(column?.profile.name ?? ''));
    const full = inOrder(columns.filter(isOwnFullName)).map((column) => ({ first: column }));
    return {
      kind: 'parts',
      first,
      last,
      ...(canBeWritten && { prefix }),
      otherwise: [...others, ...full],
    };
  }
  // "Nombre" beside "Apellidos" is the first name, "Nom" beside "Prénom" the last one.
  if (last !== undefined && either !== undefined) return { kind: 'parts', first: either, last };
  if (first !== undefined && either !== undefined && either.profile.share('severalWords') < half)
    return { kind: 'parts', first, last: either };
  const full = best(
    columns.filter((column) => column.named?.role === 'fullName' && !isNameOfSomeone(column)),
  );
  const person = full ?? either;
  if (person !== undefined) return fullName(person);
  if (first === undefined && last === undefined) {
    const [someone, ...others] = namesOfSomeone(columns);
    return someone === undefined || others.length > 0 ? undefined : fullName(someone);
  }
  if (first !== undefined && first.profile.share('severalWords') >= 0.8) return fullName(first);
  return {
    kind: 'parts',
    first,
    last,
    likelyFirst: first === undefined ? alikeNames(columns)[0] : undefined,
  };
}

/**
 * Returns the columns of first and last names that belong together, because the rest of their names is the same; those
 * with the fewest further words come first. The first name of one person and the last name of another, such as who
 * pays, must not become one name.
 */
function namePairs(columns: readonly ColumnWithMeaning[]): readonly Required<NameOfAnother>[] {
  const of = (role: ColumnRole) => inOrder(columns.filter(({ named }) => named?.role === role));
  const lasts = of('lastName');
  const furtherOf = ({ profile }: ColumnWithMeaning) => findFurtherWords(profile.name);
  return of('firstName')
    .flatMap((first) => {
      const last = lasts.find((each) => furtherOf(each).join(' ') === furtherOf(first).join(' '));
      return last === undefined ? [] : [{ first, last }];
    })
    .toSorted((one, other) => furtherOf(one.first).length - furtherOf(other.first).length);
}

function isOwnFullName(column: ColumnWithMeaning): boolean {
  const role = column.named?.role;
  return role === 'name' || (role === 'fullName' && !isNameOfSomeone(column));
}

/**
 * Returns true for names such as `lead_name` or `Customer Name`, which may be those of a company: a column of the plain
 * `name` is preferred to it.
 */
function isNameOfSomeone({ named }: ColumnWithMeaning): boolean {
  return named?.role === 'fullName' && named.rank >= 1;
}

export function namesOfSomeone(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
  return inOrder(columns.filter(isNameOfSomeone));
}

/** Returns the column as one of full names, or of first names if fewer than 20 % of its values have several words. */
function fullName(column: ColumnWithMeaning): NameColumns {
  const { profile } = column;
  if (profile.share('commaName') >= half) return { kind: 'full', column, order: 'commas' };
  return profile.share('severalWords') >= 0.2
    ? { kind: 'full', column, order: orderOf(profile) }
    : { kind: 'parts', first: column, last: undefined };
}

function orderOf(profile: ColumnProfile): 'by script' | NameOrder | undefined {
  if (profile.share('eastAsian') >= half) return 'by script';
  // Names in Latin script in such a column are romanised.
  if (isEastAsianFullName(profile.name) || profile.share('patronymicLast') >= half) return 'family first';
  return findNameOrder(profile.name);
}

export function likelyFullName(columns: readonly ColumnWithMeaning[]): ColumnWithMeaning | undefined {
  const texts = columns.filter(
    ({ named, profile }) => named === undefined && findColumnType(profile).kind === 'text' && varies(profile),
  );
  return (
    texts.find(({ profile }) => profile.share('commaName') >= half) ??
    texts.find(({ profile }) => looksLikeFullNames(profile))
  );
}

function looksLikeFullNames(profile: ColumnProfile): boolean {
  return profile.share('nameLike') >= 0.8 && profile.share('severalWords') >= 0.7;
}

/**
 * Returns the name columns among the numbered columns (`isNumbered`): those whose values look like names and vary.
 * Undefined if there are none.
 */
export function namesByValue(columns: readonly ColumnWithMeaning[]): NameColumns | undefined {
  const alike = columns.filter(looksLikeNames);
  const full = alike.find(({ profile }) => profile.share('severalWords') >= 0.7);
  if (full !== undefined && isNumbered(full.profile.name)) return fullName(full);
  const [first, last] = alikeNames(columns).filter(({ profile }) => isNumbered(profile.name));
  return first === undefined ? undefined : { kind: 'parts', first, last };
}

/**
 * Returns the only column of full names whose own name says whose they are and nothing else, such as `Requester`, or that
 * they are of who pays.
 */
export function namesOfWho(columns: readonly ColumnWithMeaning[]): NameColumns | undefined {
  const [one, ...others] = columns.filter(({ named, profile }) => {
    const words = splitColumnName(profile.name).filter((word) => word !== 'name');
    const isOfWho = words.length > 0 && words.every((word) => whoWords.has(word) || attendingWords.has(word));
    const areNames = looksLikeFullNames(profile) || profile.share('commaName') >= half;
    return named === undefined && isOfWho && areNames;
  });
  return one === undefined || others.length > 0 ? undefined : fullName(one);
}

const whoWords = new Set(
  'billing payer buyer purchaser donor guest caller patient student passenger client customer contact person'.split(
    ' ',
  ),
);

/** Returns the columns without a known name whose values look like first or last names and vary. */
function alikeNames(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
  return columns.filter((column) => looksLikeNames(column) && column.profile.share('severalWords') < 0.3);
}

function looksLikeNames({ named, profile }: ColumnWithMeaning): boolean {
  const isText = named === undefined && findColumnType(profile).kind === 'text';
  return isText && profile.share('nameLike') >= 0.8 && varies(profile);
}

/** Returns true for a column name that is a number, alone or after a word such as `column`. */
function isNumbered(name: string): boolean {
  return /^(?:column|col|field|f|c)?[ _]?\d+$/i.test(name);
}

function varies({ distinct, filled }: ColumnProfile): boolean {
  return distinct === null || distinct.size * 2 >= filled;
}
