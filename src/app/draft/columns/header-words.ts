import { findValueLabel, squeezeWord as squeezed } from '../../../datatypes/index.ts';
import {
  attendingWords,
  type ColumnRole,
  columnNoiseWords,
  eastAsianFullNames,
  familyFirstNames,
  headerNamesByRole,
  nonContactWords,
} from './header-names.ts';

/**
 * Words for people that name a key if a word for a number is added (`Kundennummer`), in the languages of common
 * exports.
 */
const people = `contact person customer cust client lead user member subscriber patient student donor guest record kd kunden
   kunde kontakt mitglieds? teilnehmer interessenten abonnenten spender debitor(?:en)? datensatz satz adress adresse contacto
   cliente clientes socio usuario persona registro contatto clienti membre adherent abonne dossier klant klanten relatie
   debiteur lid klient klienta klienten kund kunder medlem asiakas jasen zakaznika? musteri uye pelanggan anggota клиента
   контакта контрагента 客户 客戶 顧客 会員 會員 고객 회원`;

/** Words for a number or a code. */
const numbers = `id ids? no nr num number nummer numero numer numara numarasi n code cod codigo codice kod kodu kode key
   schluessel schlussel ref reference referenz referencia kennung kennziffer numeris cislo nomor номер код 编号 編號 号 番号
   コード id番号 번호`;

/**
 * Articles and prepositions between a word for people and a word for a number, in either order: `numero del cliente`.
 */
const joints = '(?:s|d|de|del|della|di|do|du|l|le|la|van)?';

const oneOf = (words: string): string => `(?:${words.trim().split(/\s+/).join('|')})`;
const named = new RegExp(
  `^(?:${oneOf(people)}${joints}${oneOf(numbers)}|${oneOf(numbers)}${joints}(?:l|la|el)?${oneOf(people)})$`,
  'u',
);
const bare = new RegExp(`^(?:${oneOf(numbers)})$`, 'u');

/** Words that do not name a key on their own: the KEY of an address book is a public key. */
const vague = new Set(['n', 'key']);

/**
 * Ranks how well a column's name (in lower case, without punctuation) names a key: 0 for words such as `customer
 * number`, 1 for a bare `number` or `id`; undefined for any other name.
 */
function keyRank(name: string): number | undefined {
  if (named.test(name)) return 0;
  return bare.test(name) && !vague.has(name) ? 1 : undefined;
}

const roleOf = table();

function table(): ReadonlyMap<string, ColumnRole> {
  const roleNames = Object.keys(headerNamesByRole).filter((role): role is ColumnRole =>
    Object.hasOwn(headerNamesByRole, role),
  );
  const found = new Map<string, ColumnRole>();
  for (const role of roleNames) {
    for (const name of headerNamesByRole[role].split(/\s+/)) {
      const key = squeezed(name);
      if (key !== '' && !found.has(key)) found.set(key, role);
    }
  }
  return found;
}

/** The meaning of a column's name. */
export interface ColumnMeaning {
  readonly role: ColumnRole;
  /** Lower is preferred: 0 for a plain name, more for work, home, other and numbered ones. */
  readonly rank: number;
}

/** The column with the key under which a JSON document has a record. */
const keyOfJsonRecord = '$key';

/** Returns the role that a column's name indicates, with its rank; undefined for an unknown name. */
export function findColumnMeaning(column: string): ColumnMeaning | undefined {
  if (column === keyOfJsonRecord) return { role: 'key', rank: 0 };
  const written = splitColumnName(column);
  const all = written.join('');
  const whole = roleOf.get(all) ?? roleOfPlural(all);
  if (whole !== undefined)
    return { role: whole, rank: whole === 'mobile' ? 0 : rankOf(column, written) + ofMessenger(all) };
  const key = keyRank(all);
  if (key !== undefined) return { role: 'key', rank: key };
  if (nameOrderOfParts(all) !== undefined) return { role: 'fullName', rank: 0 };
  if (written.some((word) => nonContactWords.has(word))) return undefined;
  const words = written.flatMap(splitRunTogether);
  const telling = words.filter((word) => !isNoise(word) && !/^\d+$/.test(word));
  return byTelling(telling, column, words) ?? byLastPart(column) ?? byQuestion(written);
}

const your = new Set('your dein deine ihr ihre votre ton tu su seu sua tuo jouw uw twoje'.split(' '));

/** Returns the meaning of the question of a form for a name, such as `What's your first name?`. */
function byQuestion(words: readonly string[]): ColumnMeaning | undefined {
  const at = words.findIndex((word) => your.has(word));
  const role = at < 0 ? undefined : roleOf.get(words.slice(at + 1).join(''));
  if (role === 'name') return { role: 'fullName', rank: 1 };
  return role === 'firstName' || role === 'lastName' || role === 'fullName' ? { role, rank: 1 } : undefined;
}

/** Returns true for a column or a field that is named for the birth of the row's person, and not for that of a child. */
export function isNamedForBirthDate(name: string): boolean {
  const meaning = findColumnMeaning(name);
  return meaning?.role === 'birthDate' && meaning.rank === 0;
}

/** Returns the role of words that name a column together, such as `first` and `name`. */
export function findRoleOfWords(words: readonly string[]): ColumnRole | undefined {
  return roleOf.get(words.join(''));
}

/** Returns true for a word such as `customer`, which says only that a column is about the contact. */
export function isPersonalWord(word: string): boolean {
  return personal.has(word);
}

/** The number in a messenger comes after the phone, where there are both. */
function ofMessenger(name: string): number {
  return name.length > 'whatsapp'.length && name.startsWith('whatsapp') ? 0.5 : 0;
}

/** Returns the role of a name in the plural, such as `First names`, `Surname(s)` or `Vornamen`. */
function roleOfPlural(name: string): ColumnRole | undefined {
  const role = roleOf.get(name.replace(/(?:s|(?<=name)n)$/, ''));
  return role === 'firstName' || role === 'lastName' || role === 'fullName' ? role : undefined;
}

function isNoise(word: string): boolean {
  return columnNoiseWords.has(word) || attendingWords.has(word) || findValueLabel(word) !== undefined;
}

/**
 * Returns the words of a column's name that say whose value it is or which of several, such as `billing` of
 * `billing_first_name`, with the path before its last part.
 */
export function findFurtherWords(column: string): readonly string[] {
  const [last = '', ...path] = column.split('.').toReversed();
  const words = splitColumnName(last).flatMap(splitRunTogether);
  return [...path, ...words.filter((word) => isNoise(word) || /^\d+$/.test(word))];
}

/** Returns true for a column's name that tells only which of several values it has, such as `Work` or `Home 2`. */
export function isValueLabel(column: string): boolean {
  const words = splitColumnName(column).filter((word) => !/^\d+$/.test(word));
  return words.length > 0 && words.every((word) => findValueLabel(word) !== undefined);
}

/** Roles of names in which a word without blanks may have further words, such as `MAILINGCOUNTRY`. */
const runTogether: ReadonlySet<ColumnRole | undefined> = new Set<ColumnRole>([
  ...([
    'email',
    'phone',
    'mobile',
    'fax',
    'country',
    'language',
    'firstName',
    'lastName',
    'fullName',
  ] as const),
]);

const shortestRunTogether = 4;

/**
 * Returns the words of a name that is written without blanks and in one case (`OTHERHOMEPHONE`, `Privattelefon`): words
 * to ignore around a known name. A name that is known as it is, or not made of such words, is returned as one word.
 */
function splitRunTogether(word: string): readonly string[] {
  if (roleOf.has(word) || isNoise(word)) return [word];
  for (let at = shortestRunTogether; at <= word.length - shortestRunTogether + 1; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (isNoise(before)) {
      const rest = splitRunTogether(after);
      // A user name is a login.
      const isName = after === 'name' && personal.has(before) && before !== 'user';
      if (isName || runTogether.has(roleOf.get(rest.at(-1) ?? '')) || rest.length > 1)
        return [before, ...rest];
    }
    // LASTCONTACT is a date.
    if (isNoise(after) && runTogether.has(roleOf.get(before)) && !bareParts.has(before))
      return [before, after];
  }
  return [word];
}

/** Words that name a part of a name only if no word to ignore follows: the `Last Contact` is a date. */
const bareParts = new Set(['first', 'last', 'given', 'family']);

/** The order of the names in a column of full names. */
export type NameOrder = 'given first' | 'family first';

const jointsOfNames = ['', ...'and und et en ve va и та і e y i a και og och ja si es'.split(' ')];
const patronymic = /(?:отчество|побатькові)$/u;

/** Returns the order of a name that is made of those for both parts of a name, such as `Nom Prénom`. */
function nameOrderOfParts(squeezedName: string): NameOrder | undefined {
  const name = squeezedName.replace(patronymic, '');
  for (let at = 1; at < name.length; at += 1) {
    const left = roleOf.get(name.slice(0, at));
    if (left !== 'firstName' && left !== 'lastName' && left !== 'name') continue;
    const rest = name.slice(at);
    for (const joint of jointsOfNames) {
      const order = rest.startsWith(joint) ? orderOf(left, rest.slice(joint.length)) : undefined;
      if (order !== undefined) return order;
    }
  }
  return undefined;
}

function orderOf(left: 'firstName' | 'lastName' | 'name', rest: string): NameOrder | undefined {
  const right = roleOf.get(rest);
  // "Name (First)" is the first name, and not both names.
  if (left === 'name' && bareParts.has(rest)) return undefined;
  if (right === 'lastName' && left !== 'lastName') return 'given first';
  if (right === 'firstName' && left !== 'firstName') return 'family first';
  if (right !== 'name' || left === 'name') return undefined;
  return left === 'lastName' ? 'family first' : 'given first';
}

/** Returns the order of the names in a column of full names that its own name tells; undefined if it tells none. */
export function findNameOrder(column: string): NameOrder | undefined {
  const name = splitColumnName(column).join('');
  return familyFirstNames.has(name) ? 'family first' : nameOrderOfParts(name);
}

/** Returns true for a column of full names whose name is in Chinese, Japanese or Korean. */
export function isEastAsianFullName(column: string): boolean {
  return eastAsianFullNames.has(splitColumnName(column).join('').normalize('NFKD'));
}

function byTelling(
  telling: readonly string[],
  column: string,
  words: readonly string[],
): ColumnMeaning | undefined {
  const own = roleOf.get(telling.join(''));
  if (bareParts.has(telling.join('')) && bareParts.has(words[0] ?? '')) return undefined;
  // "Address 1 - Label" says which address it is, and nothing about the contact.
  if (own === 'tags' && words.some((word) => ofAddress.has(word))) return undefined;
  // An id or name column with "Home" or "Work" is not about the contact's own id or name, so these words are not
  // ignored there.
  if (own !== undefined && !['key', 'name'].includes(own)) return { role: own, rank: rankOf(column, words) };
  if (
    own === 'name' &&
    words.every((word) => telling.includes(word) || personal.has(word) || attendingWords.has(word))
  ) {
    return { role: 'fullName', rank: 1 };
  }
  const mobile = telling.filter((word) => roleOf.get(word) === 'mobile');
  const rest = telling.filter((word) => roleOf.get(word) !== 'mobile');
  if (mobile.length > 0 && roleOf.get(rest.join('')) === 'phone')
    return { role: 'mobile', rank: rankOf(column, words) };
  return undefined;
}

const ofAddress = new Set(['address', 'mailing', 'billing', 'shipping']);

const personal = new Set(['contact', 'customer', 'person', 'client', 'lead', 'user', 'subscriber', 'member']);

/**
 * Returns the meaning of the last part of a path such as `merge_fields.FNAME`. Undefined if an earlier part is a
 * company or an owner, or if the last part is an id, a bare `name` or unknown.
 */
function byLastPart(column: string): ColumnMeaning | undefined {
  const parts = column.split('.');
  const last = parts.at(-1) ?? '';
  if (parts.length < 2 || last === '' || parts.slice(0, -1).some((part) => isOther(part))) return undefined;
  const found = roleOf.get(splitColumnName(last).join(''));
  return found === undefined || found === 'key' || found === 'name' ? undefined : { role: found, rank: 2 };
}

function isOther(part: string): boolean {
  const role = roleOf.get(splitColumnName(part).join(''));
  return role === 'company' || role === 'owner';
}

/** Returns true for a column about the contact's owner, such as `OWNER:User-username`. */
export function isOwnerColumn(column: string): boolean {
  return splitColumnName(column).some((word) => roleOf.get(word) === 'owner');
}

const ranks = { main: 0, line: 0, work: 1, home: 2, other: 3 };

function rankOf(column: string, words: readonly string[]): number {
  const spoken = Math.max(0, ...words.map((word) => ranks[findValueLabel(word) ?? 'main']));
  const number = Number(/(\d+)/.exec(column)?.[1] ?? 0);
  return spoken + Math.min(number, 9) / 10;
}

/**
 * Returns the words of a column's name, in lower case and without accents, for any notation: `MobilePhone`,
 * `phone_mobile`, `E-Mail 2 - Value`.
 */
export function splitColumnName(column: string): readonly string[] {
  return column
    .replace(/__c\b/gi, '')
    .replace(/№|#|\bn[°º]/gi, ' no ')
    .replace(/\[(\d+)\]/g, ' $1 ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}\p{N}]+|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/u)
    .map(squeezed)
    .filter((word) => word !== '');
}
