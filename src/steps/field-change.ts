import { z } from 'zod';
import {
  type Contact,
  type ContactFieldName,
  type CustomFieldEntry,
  contactFieldNames,
} from '../model/contact.ts';
import type { CustomValue } from '../model/custom-field.ts';
import type { FieldValues } from '../model/draft.ts';
import type { FieldComparator } from './field-rules.ts';

/** A change of a value: of a contact field, or of the custom field `name`. */
export type FieldChange =
  | {
      readonly kind: 'contact';
      readonly name: ContactFieldName;
      readonly from: string | null;
      readonly to: string | null;
    }
  | { readonly kind: 'custom'; readonly name: string; readonly from: CustomValue; readonly to: CustomValue };

/**
 * Returns the changes for desired values that the contact does not have; with `only: 'empty'`, only for
 * fields that are empty in the contact.
 */
export function computeFieldChanges(
  wanted: FieldValues,
  contact: Contact,
  rules: FieldComparator,
  only: 'changed' | 'empty',
): readonly FieldChange[] {
  const changes: FieldChange[] = [];
  for (const name of contactFieldNames) {
    const to = wanted.contact[name];
    // The interface requires a first name, so it cannot be cleared.
    if (to === undefined || (name === 'firstName' && isEmptyValue(to))) continue;
    const from = contact[name];
    if (rules.sameContactField(name, from, to) || (only === 'empty' && !isEmptyValue(from))) continue;
    changes.push({ kind: 'contact', name, from, to });
  }
  for (const [name, to] of Object.entries(wanted.customFields)) {
    const from = findCustomValue(contact.custom_fields, name);
    if (rules.sameCustomField(name, from, to) || (only === 'empty' && !isEmptyValue(from))) continue;
    changes.push({ kind: 'custom', name, from, to });
  }
  return changes;
}

/**
 * Returns the whole custom-field list with the changes applied: the interface does not say whether it merges or
 * replaces an array.
 */
export function applyCustomFieldChanges(
  contact: Contact,
  changes: readonly FieldChange[],
  rules: FieldComparator,
): readonly CustomFieldEntry[] {
  const values = new Map<string, CustomValue>();
  for (const { name, value } of contact.custom_fields) {
    if (!isEmptyValue(value)) values.set(name, rules.toSend(name, value));
  }
  for (const change of changes) if (change.kind === 'custom') values.set(change.name, change.to);
  return [...values].map(([name, value]) => ({ name, value }));
}

export function findCustomValue(entries: readonly CustomFieldEntry[], name: string): CustomValue {
  return entries.find((entry) => entry.name === name)?.value ?? null;
}

/** Returns true for null and empty text. */
export function isEmptyValue(value: CustomValue): boolean {
  return value === null || value === '';
}

const text = z.string().nullable();
const storedValue = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The body of a create or an update as stored in the journal. */
export const contactBodySchema = z.object({
  firstName: z.string(),
  lastName: text.exactOptional(),
  email: text.exactOptional(),
  phone: text.exactOptional(),
  language: text.exactOptional(),
  profilePic: text.exactOptional(),
  countryCode: text.exactOptional(),
  custom_fields: z.array(z.object({ name: z.string(), value: storedValue })).exactOptional(),
});

export const identifierSchema = z.object({ kind: z.enum(['id', 'email', 'phone']), value: z.string() });

export const fieldChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('contact'), name: z.enum(contactFieldNames), from: text, to: text }),
  z.object({ kind: z.literal('custom'), name: z.string(), from: storedValue, to: storedValue }),
]);
