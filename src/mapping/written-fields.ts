import { contactFieldNames } from '../model/contact.ts';
import { furtherFields } from './schema/contact.ts';
import { fieldOfAttach } from './schema/tags.ts';
import type { Mapping } from './schema.ts';

/** Returns the fields that a mapping has a rule for, as `email` and `customFields.Plan`, in the order of contacts. */
export function writtenFields({ contact, customFields = {}, tags }: Mapping): readonly string[] {
  const attached = tags === undefined ? undefined : fieldOfAttach(tags);
  const custom = new Set([
    ...Object.keys(customFields),
    ...furtherFields(contact).map(({ name }) => name),
    ...(attached === undefined ? [] : [attached]),
  ]);
  return [
    ...contactFieldNames.filter((name) => contact[name] !== undefined),
    ...[...custom].map((name) => `customFields.${name}`),
  ];
}
