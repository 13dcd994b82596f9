import {
  contactFieldTypes,
  dataTypes,
  lacksCountryCode,
  type Parsed,
  quoted,
  type ReadError,
  severalAddresses,
  severalPhones,
} from '../../datatypes/index.ts';
import type { ContactFieldName } from '../../model/contact.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { Row } from '../../model/row.ts';
import type { Note } from '../document/mistake.ts';
import type { CustomFieldRule } from '../schema/custom-fields.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import { compileField, type FieldReading, type FieldResult } from './field.ts';
import type { PhoneCountry } from './phone-country.ts';

type Reader<V> = (row: Row, country: PhoneCountry | undefined) => FieldResult<V>;

/** A rule under `contact:`. */
export function compileContactField(
  name: ContactFieldName,
  rule: FieldRule,
  isKept: (column: string | null) => boolean,
  note: Note,
): Reader<string> {
  const { parse } = contactFieldTypes[name];
  const raw = rule.default === undefined ? undefined : String(rule.default);
  return compileField(rule, {
    code: name,
    readsEmpty: false,
    ...(readings[name] ?? { read: (text) => parse(text, undefined) }),
    also: rule.also !== undefined,
    isKept,
    fallback: readDefault(raw, (text) => parse(text, undefined), ['contact', name, 'default'], note),
  });
}

type OwnReading = Pick<FieldReading<string>, 'read' | 'remark' | 'severalIn'>;

const phoneReading: OwnReading = {
  severalIn: (text, country) => severalPhones(text, country?.code),
  read(text, country) {
    const unknown = country?.unknown;
    return unknown !== undefined && lacksCountryCode(text)
      ? countryUnknown(text, unknown)
      : contactFieldTypes.phone.parse(text, country?.code);
  },
  remark(text, value, country) {
    if (country?.assumedBy === undefined || !lacksCountryCode(text)) return undefined;
    const reason = `${quoted(text)} was read as a number of ${country.code} (${country.assumedBy}): ${value}`;
    return { problem: 'countryAssumed', reason };
  },
};

const readings: { readonly [F in ContactFieldName]?: OwnReading } = {
  phone: phoneReading,
  email: { read: (text) => contactFieldTypes.email.parse(text, undefined), severalIn: severalAddresses },
};

function countryUnknown(
  text: string,
  { column, cell }: NonNullable<PhoneCountry['unknown']>,
): ReadError & { readonly ok: false } {
  const reason = `${quoted(text)} has no country code, and the row's country ${quoted(cell)} is not known; add it to contact.phone.country.values, for example ${quoted(cell)}: US.`;
  return { ok: false, problem: 'countryUnknown', reason, column };
}

/** A rule under `customFields:`; `field` is the workspace's, where it is known. */
export function compileCustomField(
  name: string,
  rule: CustomFieldRule,
  field: CustomField | undefined,
  note: Note,
): Reader<string | number | boolean> {
  const dataType = dataTypes[rule.type];
  const allowedValues = field?.dataType === 'list' ? (field.allowedValues ?? undefined) : undefined;
  const reader = dataType.reader(rule, { allowedValues });
  return compileField(rule, {
    code: `customFields.${name}`,
    readsEmpty: reader.readsEmpty,
    read: reader.read,
    ...(rule.type === 'email' && { severalIn: severalAddresses }),
    fallback: defaultOf(),
  });

  function defaultOf(): string | number | boolean | undefined {
    const raw = rule.default;
    // YAML has numbers and booleans of its own; only text goes through the options of the rule.
    if (typeof raw === rule.type || (typeof raw === 'boolean' && rule.type === 'checkbox')) return raw;
    const text = raw === undefined ? undefined : String(raw);
    return readDefault(text, (cell) => reader.read(cell), ['customFields', name, 'default'], note);
  }
}

function readDefault<V>(
  raw: string | undefined,
  read: (text: string) => Parsed<V>,
  path: readonly string[],
  note: Note,
): V | undefined {
  if (raw === undefined) return undefined;
  const parsed = read(raw);
  if (parsed.ok) return parsed.value;
  note(path, `the default is not valid here: ${parsed.reason}`);
  return undefined;
}
