import {
  type CellError,
  contactFieldTypes,
  dataTypes,
  isPhoneWithoutCountryCode,
  type ParsedCell,
  quoteCell,
  splitEmailAddresses,
  splitPhones,
  unwrapEmailAddress,
} from '../../datatypes/index.ts';
import { type ContactFieldName, type ContactFields, contactFieldNames } from '../../model/contact.ts';
import type { CustomField, CustomValue } from '../../model/custom-field.ts';
import type { Draft, FieldValues } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import { valueGuardReplacement } from '../../model/spreadsheet-guard.ts';
import type { MistakeReporter } from '../document/mistake.ts';
import { furtherValuesSeparator } from '../keep.ts';
import { listFurtherValuesFields } from '../schema/contact.ts';
import type { CustomFieldRule } from '../schema/custom-fields.ts';
import type { FieldRule } from '../schema/field-rule.ts';
import type { Mapping } from '../schema.ts';
import { compileField, type FieldResult, type FieldTextReader } from './field.ts';
import { addDiagnostics, type RowDiagnostics } from './findings.ts';
import { compilePhoneCountry, mergeCountryCodeRule, type PhoneCountry } from './phone-country.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface ContactPart
  extends Pick<Draft, 'emailAsWritten' | 'furtherIdentifiers'>,
    Record<'values' | 'defaults', ContactFields> {
  /** Further phones and e-mails, by custom field. */
  readonly further: Readonly<Record<string, string>>;
}

/** Compiles `contact:`. */
export function compileContact(
  { contact, customFields }: Pick<Mapping, 'contact' | 'customFields'>,
  note: MistakeReporter,
): (row: Row, found: RowDiagnostics) => ContactPart {
  const isKept = keptColumns(customFields);
  const phoneCountry = contact.phone && compilePhoneCountry(contact.phone, contact.countryCode);
  const readers = contactFieldNames.flatMap((name) => {
    const rule = name === 'countryCode' ? mergeCountryCodeRule(contact) : contact[name];
    return rule ? [{ name, read: compileContactField(name, rule, isKept, note) }] : [];
  });
  const fields = listFurtherValuesFields(contact);
  const furtherIn = (left: ReadonlyMap<string, readonly string[]>): Record<string, string> =>
    Object.fromEntries(
      fields.flatMap(({ name, of }) => {
        const others = left.get(of);
        return others === undefined ? [] : [[name, others.join(furtherValuesSeparator)] as const];
      }),
    );
  return (row, found) => {
    const left = new Map<string, readonly string[]>();
    const values: Writable<ContactFields> = {};
    const defaults: Writable<ContactFields> = {};
    let emailAsWritten: string | null = null;
    for (const { name, read } of readers) {
      const result = read(row, name === 'phone' ? phoneCountry?.(row) : undefined);
      const { value, text, fallback, others = [] } = result;
      if (value !== undefined) values[name] = value;
      if (fallback !== undefined) defaults[name] = fallback;
      if (name === 'email' && text !== undefined && text !== value) emailAsWritten = spellingOf(text, value);
      if (others.length > 0) left.set(name, others);
      addDiagnostics(result, found);
    }
    const furtherIdentifiers = (['email', 'phone'] as const).flatMap((kind) =>
      (left.get(kind) ?? []).map((value) => ({ kind, value })),
    );
    return {
      values,
      defaults,
      emailAsWritten,
      further: furtherIn(left),
      ...(furtherIdentifiers.length > 0 && { furtherIdentifiers }),
    };
  };
}

/**
 * Returns a predicate that is true for a text that a custom field keeps: any of a column that the field joins, and the
 * first of one that it does not. A field that reads `emails[]` also keeps texts of `emails[0]`.
 */
function keptColumns(rules: Mapping['customFields'] = {}): NonNullable<FieldTextReader<string>['isKept']> {
  // "join" puts together again what "split" has cut.
  const whole = Object.values(rules).filter(
    ({ type, replace, split, join, values }) =>
      (type === 'text' || type === 'email') &&
      keepsText(replace) &&
      !(split && join === undefined) &&
      !values,
  );
  const joined = new Set(whole.flatMap(({ from = [], join }) => (join === undefined ? [] : from)));
  const single = new Set(
    whole.flatMap(({ from = [], join }) => (join === undefined ? [from].flat().slice(0, 1) : [])),
  );
  return (column, isFirst) => {
    if (column === null) return false;
    const names = [column, column.replace(/\[\d+\]/, '[]')];
    return names.some((name) => joined.has(name) || (isFirst && single.has(name)));
  };
}

/** Returns true if a rule replaces nothing, or takes off only the apostrophe that guards a value in a spreadsheet. */
function keepsText(replace: CustomFieldRule['replace']): boolean {
  if (replace === undefined) return true;
  const { pattern, with: text } = valueGuardReplacement;
  return [replace].flat().every((each) => each.pattern === pattern && each.with === text);
}

/** Returns the address as the row spells it; null if it is sent in this spelling. */
function spellingOf(text: string, value: string | null | undefined): string | null {
  const address = unwrapEmailAddress(text);
  return address === value ? null : address;
}

type CustomPart = Record<'values' | 'defaults', FieldValues['customFields']>;

/** Compiles `customFields:`; `known` are the workspace's fields, undefined if they were not read. */
export function compileCustomFields(
  rules: Mapping['customFields'],
  known: readonly CustomField[] | undefined,
  note: MistakeReporter,
): (row: Row, found: RowDiagnostics) => CustomPart {
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
      addDiagnostics(result, found);
    }
    return { values, defaults };
  };
}

type Reader<V> = (row: Row, country: PhoneCountry | undefined) => FieldResult<V>;

/** Compiles a rule under `contact:`. */
export function compileContactField(
  name: ContactFieldName,
  rule: FieldRule,
  isKept: NonNullable<FieldTextReader<string>['isKept']>,
  note: MistakeReporter,
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

type OwnReading = Pick<FieldTextReader<string>, 'read' | 'remark' | 'severalIn'>;

const phoneReading: OwnReading = {
  severalIn: (text, country) => splitPhones(text, country?.code),
  read(text, country) {
    const unknown = country?.unknown;
    return unknown !== undefined && isPhoneWithoutCountryCode(text)
      ? countryUnknown(text, unknown)
      : contactFieldTypes.phone.parse(text, country?.code);
  },
  remark(text, value, country) {
    if (country?.assumedBy === undefined || !isPhoneWithoutCountryCode(text)) return undefined;
    const reason = `${quoteCell(text)} was read as a number of ${country.code} (${country.assumedBy}): ${value}`;
    return { problem: 'countryAssumed', reason };
  },
};

const readings: { readonly [F in ContactFieldName]?: OwnReading } = {
  phone: phoneReading,
  email: { read: (text) => contactFieldTypes.email.parse(text, undefined), severalIn: splitEmailAddresses },
};

function countryUnknown(
  text: string,
  { column, cell }: NonNullable<PhoneCountry['unknown']>,
): CellError & { readonly ok: false } {
  const reason = `${quoteCell(text)} has no country code, and the row's country ${quoteCell(cell)} is not known; add it to contact.phone.country.values, for example ${quoteCell(cell)}: US.`;
  return { ok: false, problem: 'countryUnknown', reason, column };
}

/** Compiles a rule under `customFields:`; `field` is the workspace's field, undefined if it is not known. */
export function compileCustomField(
  name: string,
  rule: CustomFieldRule,
  field: CustomField | undefined,
  note: MistakeReporter,
): Reader<string | number | boolean> {
  const dataType = dataTypes[rule.type];
  const allowedValues = field?.dataType === 'list' ? (field.allowedValues ?? undefined) : undefined;
  const reader = dataType.reader(rule, { allowedValues });
  const isoReader = dataTypes.date.reader({}, {});
  const readIsoFirst = (text: string) => {
    const day = isoReader.read(text);
    return day.ok ? day : reader.read(text);
  };
  return compileField(rule, {
    code: `customFields.${name}`,
    readsEmpty: reader.readsEmpty,
    read: reader.read,
    // A date has no text format, so that the formats of the rule are for text only.
    ...(rule.type === 'date' && { readDate: readIsoFirst }),
    ...(rule.type === 'email' && { severalIn: splitEmailAddresses }),
    fallback: defaultOf(),
  });

  function defaultOf(): string | number | boolean | undefined {
    const raw = rule.default;
    // A number or boolean of the YAML is a value already; only a text is parsed with the options of the rule.
    if (typeof raw === rule.type || (typeof raw === 'boolean' && rule.type === 'checkbox')) return raw;
    const text = raw === undefined ? undefined : String(raw);
    return readDefault(text, (cell) => reader.read(cell), ['customFields', name, 'default'], note);
  }
}

function readDefault<V>(
  raw: string | undefined,
  read: (text: string) => ParsedCell<V>,
  path: readonly string[],
  note: MistakeReporter,
): V | undefined {
  if (raw === undefined) return undefined;
  const parsed = read(raw);
  if (parsed.ok) return parsed.value;
  note(path, `the default is not valid here: ${parsed.reason}`);
  return undefined;
}
