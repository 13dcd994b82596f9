import { findDataType } from '../../datatypes/index.ts';
import type { YamlMistake } from '../../mapping/index.ts';
import type { CustomField } from '../../model/custom-field.ts';
import { findNearestWord, formatDidYouMean } from '../../model/nearest.ts';
import type { LoadedExportSettings } from '../export-settings.ts';
import type { ExportPipelineDocument } from '../index.ts';
import { customFieldPrefix } from './columns.ts';
import type { FilterConditionWithPath } from './filter.ts';
import { findFilterMistake, listFilterValues } from './filter-fields.ts';

/**
 * The mistakes of an export pipeline in the names and values of custom fields, and notes about names that cannot be
 * checked.
 */
export interface CustomFieldMistakes {
  readonly mistakes: readonly YamlMistake[];
  readonly notes: readonly string[];
}

/** Returns the mistakes in columns and filters that name a custom field, compared with the fields of the workspace. */
export function findCustomFieldMistakes(
  { pipeline, conditions, mistake }: ExportPipelineDocument,
  fields: readonly CustomField[],
): CustomFieldMistakes {
  const notes: string[] = [];
  const mistakes = findColumnsOfUnknownFields(pipeline.export, fields).map(({ heading, reason }) =>
    mistake(['contacts', 'columns', heading], reason),
  );
  for (const placed of conditions) {
    const name = customName(placed);
    if (name === undefined) continue;
    const field = fields.find((each) => each.name === name || each.slug === name);
    if (field !== undefined) {
      const reason = unfitting(placed, field);
      if (reason !== undefined) mistakes.push(mistake(placed.path, reason));
    } else if (mayBeSlug(name, fields)) {
      notes.push(
        `no custom field is named ${JSON.stringify(name)}; it may be a slug, which the workspace does not list`,
      );
    } else {
      mistakes.push(mistake(placed.path, unknownField(name, fields)));
    }
  }
  return { mistakes, notes: pipeline.export.contacts === undefined ? [] : notes };
}

/** Returns the columns whose custom field does not exist in the workspace, each with the reason. */
export function findColumnsOfUnknownFields(
  { contacts }: LoadedExportSettings,
  fields: readonly CustomField[],
): readonly { readonly heading: string; readonly reason: string }[] {
  return Object.entries(contacts?.columns ?? {}).flatMap(([heading, path]) => {
    const name = path.slice(customFieldPrefix.length);
    if (!path.startsWith(customFieldPrefix) || fields.some((each) => each.name === name)) return [];
    return [{ heading, reason: unknownField(name, fields) }];
  });
}

/** Returns the name of a condition's custom field, by its path in the YAML; undefined for another field. */
function customName({ condition, path }: FilterConditionWithPath): string | undefined {
  const written = path.at(-2);
  return typeof written === 'string' && written.startsWith(customFieldPrefix) ? condition.field : undefined;
}

function unfitting({ condition }: FilterConditionWithPath, field: CustomField): string | undefined {
  const { operator, value = '' } = condition;
  const what = `the custom field ${JSON.stringify(field.name)} (${field.dataType})`;
  const kind = findDataType(field.dataType)?.filterKind;
  const reason = kind && findFilterMistake(what, kind, operator, value);
  if (reason !== undefined) return reason;
  const allowed = field.allowedValues ?? [];
  if (operator === 'isNotEqualTo' || field.dataType !== 'list' || allowed.length === 0) return undefined;
  const unknown = listFilterValues(operator, value).find((each) => !allowed.includes(each));
  if (unknown === undefined) return undefined;
  const meant = formatDidYouMean(unknown, allowed) || `; it can be ${allowed.join(', ')}`;
  return `${what} is never ${JSON.stringify(unknown)}${meant}`;
}

function unknownField(name: string, fields: readonly CustomField[]): string {
  return `the workspace has no custom field ${JSON.stringify(name)}${formatDidYouMean(
    name,
    fields.map((each) => each.name),
  )}`;
}

/** Returns true if a filter may name a field by its slug: the API accepts slugs and does not always list them. */
function mayBeSlug(name: string, fields: readonly CustomField[]): boolean {
  if (!/^\w+$/.test(name)) return false;
  const names = fields.map((field) => field.name);
  const meant = findNearestWord(name, names);
  return meant === undefined || slugOf(meant) === slugOf(name);
}

function slugOf(name: string): string {
  return name.toLowerCase().replaceAll(/\W+/g, '_');
}
