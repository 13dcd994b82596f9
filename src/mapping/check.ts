import { dataTypeOf, listOptions } from '../datatypes/index.ts';
import type { CustomField, NewCustomField } from '../model/custom-field.ts';
import { columnUses } from './columns.ts';
import type { Mistake } from './document/mistake.ts';
import type { LoadedMapping } from './load.ts';
import { didYouMean, nearest } from './nearest.ts';
import type { CustomFieldRule } from './schema/custom-fields.ts';

/** What the mapping reads and the input's header does not have, each with its place and the nearest column. */
export function checkColumns(mapping: LoadedMapping, columns: readonly string[]): readonly Mistake[] {
  const known = new Set(columns);
  return columnUses(mapping.mapping)
    .filter(({ column }) => !known.has(column))
    .map(({ column, path }) => {
      const meant = didYouMean(column, columns);
      const has = meant === '' ? `; it has ${listed(columns)}` : meant;
      return mapping.mistake(path, `the input has no column ${JSON.stringify(column)}${has}`);
    })
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/** What the mapping says of custom fields and the workspace does not bear out. */
export function checkWorkspace(
  mapping: LoadedMapping,
  customFields: readonly CustomField[],
): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  for (const [name, rule] of Object.entries(mapping.mapping.customFields ?? {})) {
    const field = customFields.find((each) => each.name === name);
    const note = (key: string | undefined, reason: string): void => {
      mistakes.push(mapping.mistake(['customFields', name, ...(key === undefined ? [] : [key])], reason));
    };
    if (field) checkField(rule, field, note);
    else checkMissing(name, rule, customFields, note);
  }
  return mistakes;
}

/** The fields that `create: true` asks for and the workspace does not have. */
export function fieldsToCreate(
  { mapping }: LoadedMapping,
  customFields: readonly CustomField[],
): readonly NewCustomField[] {
  return Object.entries(mapping.customFields ?? {})
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
}

type Note = (key: string | undefined, reason: string) => void;

function checkMissing(
  name: string,
  rule: CustomFieldRule,
  customFields: readonly CustomField[],
  note: Note,
): void {
  const names = customFields.map((field) => field.name);
  const near = nearest(name, names);
  const sameName = near !== undefined && near.toLowerCase() === name.toLowerCase();
  if (rule.create && !sameName) return;
  const meant = near === undefined ? '' : `; did you mean ${JSON.stringify(near)}?`;
  const remedy = rule.create ? '' : ' ("create: true" creates it)';
  note(undefined, `the workspace has no custom field ${JSON.stringify(name)}${meant}${remedy}`);
}

function checkField(rule: CustomFieldRule, field: CustomField, note: Note): void {
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
    const meant = didYouMean(value, inWorkspace);
    const has = meant === '' ? `; it has ${listed(inWorkspace)}` : meant;
    note('allowed', `the workspace's field does not allow ${JSON.stringify(value)}${has}`);
  }
}

/** Text takes whatever is sent as text; of a data type that we do not know, nothing can be said. */
function fits(rule: CustomFieldRule, field: CustomField): boolean {
  if (rule.type === field.dataType || dataTypeOf(field.dataType) === undefined) return true;
  return field.dataType === 'text' && rule.type !== 'number' && rule.type !== 'checkbox';
}

function allowedBy(rule: CustomFieldRule): readonly string[] | undefined {
  return rule.type === 'list' ? listOptions.parse(rule).allowed : undefined;
}

function listed(names: readonly string[]): string {
  const most = 20;
  const shown = names.slice(0, most).map((name) => JSON.stringify(name));
  return shown.join(', ') + (names.length > most ? `, and ${names.length - most} more` : '');
}
