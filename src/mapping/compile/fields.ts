import { countryCodeOf, trimmed } from '../../datatypes/index.ts';
import { type ContactFieldName, type ContactFields, contactFieldNames } from '../../model/contact.ts';
import type { CustomField, CustomValue } from '../../model/custom-field.ts';
import type { Draft, FieldValues } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import type { Note } from '../document/mistake.ts';
import type { Mapping } from '../schema.ts';
import { collect, type Findings } from './findings.ts';
import { compileContactField, compileCustomField } from './readings.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

// The country comes first: a phone may be read with it.
const order: readonly ContactFieldName[] = [
  'countryCode',
  ...contactFieldNames.filter((name) => name !== 'countryCode'),
];

type ContactPart = Pick<Draft, 'emailAsWritten'> & Record<'values' | 'defaults', ContactFields>;

/** `contact:` */
export function compileContact(
  contact: Mapping['contact'],
  note: Note,
): (row: Row, found: Findings) => ContactPart {
  const phoneCountry = compilePhoneCountry(contact.phone?.country);
  const readers = order.flatMap((name) => {
    const rule = contact[name];
    return rule ? [{ name, read: compileContactField(name, rule, note) }] : [];
  });
  return (row, found) => {
    const values: Writable<ContactFields> = {};
    const defaults: Writable<ContactFields> = {};
    let emailAsWritten: string | null = null;
    for (const { name, read } of readers) {
      const rowCountry = values.countryCode ?? defaults.countryCode ?? undefined;
      const result = read(row, name === 'phone' ? phoneCountry(row, rowCountry) : undefined);
      const { value, text, fallback } = result;
      if (value !== undefined) values[name] = value;
      if (fallback !== undefined) defaults[name] = fallback;
      if (name === 'email' && text !== undefined && text !== value) emailAsWritten = text;
      collect(result, found);
    }
    return { values, defaults, emailAsWritten };
  };
}

type CustomPart = Record<'values' | 'defaults', FieldValues['customFields']>;

/** `customFields:`; `known` are the workspace's fields, where they are known. */
export function compileCustomFields(
  rules: Mapping['customFields'],
  known: readonly CustomField[] | undefined,
  note: Note,
): (row: Row, found: Findings) => CustomPart {
  const readers = Object.entries(rules ?? {}).map(([name, rule]) => {
    const field = known?.find((each) => each.name === name);
    return { name, read: compileCustomField(name, rule, field, note) };
  });
  return (row, found) => {
    const values: Record<string, CustomValue> = {};
    const defaults: Record<string, CustomValue> = {};
    for (const { name, read } of readers) {
      const result = read(row, undefined);
      if (result.value !== undefined) values[name] = result.value;
      if (result.fallback !== undefined) defaults[name] = result.fallback;
      collect(result, found);
    }
    return { values, defaults };
  };
}

type PhoneCountry = NonNullable<Mapping['contact']['phone']>['country'];

/**
 * The country a phone is read with: the rule's own column, else its default; where the rule names none, what the
 * row's countryCode came to. Alpha-2, or undefined.
 */
function compilePhoneCountry(
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
