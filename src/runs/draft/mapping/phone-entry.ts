import type { ContactColumns, ReadColumn } from '../columns/contact-columns.ts';
import { phoneCountries } from '../profile/phone-countries.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { type Entry, type Plain, percent, todo } from '../yaml/entry.ts';
import { fillWords, fromOf } from './column-words.ts';

const nearlyAll = 0.99;
const mostAlike = 0.5;

/** The rule of the phone: a number without its country code needs a country, which only a person may know. */
export function phoneEntry(
  { phones, emails, country }: ContactColumns,
  table: TableProfile,
  stated: string | undefined,
): Entry[] {
  if (phones.length === 0) return [];
  const value: { [key: string]: Plain } = { from: fromOf(phones) };
  const needed = countryRule(phones, country, table, stated);
  if (needed !== undefined) value.country = needed;
  // With an e-mail a person is known without the phone: a wrong number costs the number, not the row.
  if (emails.length > 0) value.onInvalid = 'drop';
  const comment = `${fillWords(phones, table)}; ${nationalWords(phones)}${emails.length > 0 ? '' : aloneWords(phones, table)}`;
  return [{ key: 'phone', value: { plain: value }, comment }];
}

function countryRule(
  phones: readonly ReadColumn[],
  country: ReadColumn | undefined,
  { rows }: TableProfile,
  stated: string | undefined,
): Plain | undefined {
  if (national(phones) === 0) return undefined;
  if (country === undefined) {
    if (stated !== undefined) return stated;
    return todo(`which country are numbers without a country code from? ${choices(phones)}`);
  }
  const { name, filled } = country.profile;
  if (stated !== undefined) return { from: name, default: stated };
  if (filled >= rows * nearlyAll) return { from: name };
  const question = todo(
    'which country are numbers from if the row has no country? Give its code, for example US, GB or DE',
  );
  return { from: name, default: question };
}

/** The share of numbers that do not say their country. */
function national(phones: readonly ReadColumn[]): number {
  return Math.max(...phones.map(({ profile }) => profile.share('national')));
}

function nationalWords(phones: readonly ReadColumn[]): string {
  const share = national(phones);
  if (share === 0) return 'all with their country code';
  return `${Math.max(1, Math.round(share * 100))} % without a country code`;
}

/** Where there is no e-mail: rows without a number, or with one that most rows share, will be rejected. */
function aloneWords(phones: readonly ReadColumn[], { rows }: TableProfile): string {
  const filled = phones.reduce((sum, { profile }) => sum + profile.filled, 0);
  if (filled < rows * mostAlike) return '; a row without one is rejected: try another column';
  const shared = phones.every(({ profile: { repeated, looked } }) => repeated > looked * mostAlike);
  return shared ? '; most rows share the same number, which identifies nobody: try another column' : '';
}

/** What the numbers themselves say of the country. */
function choices(phones: readonly ReadColumn[]): string {
  const numbers = phones.flatMap(({ profile }) => profile.national);
  const international = phones.flatMap(({ profile }) => profile.international);
  const likely = phoneCountries(numbers, international).map(
    ({ country, share }) => `${country} (right for ${percent(share, 1)})`,
  );
  return likely.length === 0
    ? 'Give its code, for example US, GB or DE'
    : `Give its code: ${likely.join(', ')} …`;
}
