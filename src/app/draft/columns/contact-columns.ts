import { squeezeWord } from '../../../datatypes/index.ts';
import { isTodoPlaceholder } from '../../../model/todo.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
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
  findRoleOfWords,
  isOwnerColumn,
  isValueLabel,
  splitColumnName,
} from './header-words.ts';
import {
  best,
  type ColumnWithMeaning,
  inOrder,
  likelyFullName,
  type NameColumns,
  namesByHeader,
  namesByValue,
  namesOfSomeone,
  namesOfWho,
} from './name-columns.ts';
import { findPeopleInRow, type PersonInRow, withPersonFirst } from './people-in-row.ts';

export type { ColumnWithMeaning, NameColumns, NameOfAnother } from './name-columns.ts';

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
    const named = joined.has(profile.name) ? undefined : meaningFor(people, profile.name);
    return { profile, named: isNumberOfThing(named, profile) ? undefined : named };
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
  const names = called ?? namesByValue(open) ?? namesOfWho(open);
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

/** Returns true for a column called Name that numbers orders or invoices (`#1001`, `INV-17`). */
function isNumberOfThing(named: ColumnMeaning | undefined, profile: ColumnProfile): boolean {
  return (named?.role === 'name' || named?.role === 'fullName') && profile.share('numbered') >= half;
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

/** Returns true if a template can refer to the column. */
export function canUseColumnInTemplate(name: string): boolean {
  return !/[{}]/.test(name) && name.trim() === name && !/^mention\s*:/.test(name);
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

function emailsOf(columns: readonly ColumnWithMeaning[]): readonly ColumnWithMeaning[] {
  const called = columns.filter(({ named, profile }) =>
    named?.role === 'email'
      ? profile.share('emails') >= half
      : isValueLabel(profile.name) && profile.share('emails') >= 0.8,
  );
  const varied = called.filter(({ profile }) => !isOfOne(profile));
  if (varied.length > 0) return inOrder(withoutTyped(varied)).slice(0, mostOfOne);
  const alike = columns.filter(
    ({ named, profile }) => named?.role !== 'owner' && profile.share('emails') >= nearlyAll,
  );
  const own = alike.filter(({ profile }) => isOfOne(profile));
  const others = alike.filter(({ profile }) => !isOfOne(profile));
  const [payer] = own.length === 0 ? [] : others.filter(({ profile }) => isSender(profile));
  const [other] = inOrder(others.filter(({ profile }) => !isOfStaff(profile)));
  const contact = other ?? payer;
  if (contact !== undefined) return [contact];
  if (called.length > 0) return inOrder(withoutTyped(called)).slice(0, mostOfOne);
  return inOrder(own.filter(({ profile }) => !isOfStaff(profile))).slice(0, 1);
}

/** Returns true for `From Email Address`: beside one own address in every row, it is that of who pays or writes. */
function isSender({ name }: ColumnProfile): boolean {
  return splitColumnName(name)[0] === 'from';
}

const fewestOfOne = 3;

/** Returns true for a column with one value in many rows, such as the shop's own address in a list of payments. */
function isOfOne({ distinct, filled }: ColumnProfile): boolean {
  return distinct?.size === 1 && filled >= fewestOfOne;
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
