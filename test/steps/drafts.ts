import type { ContactFields } from '../../src/model/contact.ts';
import type { CustomField, CustomValue } from '../../src/model/custom-field.ts';
import type { Draft, FieldValues } from '../../src/model/draft.ts';
import { createFieldComparator } from '../../src/steps/field-rules.ts';

export function values(
  contact: ContactFields,
  customFields: Readonly<Record<string, CustomValue>> = {},
): FieldValues {
  return { contact, customFields };
}

export function draft(says: FieldValues, defaults: FieldValues = values({})): Draft {
  return { key: null, emailAsWritten: null, values: says, defaults, dropped: [] };
}

const types = { Score: 'number', VIP: 'checkbox', Note: 'text', Born: 'date', Plan: 'list', Odd: 'holo' };

/** One custom field of each kind that matters, and one of a type that nobody knows. */
export const customFields: readonly CustomField[] = Object.entries(types).map(([name, dataType], n) => ({
  id: n + 1,
  name,
  dataType,
}));

export const rules = createFieldComparator(customFields);
