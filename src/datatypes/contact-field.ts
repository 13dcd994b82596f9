import type { ContactFieldName } from '../model/contact.ts';
import { parseCountry } from './country.ts';
import type { Parsed } from './data-type.ts';
import { parseEmailAddress, sameEmailAddress } from './email.ts';
import { parseLanguage } from './language.ts';
import { parsePhone, samePhone } from './phone.ts';
import { parseUrl } from './url.ts';

/** How one of a contact's own fields is read from a cell and compared. */
export interface ContactFieldType {
  /** `country` is the row's, where one is known; only a phone asks for it. */
  parse(cell: string, country: string | undefined): Parsed<string>;
  /** Compares two values of which neither is absent. */
  same(readBack: string, wanted: string): boolean;
}

const plainText: ContactFieldType = {
  parse: (cell) => ({ ok: true, value: cell }),
  same: (readBack, wanted) => readBack === wanted,
};

const sameWithoutCase = (readBack: string, wanted: string): boolean =>
  readBack.toLowerCase() === wanted.toLowerCase();

/** Every field of a contact by its name (specification: Contact). */
export const contactFieldTypes: Readonly<Record<ContactFieldName, ContactFieldType>> = {
  firstName: plainText,
  lastName: plainText,
  email: { parse: parseEmailAddress, same: sameEmailAddress },
  phone: { parse: parsePhone, same: samePhone },
  language: { parse: parseLanguage, same: sameWithoutCase },
  profilePic: { parse: parseUrl, same: plainText.same },
  countryCode: { parse: parseCountry, same: sameWithoutCase },
};

/** Whether a contact's field reads back as it was wanted; null, absent and empty are the same. */
export function sameContactField(
  field: ContactFieldName,
  readBack: string | null | undefined,
  wanted: string | null | undefined,
): boolean {
  if (!readBack || !wanted) return !readBack && !wanted;
  return contactFieldTypes[field].same(readBack, wanted);
}
