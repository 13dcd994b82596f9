import { countryCodeOf, trimmed } from '../../datatypes/index.ts';
import type { Row } from '../../model/row.ts';
import type { Mapping } from '../schema.ts';

type PhoneCountry = NonNullable<Mapping['contact']['phone']>['country'];

/**
 * The country a phone is read with: the rule's own column, else its default; where the rule names none, what the
 * row's countryCode came to. Alpha-2, or undefined.
 */
export function compilePhoneCountry(
  country: PhoneCountry,
): (row: Row, countryCode: string | undefined) => string | undefined {
  if (country === undefined) return (_row, countryCode) => countryCode;
  const { from, default: otherwise } = typeof country === 'string' ? { default: country } : country;
  const columns = from === undefined ? [] : [from].flat();
  const fallback = otherwise === undefined ? undefined : countryCodeOf(otherwise);
  return (row) => {
    for (const column of columns) {
      const found = countryCodeOf(trimmed(row.cell(column) ?? ''));
      if (found !== undefined) return found;
    }
    return fallback;
  };
}
