import { bareAddress } from '../../datatypes/index.ts';
import { type ContactFields, contactFieldNames } from '../../model/contact.ts';
import type { CustomField, CustomValue } from '../../model/custom-field.ts';
import type { Draft, FieldValues } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import type { Note } from '../document/mistake.ts';
import { furtherJoin } from '../keep.ts';
import { furtherFields } from '../schema/contact.ts';
import type { Mapping } from '../schema.ts';
import { collect, type Findings } from './findings.ts';
import { compilePhoneCountry, countryCodeRule } from './phone-country.ts';
import { compileContactField, compileCustomField } from './readings.ts';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

interface ContactPart
  extends Pick<Draft, 'emailAsWritten' | 'furtherPhones'>,
    Record<'values' | 'defaults', ContactFields> {
  /** Further phones and e-mails, by custom field. */
  readonly further: Readonly<Record<string, string>>;
}

/** `contact:` */
export function compileContact(
  { contact, customFields }: Pick<Mapping, 'contact' | 'customFields'>,
  note: Note,
): (row: Row, found: Findings) => ContactPart {
  const isKept = keptColumns(customFields);
  const phoneCountry = contact.phone && compilePhoneCountry(contact.phone, contact.countryCode);
  const readers = contactFieldNames.flatMap((name) => {
    const rule = name === 'countryCode' ? countryCodeRule(contact) : contact[name];
    return rule ? [{ name, read: compileContactField(name, rule, isKept, note) }] : [];
  });
  const fields = furtherFields(contact);
  const furtherIn = (left: ReadonlyMap<string, readonly string[]>): Record<string, string> =>
    Object.fromEntries(
      fields.flatMap(({ name, of }) => {
        const others = left.get(of);
        return others === undefined ? [] : [[name, others.join(furtherJoin)] as const];
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
      collect(result, found);
    }
    const furtherPhones = left.get('phone');
    return {
      values,
      defaults,
      emailAsWritten,
      further: furtherIn(left),
      ...(furtherPhones && { furtherPhones }),
    };
  };
}

/** Whether a custom field has the texts of a column as they are; an element of a list may be in the field of the list. */
function keptColumns(rules: Mapping['customFields'] = {}): (column: string | null) => boolean {
  const kept = new Set(
    Object.values(rules).flatMap(({ from = [], type, replace, split, values, join }) => {
      const isWhole = (type === 'text' || type === 'email') && !replace && !split && !values;
      if (!isWhole) return [];
      return join === undefined ? [from].flat().slice(0, 1) : [from].flat();
    }),
  );
  return (column) => column !== null && (kept.has(column) || kept.has(column.replace(/\[\d+\]/, '[]')));
}

/** The address as the row spells it, where that is not how it is sent. */
function spellingOf(text: string, value: string | null | undefined): string | null {
  const address = bareAddress(text);
  return address === value ? null : address;
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
