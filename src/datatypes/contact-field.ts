import type { ContactFieldName } from '../model/contact.ts';
import { parseCountryCell } from './country.ts';
import type { ParsedCell } from './data-type.ts';
import { isSameEmailAddress, parseEmailAddress } from './email.ts';
import { parseLanguage } from './language.ts';
import { isSamePhone, parsePhone } from './phone.ts';
import { parseUrl } from './url.ts';

/** The parser and the comparison of a contact field. */
export interface ContactFieldType {
  /** Parses a cell; `country` is the row's ISO 3166-1 alpha-2 code, if known, and is used for phones only. */
  parse(cell: string, country: string | undefined): ParsedCell<string>;
  /** Compares two values, neither of them empty. */
  same(readBack: string, wanted: string): boolean;
}

const plainText: ContactFieldType = {
  parse: (cell) => ({ ok: true, value: cell }),
  same: (readBack, wanted) => readBack === wanted,
};

const sameWithoutCase = (readBack: string, wanted: string): boolean =>
  readBack.toLowerCase() === wanted.toLowerCase();

/** The type of every contact field, by name (specification: Contact). */
export const contactFieldTypes: Readonly<Record<ContactFieldName, ContactFieldType>> = {
  firstName: plainText,
  lastName: plainText,
  email: { parse: parseEmailAddress, same: isSameEmailAddress },
  phone: { parse: parsePhone, same: isSamePhone },
  language: { parse: parseLanguage, same: sameWithoutCase },
  profilePic: { parse: parseUrl, same: plainText.same },
  countryCode: { parse: parseCountryCell, same: sameWithoutCase },
};

/** Returns true if a contact field has the wanted value; null, missing and empty are equal. */
export function isSameContactFieldValue(
  field: ContactFieldName,
  readBack: string | null | undefined,
  wanted: string | null | undefined,
): boolean {
  if (!readBack || !wanted) return !readBack && !wanted;
  return contactFieldTypes[field].same(readBack, wanted);
}
