import { findDataType, listOptionsSchema } from '../../datatypes/index.ts';
import type { CustomField, NewCustomField } from '../../model/custom-field.ts';
import { findNearestWord } from '../../model/nearest.ts';
import type { MistakeReporter } from '../document/mistake.ts';
import type { LoadedMapping } from '../load.ts';
import { listFurtherValuesFields } from '../schema/contact.ts';
import type { CustomFieldRule } from '../schema/custom-fields.ts';
import { findTagsCustomFieldName } from '../schema/tags.ts';
import type { Mapping } from '../schema.ts';
import { formatNameSuggestion } from './names.ts';
import { findSlugMistakes } from './slugs.ts';

/** Notes a mistake for each custom field whose rule does not fit the workspace. */
export function checkCustomFields(
  mapping: Mapping,
  customFields: readonly CustomField[],
  noteAt: MistakeReporter,
): void {
  const slugMistakes = findSlugMistakes(mapping, customFields);
  for (const [name, rule] of Object.entries(mapping.customFields ?? {})) {
    const field = customFields.find((each) => each.name === name);
    const note: NoteKey = (key, reason) =>
      noteAt(['customFields', name, ...(key === undefined ? [] : [key])], reason);
    if (field) checkField(rule, field, note);
    else checkMissing(name, rule, customFields, slugMistakes.get(name), note);
  }
}

/**
 * Notes a mistake for each custom field of `attach` or `also` that is missing or is not a text field. A field that
 * `also` creates (`create: true`) may be missing, and a field of an unknown type is accepted.
 */
export function checkTextOnlyFields(
  { tags, contact }: Mapping,
  customFields: readonly CustomField[],
  noteAt: MistakeReporter,
): void {
  const attached = tags && findTagsCustomFieldName(tags);
  if (attached !== undefined)
    checkTextField(attached, 'tags need', customFields, (reason) => noteAt(['tags', 'attach'], reason));
  for (const { of, name, create } of listFurtherValuesFields(contact)) {
    if (create && !customFields.some((field) => field.name === name)) continue;
    checkTextField(name, '"also" needs', customFields, (reason) => noteAt(['contact', of, 'also'], reason));
  }
}

function checkTextField(
  name: string,
  whoNeeds: string,
  customFields: readonly CustomField[],
  note: (reason: string) => void,
): void {
  const field = customFields.find((each) => each.name === name);
  if (!field) {
    const instead = formatNameSuggestion(
      name,
      customFields.map((each) => each.name),
    );
    note(`the workspace has no custom field ${JSON.stringify(name)}${instead}`);
  } else if (field.dataType !== 'text' && findDataType(field.dataType) !== undefined) {
    note(
      `the workspace's field is of type ${JSON.stringify(field.dataType)}, but ${whoNeeds} a "text" field`,
    );
  }
}

/** Returns the fields that `create: true` asks for and the workspace does not have. */
export function listFieldsToCreate(
  { mapping }: LoadedMapping,
  customFields: readonly CustomField[],
): readonly NewCustomField[] {
  const further = listFurtherValuesFields(mapping.contact)
    .filter(({ name, create }) => create && !customFields.some((field) => field.name === name))
    .map(({ name }): NewCustomField => ({ name, dataType: 'text' }));
  const ofRules = Object.entries(mapping.customFields ?? {})
    .filter(([name, rule]) => rule.create && !customFields.some((field) => field.name === name))
    .map(([name, rule]) => {
      const allowedValues = allowedBy(rule);
      return {
        name,
        dataType: rule.type,
        ...(rule.slug !== undefined && { slug: rule.slug }),
        ...(rule.description !== undefined && { description: rule.description }),
        ...(allowedValues && { allowedValues }),
      };
    });
  return [...ofRules, ...further];
}

type NoteKey = (key: string | undefined, reason: string) => void;

function checkMissing(
  name: string,
  rule: CustomFieldRule,
  customFields: readonly CustomField[],
  slugMistake: string | undefined,
  note: NoteKey,
): void {
  const names = customFields.map((field) => field.name);
  const near = findNearestWord(name, names);
  const sameName = near !== undefined && near.toLowerCase() === name.toLowerCase();
  if (rule.create && !sameName) {
    if (slugMistake !== undefined) note('slug', slugMistake);
    return;
  }
  const meant = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const remedy = rule.create ? '' : ' ("create: true" creates it)';
  note(undefined, `the workspace has no custom field ${JSON.stringify(name)}${meant}${remedy}`);
}

function checkField(rule: CustomFieldRule, field: CustomField, note: NoteKey): void {
  if (!fits(rule, field)) {
    note(
      'type',
      `the workspace's field is of type ${JSON.stringify(field.dataType)}, not ${JSON.stringify(rule.type)}`,
    );
    return;
  }
  const inWorkspace = field.dataType === 'list' ? (field.allowedValues ?? []) : [];
  if (inWorkspace.length === 0) return;
  for (const value of allowedBy(rule) ?? []) {
    if (inWorkspace.includes(value)) continue;
    const instead = formatNameSuggestion(value, inWorkspace);
    note('allowed', `the workspace's field does not allow ${JSON.stringify(value)}${instead}`);
  }
}

/**
 * Returns true if the field can take the rule's values: a text field takes all that is sent as text; an unknown data
 * type is accepted.
 */
function fits(rule: CustomFieldRule, field: CustomField): boolean {
  if (rule.type === field.dataType || findDataType(field.dataType) === undefined) return true;
  return field.dataType === 'text' && rule.type !== 'number' && rule.type !== 'checkbox';
}

function allowedBy(rule: CustomFieldRule): readonly string[] | undefined {
  return rule.type === 'list' ? listOptionsSchema.parse(rule).allowed : undefined;
}
