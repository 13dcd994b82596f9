import * as z from 'zod';
import { dataTypeNames } from '../../../datatypes/index.ts';
import type { CustomField } from '../../../model/custom-field.ts';
import type { Row, Source } from '../../../model/row.ts';
import { isMappableColumnName } from '../columns/contact-columns.ts';
import { isNamedForBirthDate } from '../columns/header-words.ts';
import type { UnmappedColumn } from '../mapping/custom-field-entries.ts';
import type { YamlEntry, YamlValue } from '../yaml/entry.ts';

/** The part of a custom field's definition that a draft uses. */
export type ExportedFieldDefinition = Pick<
  CustomField,
  'name' | 'slug' | 'description' | 'dataType' | 'allowedValues'
>;

/** Reads the definitions of custom fields from the rows of an export's table. */
export async function readFieldDefinitions(
  source: Source,
  signal: AbortSignal,
): Promise<ExportedFieldDefinition[]> {
  const found: ExportedFieldDefinition[] = [];
  for await (const items of source.read(0, signal)) {
    for (const item of items) if (item.kind === 'row') found.push(definitionOf(item));
  }
  return found;
}

function definitionOf(row: Row): ExportedFieldDefinition {
  const allowed = row.list?.('allowedValues')?.flatMap((each) => each.cell('') ?? []);
  return {
    name: row.cell('name') ?? '',
    slug: row.cell('slug') ?? undefined,
    description: row.cell('description') ?? undefined,
    dataType: row.cell('dataType') ?? 'text',
    allowedValues: allowed ?? [],
  };
}

const knownType = z.enum(dataTypeNames);
const slugShape = /^[A-Za-z0-9_]+$/;

/**
 * Returns the rules of the custom fields, made from their definitions, and in `leftOut` the fields whose names a
 * mapping cannot use. `words` returns the comment for the rule of a field.
 */
export function buildFieldEntriesFromDefinitions(
  fields: readonly ExportedFieldDefinition[],
  words: (name: string) => string | undefined,
): { readonly entries: readonly YamlEntry[]; readonly leftOut: readonly UnmappedColumn[] } {
  const entries: YamlEntry[] = [];
  const leftOut: UnmappedColumn[] = [];
  for (const field of fields) {
    const from = `customFields.${field.name}`;
    if (!isMappableColumnName(field.name)) leftOut.push({ column: from, why: 'cannot be used in a mapping' });
    else entries.push({ key: field.name, ...ruleOf(field, from, words(field.name)) });
  }
  return { entries, leftOut };
}

function ruleOf(
  field: ExportedFieldDefinition,
  from: string,
  said: string | undefined,
): Omit<YamlEntry, 'key'> {
  const known = knownType.safeParse(field.dataType).data;
  const type = known ?? 'text';
  const values = field.allowedValues ?? [];
  // A workspace accepts no value in a list field without allowed values, so the draft makes it a text field.
  const isEmptyList = type === 'list' && values.length === 0;
  const rule: { [key: string]: YamlValue } = {
    from,
    type: isEmptyList ? 'text' : type,
    ...(type === 'date' && isNamedForBirthDate(field.name) && { birthDate: true }),
    ...(type === 'list' && !isEmptyList && { allowed: [...values] }),
    // A text is moved unchanged; of other types an invalid value is dropped, and the contact is kept.
    ...(type === 'text' || isEmptyList ? { trim: false } : { onInvalid: 'drop' }),
    create: true,
    ...(field.slug != null && slugShape.test(field.slug) && { slug: field.slug }),
    ...(field.description != null && field.description !== '' && { description: field.description }),
  };
  const odd = known === undefined ? `of the type "${field.dataType}" in the workspace` : undefined;
  const comment = [said, odd].filter((each) => each !== undefined).join('; ');
  return { value: { plain: rule }, ...(comment !== '' && { comment }) };
}
