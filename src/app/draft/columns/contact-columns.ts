import { squeezeWord } from '../../../datatypes/index.ts';
import { isTodoPlaceholder } from '../../../model/todo.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { findColumnType } from '../profile/column-type.ts';
import {
  type ColumnRole,
  lifecycleStageWords,
  nonContactWords,
  staffWords,
  statusWords,
} from './header-names.ts';
import {
  type ColumnMeaning,
  findColumnMeaning,
  findFurtherWords,
  findNameOrder,
  findRoleOfWords,
  isEastAsianFullName,
  isOwnerColumn,
  isValueLabel,
  type NameOrder,
  splitColumnName,
} from './header-words.ts';
import { findPeopleInRow, type PersonInRow, withPersonFirst } from './people-in-row.ts';

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

/** The columns of a contact's fields. */
export interface ContactColumns {
  readonly key: ColumnWithMeaning | undefined;
  readonly emails: readonly ColumnWithMeaning[];
  readonly phones: readonly ColumnWithMeaning[];
  readonly names: NameColumns | undefined;
  /** True if the name columns were found by values alone. */
  readonly guessed: boolean;
  /**
   * A column whose values look like full names although its name does not say so; undefined if name columns were found.
   */
  readonly likelyFullName: ColumnWithMeaning | undefined;
  readonly language: ColumnWithMeaning | undefined;
  /** The first filled one of a row counts; all but the first column get a custom field, too. */
  readonly countries: readonly ColumnWithMeaning[];
  /** A column of dial codes without a plus (`91`), which belong to the phones of the rows. */
  readonly dialCode: ColumnWithMeaning | undefined;
  readonly photo: ColumnWithMeaning | undefined;
  readonly owner: ColumnWithMeaning | undefined;
  readonly tags: readonly ColumnWithMeaning[];
  readonly stage: ColumnWithMeaning | undefined;
  readonly notes: readonly ColumnWithMeaning[];
  /** The people that each row describes if there are several: the first one is the contact. */
  readonly people: readonly PersonInRow[];
}

const mostOfOne = 5;
const half = 0.5;
const nearlyAll = 0.8;

/**
 * Finds the columns of a contact's fields by their names and values. `joined` has the roles of columns of joined
 * tables; these take precedence over columns of the row itself. Of several people in a row, the contact is `person`, or
 * the first one. Throws a FatalError('usage') for a person whom the rows do not have.
 */
export function findContactColumns(
  profiles: readonly ColumnProfile[],
  joined: ReadonlyMap<string, ColumnRole | undefined> = new Map(),
  person?: string,
): ContactColumns {
  const found = findPeopleInRow(profiles.filter(({ name }) => !joined.has(name)));
  const people = person === undefined ? found : withPersonFirst(found, person);
  const columns = profiles.map((profile) => {
    const role = joined.get(profile.name);
    if (role !== undefined) return { profile, named: { role, rank: -1 } };
    return { profile, named: joined.has(profile.name) ? undefined : meaningFor(people, profile.name) };
  });
  const mappable = columns.filter(({ profile }) => profile.filled > 0 && isMappableColumnName(profile.name));
  const others = new Set(people.slice(1).flatMap((person) => [...person.columns.keys()]));
  const filled = mappable.filter(
    (column) => !isWholeList(column, mappable) && !others.has(column.profile.name),
  );
  const emails = emailsOf(filled);
  const phones = phonesOf(filled);
  const taken = new Set([...emails, ...phones]);
  const open = filled.filter((column) => !taken.has(column));
  const called = namesByHeader(open);
  const names = called ?? namesByValue(open);
  const one = (role: ColumnRole, fits: (profile: ColumnProfile) => boolean): ColumnWithMeaning | undefined =>
    best(open.filter((column) => column.named?.role === role && fits(column.profile)));
  return {
    key: one('key', (profile) => isKey(profile, profiles) && !isRowNumber(profile)),
    emails,
    phones,
    names,
    guessed: called === undefined && names !== undefined,
    likelyFullName: names === undefined ? (namesOfSomeone(open)[0] ?? likelyFullName(open)) : undefined,
    language: one('language', (profile) => profile.share('language') >= half),
    countries: inOrder(
      open.filter(({ named, profile }) => named?.role === 'country' && profile.share('country') >= half),
    ).slice(0, mostOfOne),
    dialCode: one(
      'country',
      (profile) => profile.share('country') < half && profile.share('dialCode') >= nearlyAll,
    ),
    photo: one('photo', (profile) => profile.share('link') >= half),
    owner: one('owner', namesOwners) ?? one('owner', () => true),
    tags: filled.filter(
      ({ named, profile }) =>
        named?.role === 'tags' && !/\[\d+\]/.test(profile.name) && profile.share('objects') === 0,
    ),
    stage:
      one('stage', hasFewValues) ?? open.find(({ profile }) => isStatus(profile) && hasFewValues(profile)),
    notes: open.filter(
      ({ named, profile }) =>
        (named?.role === 'notes' || (named === undefined && isLongText(profile))) &&
        profile.share('objects') === 0,
    ),
    people,
  };
}

/** Returns the meaning of a column's name; one of the first of several people says whose it is, too. */
function meaningFor([contact]: readonly PersonInRow[], column: string): ColumnMeaning | undefined {
  const own = contact?.label === null ? undefined : contact?.columns.get(column);
  return own ?? findColumnMeaning(column);
}

/** Returns true for the JSON text of an array of e-mails or phones whose elements are columns, too. */
function isWholeList({ named, profile }: ColumnWithMeaning, columns: readonly ColumnWithMeaning[]): boolean {
  const isReach = named?.role === 'email' || named?.role === 'phone' || named?.role === 'mobile';
  return isReach && columns.some((other) => other.profile.name.startsWith(`${profile.name}[0]`));
}

/** The maximum length, in characters, of a column's texts; no custom field is drafted for a column with longer ones. */
export const maxDraftedFieldTextLength = 1_000;

/**
 * Returns true if the longest text is too long for a custom field, and at least half of the texts have
 * several words: a long value of one word is an encoded file.
 */
function isLongText(profile: ColumnProfile): boolean {
  return profile.longest > maxDraftedFieldTextLength && profile.share('severalWords') >= half;
}

/**
 * Returns true if a mapping can refer to a column of this name: it is not empty, and does not read as a TODO
 * placeholder.
 */
export function isMappableColumnName(name: string): boolean {
  return name !== '' && !isTodoPlaceholder(name);
}

/**
 * Returns true if a column may be the key: no column has more filled cells, and at most 5 % of its checked values
 * repeat another one; a small sample may have up to two repeats if these are at most 20 %.
 */
function isKey({ filled, looked, repeated }: ColumnProfile, profiles: readonly ColumnProfile[]): boolean {
  const most = Math.max(0, ...profiles.map((profile) => profile.filled));
  return filled >= most && (repeated <= looked * 0.05 || (repeated <= 2 && repeated * 5 <= looked));
}

/**
 * Returns true for a column called only a number, such as `No`, that counts the rows: it would make the people of two files
 * with one place in them the same person.
 */
export function isRowNumber(profile: ColumnProfile): boolean {
  return profile.countsRows && rowNumberWords.has(splitColumnName(profile.name).join(''));
}

const rowNumberWords = new Set(
  `no nr num number nummer numero numer numara n nomor cislo lp lfdnr lfd pos position rank row rownumber rowno line sno srno slno
   sirano sira stt poradi sorszam номер noпп пп 号 番号 번호 编号 編號 序号 序號 순번 ลำดับ`
    .split(/\s+/)
    .map(squeezeWord),
);

function hasFewValues({ distinct, longest }: ColumnProfile): boolean {
  return distinct !== null && distinct.size <= 20 && longest <= 60;
}

/**
 * Returns true if at least half of the values are e-mail addresses, or names; such a column is preferred to one of
 * owner ids.
 */
function namesOwners(profile: ColumnProfile): boolean {
  return profile.share('email') >= half || profile.share('nameLike') >= half;
}

/**
 * Returns true for a column with an ambiguous name, such as Status, if most of its distinct values name lifecycle
 * stages.
 */
function isStatus({ name, distinct }: ColumnProfile): boolean {
  const values = [...(distinct?.keys() ?? [])];
  const stages = values.filter((value) =>
    splitColumnName(value).some((word) => lifecycleStageWords.has(word)),
  );
  return splitColumnName(name).some((word) => statusWords.has(word)) && stages.length * 2 > values.length;
}

function best(columns: readonly ColumnWithMeaning[]): ColumnWithMeaning | undefined {
  return inOrder(columns)[0];
}

function inOrder(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
  return [...columns].sort(
    (a, b) => (a.named?.rank ?? 5) - (b.named?.rank ?? 5) || b.profile.filled - a.profile.filled,
  );
}

function emailsOf(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
  const called = columns.filter(({ named, profile }) =>
    named?.role === 'email'
      ? profile.share('emails') >= half
      : isValueLabel(profile.name) && profile.share('emails') >= 0.8,
  );
  if (called.length > 0) return inOrder(withoutTyped(called)).slice(0, mostOfOne);
  const alike = columns.filter(
    ({ named, profile }) => named?.role !== 'owner' && !isOfStaff(profile) && profile.share('emails') >= 0.8,
  );
  return inOrder(alike).slice(0, 1);
}

/**
 * Returns true for a column about staff of the old system, such as `Agent Email`, with the same values in many rows: all
 * whom one of them has served would become one contact.
 */
function isOfStaff({ name, repeated, looked }: ColumnProfile): boolean {
  if (isOwnerColumn(name)) return true;
  return repeated * 10 > looked && splitColumnName(name).some((word) => staffWords.has(word));
}

function phonesOf(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
  const called = columns.filter(({ named, profile }) =>
    isPhoneRole(named?.role)
      ? looksLikePhones(profile)
      : isValueLabel(profile.name) && profile.share('phones') >= 0.8,
  );
  if (called.length > 0) {
    const own = withoutReceiver(called, columns);
    const mobile = own.filter(({ named }) => named?.role === 'mobile');
    const others = own.filter(({ named }) => named?.role !== 'mobile');
    return [...inOrder(mobile), ...inOrder(withoutTyped(others))].slice(0, mostOfOne);
  }
  const alike = columns.filter(
    ({ named, profile }) =>
      named?.role !== 'fax' && !isOfStaff(profile) && profile.share('international') >= 0.7,
  );
  const asked = columns.filter(({ named, profile }) => named === undefined && asksForPhone(profile));
  return inOrder(alike.length > 0 ? alike : asked).slice(0, 1);
}

/**
 * Returns the phones without those of who receives a delivery, if there are others and the receiver has a name: a present
 * goes to another person.
 */
function withoutReceiver(
  phones: readonly ColumnWithMeaning[],
  columns: readonly ColumnWithMeaning[],
): readonly ColumnWithMeaning[] {
  const isOfReceiver = ({ profile }: ColumnWithMeaning) =>
    splitColumnName(profile.name).some((word) => receiverWords.has(word));
  const others = phones.filter((column) => !isOfReceiver(column));
  const isNamed = columns.some(
    (column) => isOfReceiver(column) && splitColumnName(column.profile.name).some(isWordOfName),
  );
  return isNamed && others.length > 0 ? others : phones;
}

const receiverWords = new Set(
  'shipping ship delivery recipient receiver consignee envio livraison lieferung liefer lieferadresse'.split(
    ' ',
  ),
);

function isWordOfName(word: string): boolean {
  const role = findRoleOfWords([word]);
  return role === 'name' || role === 'firstName' || role === 'lastName' || role === 'fullName';
}

/** Returns true for the question of a form, such as `What is your phone number?`, that is answered with phones. */
function asksForPhone(profile: ColumnProfile): boolean {
  const words = splitColumnName(profile.name);
  return (
    profile.share('phones') >= nearlyAll &&
    words.some((word) => isPhoneRole(findRoleOfWords([word]))) &&
    !words.some((word) => nonContactWords.has(word) || findRoleOfWords([word]) === 'fax')
  );
}

function isPhoneRole(role: ColumnRole | undefined): boolean {
  return role === 'phone' || role === 'mobile';
}

/**
 * Returns true for a column that is named for phones if at least half of its cells have one, in whatever form: what
 * cannot be read is reported by the import, while a text field would keep silent about it.
 */
function looksLikePhones(profile: ColumnProfile): boolean {
  if (profile.share('phones') >= half) return true;
  const others = ['date', 'link', 'objects'] as const;
  return profile.share('longNumber') >= half && others.every((test) => profile.share(test) < half);
}

/**
 * Returns the columns without those like `EMAIL.work` if there is also `EMAIL`: address books export a value a second
 * time under its type.
 */
function withoutTyped(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
  const names = new Set(columns.map(({ profile }) => profile.name));
  return columns.filter(({ profile: { name } }) => {
    const [base = '', type] = name.split('.');
    return type === undefined || !names.has(base) || /^\d+$/.test(type);
  });
}

function namesByHeader(columns: readonly ColumnWithMeaning[]): NameColumns | undefined {
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

function namesOfSomeone(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
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

function likelyFullName(columns: readonly ColumnWithMeaning[]): ColumnWithMeaning | undefined {
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
function namesByValue(columns: readonly ColumnWithMeaning[]): NameColumns | undefined {
  const alike = columns.filter(looksLikeNames);
  const full = alike.find(({ profile }) => profile.share('severalWords') >= 0.7);
  if (full !== undefined && isNumbered(full.profile.name)) return fullName(full);
  const [first, last] = alikeNames(columns).filter(({ profile }) => isNumbered(profile.name));
  return first === undefined ? undefined : { kind: 'parts', first, last };
}

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
