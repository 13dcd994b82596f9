import { parseCountryForPhones } from '../../datatypes/index.ts';
import type { Row } from '../../model/row.ts';
import type { PhoneRule } from '../schema/contact.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import type { Mapping } from '../schema.ts';
import { compileValueCandidates } from './candidates.ts';

/** The country with which a row's phone is parsed if the phone has no country code. */
export interface PhoneCountry {
  /** ISO 3166-1 alpha-2; undefined where there is none. */
  readonly code: string | undefined;
  /** The key of the mapping that sets the country, if the row names none. */
  readonly assumedBy?: string;
  /** The text of the row that is not a known country. */
  readonly unknown?: { readonly column: string | null; readonly cell: string };
}

/**
 * Compiles the country of phones: that of the row's country cell, else the default. If the cell has an unknown country,
 * there is no country.
 */
export function compilePhoneCountry(
  { country }: PhoneRule,
  countryCode: FieldRule | undefined,
): (row: Row) => PhoneCountry {
  const { key, rule } = countryRule(country, countryCode);
  const find = compileValueCandidates(rule, false);
  const written = compileValueCandidates(rule.from === undefined ? {} : { from: rule.from }, false);
  // A cell that `values` maps to null counts as an unknown country and not as an empty cell, so its own text is
  // reported.
  const cellOf = (row: Row, column: string | null): string =>
    written(row).candidates.find((each) => each.column === column)?.text ?? '';
  const fallback = rule.default === undefined ? undefined : parseCountryForPhones(String(rule.default));
  const otherwise: PhoneCountry = {
    code: fallback,
    ...(fallback !== undefined && { assumedBy: key }),
  };
  return (row) => {
    let unknown: PhoneCountry['unknown'];
    for (const { text, column } of find(row).candidates) {
      const code = parseCountryForPhones(text);
      if (code !== undefined) return { code };
      unknown ??= { column, cell: text === '' ? cellOf(row, column) : text };
    }
    return unknown === undefined ? otherwise : { code: undefined, unknown };
  };
}

interface CountryRule {
  /** The path, in the mapping, of the rule's default country. */
  readonly key: string;
  readonly rule: FieldRule;
}

function countryRule(country: PhoneRule['country'], countryCode: FieldRule | undefined): CountryRule {
  if (country === undefined) return { key: 'contact.countryCode.default', rule: countryCode ?? {} };
  if (typeof country === 'string') return { key: 'contact.phone.country', rule: { default: country } };
  const values = { ...sameCells(country, countryCode), ...country.values };
  return { key: 'contact.phone.country.default', rule: { ...country, values } };
}

/** Returns the rule of countryCode; if `phone.country` reads the same column, its `values` are added. */
export function mergeCountryCodeRule({ countryCode, phone }: Mapping['contact']): FieldRule | undefined {
  const country = phone?.country;
  if (countryCode === undefined || typeof country !== 'object') return countryCode;
  return { ...countryCode, values: { ...sameCells(countryCode, country), ...countryCode.values } };
}

type Translation = Pick<FieldRule, 'from' | 'values'>;

/** Returns the translations (`values`) of the other rule if both rules read the same column, else undefined. */
function sameCells({ from }: Translation, other: Translation | undefined): FieldRule['values'] {
  return from !== undefined && String(from) === String(other?.from) ? other?.values : undefined;
}
