import { contactFieldNames } from '../model/contact.ts';
import { listFurtherValuesFields } from './schema/contact.ts';
import { findTagsCustomFieldName } from './schema/tags.ts';
import type { Mapping } from './schema.ts';

/**
 * Returns the names of the fields that a mapping fills, such as `email` and `customFields.Plan`: the contact fields in
 * their usual order, then the custom fields, including those of `also` and of the tags' `attach`.
 */
export function listMappedFields({ contact, customFields = {}, tags }: Mapping): readonly string[] {
  const attached = tags === undefined ? undefined : findTagsCustomFieldName(tags);
  const custom = new Set([
    ...Object.keys(customFields),
    ...listFurtherValuesFields(contact).map(({ name }) => name),
    ...(attached === undefined ? [] : [attached]),
  ]);
  return [
    ...contactFieldNames.filter((name) => contact[name] !== undefined),
    ...[...custom].map((name) => `customFields.${name}`),
  ];
}
