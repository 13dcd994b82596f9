import { type Contact, contactFieldNames } from '../../model/contact.ts';
import type { CustomValue } from '../../model/custom-field.ts';
import { findCustomValue } from '../../steps/field-change.ts';
import type { FieldComparator } from '../../steps/field-rules.ts';
import type { WrittenValueKind } from './written.ts';

/**
 * Returns the contact's current value of a field. For a tag (`name` in lower case) returns `want` if the contact has
 * the tag, otherwise null.
 */
export function getContactFieldValue(
  contact: Contact,
  kind: WrittenValueKind,
  name: string,
  want: CustomValue,
): CustomValue {
  switch (kind) {
    case 'contact': {
      const own = contactFieldNames.find((each) => each === name);
      return own === undefined ? null : contact[own];
    }
    case 'custom':
      return findCustomValue(contact.custom_fields, name);
    case 'lifecycle':
      return contact.lifecycle || null;
    case 'assignee':
      return contact.assignee?.id ?? null;
    case 'conversation':
      return contact.status;
    case 'tag':
    case 'fileTag':
      return contact.tags.some((tag) => tag.toLowerCase() === name) ? want : null;
  }
}

/**
 * Returns true if two values of a field are equal by its data type; lifecycle stages are compared without regard to
 * case.
 */
export function isSameFieldValue(
  kind: WrittenValueKind,
  name: string,
  found: CustomValue,
  want: CustomValue,
  rules: FieldComparator,
): boolean {
  if (kind === 'custom') return rules.sameCustomField(name, found, want);
  const own = kind === 'contact' ? contactFieldNames.find((each) => each === name) : undefined;
  if (own !== undefined) return rules.sameContactField(own, textOrNull(found), textOrNull(want));
  if (kind === 'lifecycle') return String(found ?? '').toLowerCase() === String(want ?? '').toLowerCase();
  return found === want;
}

function textOrNull(value: CustomValue): string | null {
  return value === null ? null : String(value);
}

/** Returns a value stored as JSON; null if it is not a string, number or boolean. */
export function parseStoredValue(text: string): CustomValue {
  const value: unknown = JSON.parse(text);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
