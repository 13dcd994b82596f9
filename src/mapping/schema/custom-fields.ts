import * as z from 'zod';
import {
  type DataType,
  type DataTypeName,
  dataTypeNames,
  dataTypes,
  dateOptionsSchema,
  listOptionsSchema,
} from '../../datatypes/index.ts';
import { checkFieldRule, defaultValueSchema, disallowKeepUnion, fieldRuleShape } from './field-rule.ts';

const ownShape = {
  default: defaultValueSchema.optional().describe('The value for a new contact if the row has none.'),
  create: z
    .boolean()
    .optional()
    .describe('Creates the field before the first row if the workspace does not have it.'),
  slug: z
    .string()
    .regex(/^[A-Za-z0-9_]+$/, 'a slug has only letters, numbers and underscores')
    .optional()
    .describe("The new field's slug; it cannot be edited later."),
  description: z.string().min(1).optional().describe("The new field's description."),
};

function ruleOf(name: DataTypeName) {
  const dataType: DataType = dataTypes[name];
  return z
    .strictObject({
      ...fieldRuleShape,
      ...ownShape,
      ...dataType.options.shape,
      type: z.literal(name).describe('The data type of the custom field.'),
    })
    .superRefine((rule, context) => {
      checkFieldRule(rule, context);
      // The shape of the options lacks their cross-checks, so they are run here.
      for (const issue of dataType.options.safeParse(rule).error?.issues ?? []) {
        context.addIssue({ code: 'custom', message: issue.message, path: [...issue.path] });
      }
      if (name === 'list') checkList(rule, context);
      if (name !== 'text') disallowKeepUnion(rule, context);
    });
}

function checkList(rule: { create?: boolean | undefined }, context: z.RefinementCtx): void {
  const { allowed } = listOptionsSchema.parse(rule);
  if (rule.create && !allowed) {
    context.addIssue({ code: 'custom', message: 'a list that is created needs "allowed": its values' });
  }
}

const [first, ...others] = dataTypeNames.map(ruleOf);
if (!first) throw new Error('The registry of data types is empty.');

/** The schema of `customFields:`, a rule for each field by its name in the workspace. */
export const customFieldRulesSchema = z
  .record(z.string().min(1), z.discriminatedUnion('type', [first, ...others]))
  .describe("The contact's custom fields, by their names in the workspace.");

/** Returns the name of the first field that is marked as the date of birth; undefined if there is none. */
export function findBirthDateField(
  rules: Readonly<Record<string, CustomFieldRule>> = {},
): string | undefined {
  return Object.keys(rules).find((name) => {
    const rule = rules[name];
    return rule?.type === 'date' && dateOptionsSchema.parse(rule).birthDate === true;
  });
}

export type CustomFieldRule = z.output<typeof customFieldRulesSchema>[string];
