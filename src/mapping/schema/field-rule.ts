import { RE2JS } from 're2js';
import * as z from 'zod';
import { createMistakeReporter } from '../document/mistake.ts';
import { hasMention, parseTemplate } from '../template.ts';

export const columnNameSchema = z.string().min(1);

/** The schema of a comment's template, the only kind that can mention users. */
export const commentTemplateSchema = z.string().superRefine((text, context) => {
  const parsed = parseTemplate(text);
  if (!parsed.ok) createMistakeReporter(context)([], parsed.reason);
});

export const textTemplateSchema = commentTemplateSchema.refine(
  (text) => !hasMention(text),
  'only a comment can mention a user',
);

const pattern = z.string().superRefine((text, context) => {
  try {
    RE2JS.compile(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    createMistakeReporter(context)(
      [],
      `this is not a regular expression of RE2 (no look-around, no back references): ${why}`,
    );
  }
});

const replacement = z.strictObject({
  pattern: pattern.describe('A regular expression in RE2 syntax; every match is replaced.'),
  with: z.string().describe('The replacement; $1 is the first group.'),
});

/** The keys of every field rule. */
export const fieldRuleShape = {
  from: z
    .union([columnNameSchema, z.array(columnNameSchema).min(1)])
    .optional()
    .describe(
      'The input column, or several: the first that is not empty (for a phone and an e-mail: and valid) is taken.',
    ),
  template: textTemplateSchema
    .optional()
    .describe(
      'A text in place of from: {column} inserts a cell, {{ writes a brace. Empty where all its cells are.',
    ),
  html: z
    .boolean()
    .optional()
    .describe('The cell is HTML, or has its character references (&amp;): the text that it shows is taken.'),
  trim: z.boolean().optional().describe('Removes white space at both ends; on unless false.'),
  replace: z
    .union([replacement, z.array(replacement).min(1)])
    .optional()
    .describe('Replaces matches of a pattern, or of several in order.'),
  split: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Cuts the cell into parts at this text; the first part that fits is taken, unless join. A part in double quotes may contain a separator of one character.',
    ),
  case: z
    .enum(['lower', 'upper', 'title'])
    .optional()
    .describe('Writes the text in lower case, upper case or with capital initials.'),
  values: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .optional()
    .describe(
      'Translates cells, without regard to case; null makes the value absent, the key "" stands for an empty cell.',
    ),
  strict: z
    .boolean()
    .optional()
    .describe('A cell that values does not list is rejected as <field>.notAllowed; otherwise it is kept.'),
  join: z.string().optional().describe('Joins the columns or parts that are not empty with this text.'),
  required: z
    .boolean()
    .optional()
    .describe('A row without a value is rejected as <field>.missing; a default counts as a value.'),
  onInvalid: z
    .enum(['reject', 'drop', 'default'])
    .optional()
    .describe(
      'What an invalid value does: reject the row (the default), drop the value, or use the default of the field.',
    ),
  empty: z
    .enum(['keep', 'clear'])
    .optional()
    .describe("An empty cell leaves the contact's value alone (the default), or clears it."),
  keep: z
    .enum(['first', 'last', 'longest', 'union'])
    .optional()
    .describe('Which value to keep if several rows are one person.'),
};

/** The keys of a field rule that the rules for tags, lifecycle and assignee have, too. */
export const contactStepRuleShape = {
  html: fieldRuleShape.html,
  trim: fieldRuleShape.trim,
  replace: fieldRuleShape.replace,
  case: fieldRuleShape.case,
  values: fieldRuleShape.values,
};

/** The schema of `default`: the value of a new contact where the row has none; it never overwrites. */
export const defaultValueSchema = z.union([z.string(), z.number(), z.boolean()]);

/** The schema of `part`, which takes one part of a full name. */
export const namePartSchema = z
  .enum(['given', 'family'])
  .describe(
    'Takes one part of a full name, written "Given Family" or "Family, Given": a title stays with the given name, particles such as van der with the family name.',
  );

/** The schema of `familyFirst`, the order of the names that `part` splits. */
export const familyFirstSchema = z
  .boolean()
  .describe('The full names have the family name first, without a comma: "Family Given".');

/** The schema of `also`, which keeps further phones and e-mails. */
export const furtherValuesRuleSchema = z
  .union([
    z.string().min(1),
    z.strictObject({
      field: z.string().min(1).describe('The custom field, of type text.'),
      create: z
        .boolean()
        .optional()
        .describe('Creates the field before the first row if the workspace does not have it.'),
    }),
  ])
  .describe(
    'The custom field, of type text, that gets every further valid value of the row, joined by "; "; left out, they are listed as <field>.other.',
  );

const rule = z.object({
  ...fieldRuleShape,
  part: namePartSchema.optional(),
  familyFirst: familyFirstSchema.optional(),
  also: furtherValuesRuleSchema.optional(),
  default: defaultValueSchema.optional(),
});
/**
 * A rule for any field, with every key that a field's rule can have; some fields allow only a part of the
 * keys.
 */
export type FieldRule = z.output<typeof rule>;

/** Notes a mistake for each combination of a rule's keys that makes no sense. */
export function checkFieldRule(rule: FieldRule, context: z.RefinementCtx): void {
  const note = createMistakeReporter(context);
  const has = (key: keyof FieldRule): boolean => rule[key] !== undefined;
  if (has('from') && has('template'))
    note(['template'], 'from and template cannot be used together; use one of them');
  if (!has('from') && !has('template') && !has('default'))
    note([], 'the value has no source: set from, template or default');
  if (rule.onInvalid === 'default' && !has('default'))
    note(['onInvalid'], '"onInvalid: default" needs a default');
  if (has('familyFirst') && !has('part'))
    note(['familyFirst'], '"familyFirst" needs part: it says how a full name is split');
  if (rule.strict === true && !has('values'))
    note(['strict'], '"strict" needs values: it rejects what values does not list');
}

/**
 * Notes a mistake for `keep: union` in the rule of a field whose values cannot be joined, such as a number, an e-mail
 * or a first name.
 */
export function disallowKeepUnion({ keep }: FieldRule, context: z.RefinementCtx): void {
  if (keep !== 'union') return;
  createMistakeReporter(context)(
    ['keep'],
    '"union" joins texts, and this is not a text: use first, last or longest',
  );
}
