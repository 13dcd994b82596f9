import { type CheckboxWords, checkboxWords } from './checkbox-words.ts';
import type { ColumnProfile, Readings } from './column-profile.ts';
import { type DateWriting, dateWriting } from './date-formats.ts';
import { type NumberWriting, numberWriting } from './number-signs.ts';

/** What the values of a column are; `others` is the share of its cells that are not. */
export type ColumnType = { readonly others: number } & (
  | { readonly kind: 'empty' | 'text' | 'email' | 'url' | 'phone' | 'time' }
  | { readonly kind: 'list'; readonly values: readonly string[] }
  | ({ readonly kind: 'checkbox' } & CheckboxWords)
  | ({ readonly kind: 'date' } & DateWriting)
  | ({ readonly kind: 'number' } & NumberWriting)
);

const few = 0.05;
const mostListed = 25;
const longestListed = 60;

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

function byWords({ distinct, filled }: ColumnProfile): ColumnType | undefined {
  const words = distinct === null ? null : checkboxWords(distinct);
  if (words === null || words.others > filled * few) return undefined;
  return { kind: 'checkbox', ...words, others: words.others / filled };
}

function byReadings(column: ColumnProfile): ColumnType | undefined {
  const { dates, numbers } = column;
  const date = isFew(dates) ? dateWriting(dates.seen) : null;
  if (date !== null) return { kind: 'date', ...date, others: shareOf(dates) };
  const number = isFew(numbers) ? numberWriting(numbers.seen) : null;
  return number === null ? undefined : { kind: 'number', ...number, others: shareOf(numbers) };
}

function isFew(readings: Readings): boolean {
  return shareOf(readings) <= few;
}

function shareOf({ seen, others }: Readings): number {
  const read = [...seen.values()].reduce((sum, count) => sum + count, 0);
  return read === 0 ? 1 : others / (read + others);
}

/** A list is few values that come again and again. */
function listOrText(column: ColumnProfile): ColumnType {
  const values = [...(column.distinct?.keys() ?? [])];
  const list =
    values.length > 0 &&
    values.length <= mostListed &&
    column.filled >= values.length * 2 &&
    column.longest <= longestListed &&
    column.share('email') === 0 &&
    column.share('phoneShaped') === 0 &&
    values.every((value) => !/^TODO(?:$|[:\s])/.test(value) && !/[\r\n]/.test(value));
  return list ? { kind: 'list', values, others: 0 } : { kind: 'text', others: 0 };
}
