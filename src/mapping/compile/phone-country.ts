import { phoneCountryOf } from '../../datatypes/index.ts';
import type { Row } from '../../model/row.ts';
import type { PhoneRule } from '../schema/contact.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import type { Mapping } from '../schema.ts';
import { compileCandidates } from './candidates.ts';

/** What a row's phone is read with where it has no country code of its own. */
export interface PhoneCountry {
  /** ISO 3166-1 alpha-2; undefined where there is none. */
  readonly code: string | undefined;
  /** The key of the mapping that it comes from, where the row names no country. */
  readonly assumedBy?: string;
  /** What the row has in place of a country, and is not understood. */
  readonly unknown?: { readonly column: string | null; readonly cell: string };
}

/** The row's own country cell comes first, then the default; one that is not understood never takes the default. */
export function compilePhoneCountry(
  { country }: PhoneRule,
  countryCode: FieldRule | undefined,
): (row: Row) => PhoneCountry {
  const { key, rule } = countryRule(country, countryCode);
  const find = compileCandidates(rule, false);
  const written = compileCandidates(rule.from === undefined ? {} : { from: rule.from }, false);
  // Only null in `values` leaves nothing of a cell: it is not empty, and names no country.
  const cellOf = (row: Row, column: string | null): string =>
    written(row).candidates.find((each) => each.column === column)?.text ?? '';
  const fallback = rule.default === undefined ? undefined : phoneCountryOf(String(rule.default));
  const otherwise: PhoneCountry = {
    code: fallback,
    ...(fallback !== undefined && { assumedBy: key }),
  };
  return (row) => {
    let unknown: PhoneCountry['unknown'];
    for (const { text, column } of find(row).candidates) {
      const code = phoneCountryOf(text);
      if (code !== undefined) return { code };
      unknown ??= { column, cell: text === '' ? cellOf(row, column) : text };
    }
    return unknown === undefined ? otherwise : { code: undefined, unknown };
  };
}

interface CountryRule {
  /** Where its default is set. */
  readonly key: string;
  readonly rule: FieldRule;
}

function countryRule(country: PhoneRule['country'], countryCode: FieldRule | undefined): CountryRule {
  if (country === undefined) return { key: 'contact.countryCode.default', rule: countryCode ?? {} };
  if (typeof country === 'string') return { key: 'contact.phone.country', rule: { default: country } };
  const values = { ...sameCells(country, countryCode), ...country.values };
  return { key: 'contact.phone.country.default', rule: { ...country, values } };
}

/** The rule of countryCode, which has what the country of phones translates where both read the same column. */
export function countryCodeRule({ countryCode, phone }: Mapping['contact']): FieldRule | undefined {
  const country = phone?.country;
  if (countryCode === undefined || typeof country !== 'object') return countryCode;
  return { ...countryCode, values: { ...sameCells(countryCode, country), ...countryCode.values } };
}

type Translation = Pick<FieldRule, 'from' | 'values'>;

/** What another rule translates, where it reads the same column. */
function sameCells({ from }: Translation, other: Translation | undefined): FieldRule['values'] {
  return from !== undefined && String(from) === String(other?.from) ? other?.values : undefined;
}
