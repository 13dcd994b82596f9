import * as z from 'zod';
import { formatDidYouMean } from '../../model/nearest.ts';
import type { FilterCondition, FilterValue } from '../../workspace/index.ts';
import { customFieldPrefix } from './columns.ts';
import { type FilterOperatorName, filterKindsByContactField, findFilterMistake } from './filter-fields.ts';

/** The prefix of fields that only some workspaces have: the name after the prefix is sent to the API unchanged. */
const verbatimPrefix = 'contactField.';

const fieldName = z
  .string()
  .superRefine((name, context) => {
    const message = notAField(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .meta({
    anyOf: [
      { enum: Object.keys(filterKindsByContactField) },
      { pattern: '^(customFields|contactField)\\..+' },
    ],
  });

function notAField(name: string): string | undefined {
  const prefix = prefixOf(name);
  if (prefix === customFieldPrefix && Object.hasOwn(filterKindsByContactField, name.slice(prefix.length))) {
    return `a filter cannot tell the custom field apart from the contact's own ${JSON.stringify(name.slice(prefix.length))}; use its slug`;
  }
  if (Object.hasOwn(filterKindsByContactField, name) || (prefix !== '' && name !== prefix)) return undefined;
  if (name === 'customFields' || prefix !== '')
    return `the field's name goes after the dot: customFields.NAME`;
  const known = Object.keys(filterKindsByContactField);
  const meant = name === 'created' ? '; did you mean "created_at"?' : formatDidYouMean(name, known);
  const list = `; known are ${known.join(', ')}, and customFields.NAME`;
  return `contacts cannot be filtered by ${JSON.stringify(name)}${meant || list}`;
}

function prefixOf(name: string): string {
  return [customFieldPrefix, verbatimPrefix].find((each) => name.startsWith(each)) ?? '';
}

const emptyValue = 'a filter compares with a value; for empty fields use doesNotExist: true';

const value = z
  .union([z.string(), z.number(), z.boolean()], { error: ({ input }) => notAValue(input) })
  .refine((given) => given !== '', emptyValue);

function notAValue(input: unknown): string {
  if (Array.isArray(input))
    return 'this operator takes one value; hasAnyOf, hasAllOf and hasNoneOf take a list';
  return input === null ? emptyValue : 'one value is expected here: a text, a number, true or false';
}

const several = z.union([value, z.array(value).min(1)], {
  error: ({ input }) =>
    input === null ? emptyValue : 'a list of values is expected here, or one text as the workspace wants it',
});

const range = z.union(
  [value, z.strictObject({ from: value.describe('The lower end.'), to: value.describe('The upper end.') })],
  {
    error: ({ input }) =>
      input === null
        ? emptyValue
        : 'two values are expected here, such as { from: 1, to: 9 }, or one text as the workspace wants it',
  },
);

const presence = z
  .boolean()
  .refine((given) => given, 'only true is allowed here; the opposite of exists is doesNotExist')
  .meta({ const: true });

const operators = z
  .strictObject({
    isEqualTo: value.optional().describe('Is this value; of tags: has this tag, whatever else it has.'),
    isNotEqualTo: value.optional().describe('Is another value, or none.'),
    isTimestampAfter: value.optional().describe('A point in time after this one.'),
    isTimestampBefore: value.optional().describe('A point in time before this one.'),
    isTimestampBetween: range
      .optional()
      .describe('A point in time between two: { from: …, to: … }, or one text as the workspace wants it.'),
    exists: presence.optional().describe('true: has a value.'),
    doesNotExist: presence.optional().describe('true: has no value.'),
    isGreaterThan: value.optional().describe('Is more than this.'),
    isLessThan: value.optional().describe('Is less than this.'),
    isBetween: range
      .optional()
      .describe('Is between two values: { from: …, to: … }, or one text as the workspace wants it.'),
    hasAnyOf: several
      .optional()
      .describe('Has one of several values: a list, or one text as the workspace wants it.'),
    hasAllOf: several
      .optional()
      .describe('Has all of several values: a list, or one text as the workspace wants it.'),
    hasNoneOf: several
      .optional()
      .describe('Has none of several values: a list, or one text as the workspace wants it.'),
  })
  .refine((given) => Object.keys(given).length > 0, 'an operator is expected here, such as isEqualTo: value')
  .meta({ id: 'filterOperators' });

type Operators = z.output<typeof operators>;

const operatorNames = operators.keyof().options;

const conditions = z
  .record(fieldName, operators)
  .superRefine((given, context) => {
    for (const [field, asked] of Object.entries(given)) {
      const kind = filterKindsByContactField[field];
      if (kind === undefined) continue;
      for (const [operator, compared] of asOperators(asked)) {
        const message = findFilterMistake(field, kind, operator, compared);
        if (message !== undefined) context.addIssue({ code: 'custom', message, path: [field, operator] });
      }
    }
  })
  .meta({ id: 'filterConditions' });

/** `filter:` of contacts, as written in the YAML. */
export const filterSchema = z
  .union([conditions, z.array(conditions).min(1)])
  .describe(
    'Which contacts: a field, an operator and a value. All conditions must hold; in a list, a field can occur twice.',
  )
  .meta({ id: 'filter' });

/**
 * A filter condition in the form of the API, with its path below `filter:`, or below `export:` in an
 * `ExportPipelineDocument`.
 */
export interface FilterConditionWithPath {
  readonly condition: FilterCondition;
  readonly path: readonly (string | number)[];
}

/** Returns the conditions of a filter; none for a filter that is undefined. */
export function listFilterConditions(
  filter: z.output<typeof filterSchema> | undefined,
): readonly FilterConditionWithPath[] {
  if (filter === undefined) return [];
  return Array.isArray(filter) ? filter.flatMap((each, index) => placed(each, [index])) : placed(filter, []);
}

function placed(given: z.output<typeof conditions>, above: readonly number[]): FilterConditionWithPath[] {
  return Object.entries(given).flatMap(([field, asked]) =>
    asOperators(asked).map(([operator, compared]) => ({
      condition: { ...target(field), operator, value: compared },
      path: [...above, field, operator],
    })),
  );
}

/** Returns the operators of a field with their values; `exists` and `doesNotExist` send an empty value. */
function asOperators(asked: Operators): (readonly [FilterOperatorName, FilterValue])[] {
  return operatorNames.flatMap((name) => {
    const given = asked[name];
    if (given === undefined) return [];
    return [[name, name === 'exists' || name === 'doesNotExist' ? '' : asSent(given)] as const];
  });
}

type Written = Exclude<Operators[FilterOperatorName], undefined>;

/** Returns a value as it is sent: a list as an array, a range as `{from, to}`, each value as text. */
function asSent(given: Written): FilterValue {
  if (Array.isArray(given)) return given.map(String);
  if (typeof given === 'object') return { from: String(given.from), to: String(given.to) };
  return String(given);
}

/**
 * Returns the category and the field name that the API has for a field; tags and lifecycle have separate
 * categories.
 */
function target(name: string): Pick<FilterCondition, 'category' | 'field'> {
  if (name === 'tags') return { category: 'contactTag', field: '' };
  if (name === 'lifecycle') return { category: 'lifecycle', field: '' };
  return { category: 'contactField', field: name.slice(prefixOf(name).length) };
}
