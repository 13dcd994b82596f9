import { namedFor, wordsOf } from '../columns/header-words.ts';
import { type CheckboxWords, checkboxWords } from './checkbox-words.ts';
import type { ColumnProfile } from './column-profile.ts';
import { type DateWriting, dateWriting } from './date-formats.ts';
import { type NumberWriting, numberWriting } from './number-signs.ts';

/** What the values of a column are; `others` is the share of its cells that are not. */
export type ColumnType = { readonly others: number } & (
  | { readonly kind: 'empty' | 'text' | 'email' | 'url' | 'phone' | 'time' }
  | { readonly kind: 'list'; readonly values: readonly string[] }
  | ({ readonly kind: 'checkbox' } & CheckboxWords)
  | ({ readonly kind: 'date' } & DateWriting)
  | ({
      readonly kind: 'number';
      readonly currency: string;
      readonly rounds: readonly string[];
    } & NumberWriting)
);

const few = 0.05;
const mostListed = 25;
const longestListed = 60;
/** A single 1 or 0 may be a number as well. */
const fewestAlike = 3;

/** The type that all or nearly all values of a column have. */
export function typeOf(column: ColumnProfile): ColumnType {
  if (column.filled === 0) return { kind: 'empty', others: 0 };
  return bySigns(column) ?? byWords(column) ?? byReadings(column) ?? listOrText(column);
}

function bySigns(column: ColumnProfile): ColumnType | undefined {
  const kinds = [
    ['email', column.share('email')],
    ['url', column.share('url') > 0 ? column.share('urlLike') : 0],
    ['time', column.share('time')],
    ['phone', column.share('international')],
  ] as const;
  const found = kinds.find(([, share]) => share >= 1 - few);
  return found === undefined ? undefined : { kind: found[0], others: 1 - found[1] };
}

function byWords({ name, distinct, filled }: ColumnProfile): ColumnType | undefined {
  const words = distinct === null ? null : checkboxWords(distinct);
  if (words === null || words.others > filled * few) return undefined;
  const said = [...words.checked, ...words.unchecked];
  const oneDigit = said.length === 1 && /^\d$/.test(said[0] ?? '');
  if (oneDigit && filled < fewestAlike && namedFor(name)?.role !== 'optOut') return undefined;
  return { kind: 'checkbox', ...words, others: words.others / filled };
}

function byReadings(column: ColumnProfile): ColumnType | undefined {
  const epoch = epochOf(column);
  if (epoch !== undefined) return { kind: 'date', formats: [epoch], unread: 0, others: 0 };
  const date = dateWriting(column.dates.seen);
  const noDates = date === null ? 1 : (column.dates.others + date.unread) / column.looked;
  if (date !== null && noDates <= few) return { kind: 'date', ...date, others: noDates };
  if (isCode(column.name)) return undefined;
  const number = numberWriting(column.numbers.seen);
  const noNumbers = number === null ? 1 : (column.numbers.others + number.unread) / column.looked;
  // Amounts of several currencies are no numbers that could be compared.
  const [currency = '', ...more] = column.currencies;
  if (number === null || noNumbers > few || more.length > 0) return undefined;
  return { kind: 'number', ...number, currency, rounds: [...column.rounds], others: noNumbers };
}

/** Phones, faxes and postal codes are no amounts, even where all that were seen are digits. */
function isCode(name: string): boolean {
  const role = namedFor(name)?.role;
  if (role === 'phone' || role === 'mobile' || role === 'fax') return true;
  return (
    /^tel\.|^adr(?:\.|\.[^.]+\.)code$/i.test(name) || wordsOf(name).some((word) => postalWords.has(word))
  );
}

const postalWords = new Set(
  'zip zipcode postal postcode postalcode plz postleitzahl codepostal codigopostal cep'.split(' '),
);

/** Instants written as a number are no dates by their look alone: the column's name has to say so, too. */
function epochOf(column: ColumnProfile): 'epoch' | 'epochMillis' | undefined {
  if (!wordsOf(column.name).some((word) => instantWords.has(word))) return undefined;
  if (column.share('seconds') >= 1 - few) return 'epoch';
  return column.share('milliseconds') >= 1 - few ? 'epochMillis' : undefined;
}

const instantWords = new Set([
  'at',
  'date',
  'time',
  'timestamp',
  'on',
  'since',
  'created',
  'updated',
  'modified',
  'seen',
]);

/** There are always more places and streets than an export happens to have. */
const placeWords = new Set(
  'city town street address ort stadt wohnort strasse adresse ville rue commune ciudad poblacion localidad calle citta comune via cidade rua plaats woonplaats straat miasto ulica sehir ilce kota stad gade 城市 市 都市 住所 地址'.split(
    ' ',
  ),
);

/** A list is few values that come again and again. */
function listOrText(column: ColumnProfile): ColumnType {
  const values = [...(column.distinct?.keys() ?? [])];
  const list =
    !wordsOf(column.name).some((word) => placeWords.has(word)) &&
    values.length > 0 &&
    values.length <= mostListed &&
    column.filled >= values.length * 2 &&
    column.longest <= longestListed &&
    column.share('email') === 0 &&
    column.share('phoneShaped') === 0 &&
    values.every((value) => !/^TODO(?:$|[:\s])/.test(value) && !/[\r\n]/.test(value));
  return list ? { kind: 'list', values, others: 0 } : { kind: 'text', others: 0 };
}
