import { contactFieldNames } from '../model/contact.ts';
import { listFurtherValuesFields } from './schema/contact.ts';
import { findTagsCustomField } from './schema/tags.ts';
import type { Mapping } from './schema.ts';

/**
 * Returns the fields that a mapping fills, as `email` and `customFields.Plan`: contact fields in their usual order,
 * then custom fields, those of `also` and of the tags' `attach` included.
 */
export function listMappedFields({ contact, customFields = {}, tags }: Mapping): readonly string[] {
  const attached = tags === undefined ? undefined : findTagsCustomField(tags);
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
