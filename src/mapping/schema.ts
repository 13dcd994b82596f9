import * as z from 'zod';
import { createMistakeReporter, type MistakeReporter } from './document/mistake.ts';
import { assigneeRuleSchema } from './schema/assignee.ts';
import { commentsRuleSchema, listCommentEntries } from './schema/comments.ts';
import { contactRulesSchema, listFurtherValuesFields } from './schema/contact.ts';
import { conversationRuleSchema } from './schema/conversation.ts';
import { customFieldRulesSchema } from './schema/custom-fields.ts';
import { exampleListSchema } from './schema/examples.ts';
import { columnNameSchema } from './schema/field-rule.ts';
import { lifecycleRuleSchema } from './schema/lifecycle.ts';
import { findTagsCustomFieldName, tagsRuleSchema } from './schema/tags.ts';
import { hasMention } from './template.ts';

const shape = z.strictObject({
  mapping: z.string().min(1).describe("The mapping's name."),
  key: z
    .union([columnNameSchema, z.literal(false)])
    .transform((key) => (key === false ? undefined : key))
    .optional()
    .describe(
      'The column that identifies a row in the legacy CRM; false or left out: rows are identified by e-mail or phone.',
    ),
  identify: z
    .array(z.enum(['email', 'phone']))
    .min(1)
    .refine((list) => new Set(list).size === list.length, 'an identifier is listed twice')
    .default(['email', 'phone'])
    .describe('How a contact is looked up, in order; by default e-mail, then phone.'),
  optional: z
    .union([z.literal('all'), z.array(columnNameSchema).min(1)])
    .optional()
    .describe(
      'Columns and lists that may be missing from the input, or all; the key and one identifier are always required.',
    ),
  empty: z
    .array(z.union([z.string().min(1), z.number(), z.boolean(), z.null()]).transform(String))
    .min(1)
    .optional()
    .describe(
      'Placeholders such as N/A, - and NULL: a cell that is one of them counts as empty everywhere, also where values lists it; without regard to case.',
    ),
  contact: contactRulesSchema,
  customFields: customFieldRulesSchema.optional(),
  tags: tagsRuleSchema.optional(),
  lifecycle: lifecycleRuleSchema.optional(),
  assignee: assigneeRuleSchema.optional(),
  conversation: conversationRuleSchema.optional(),
  comments: commentsRuleSchema.optional(),
  tests: exampleListSchema.optional(),
});

/** The schema of the whole mapping YAML, with the checks across its parts. */
export const mappingSchema = shape.superRefine((mapping, context) => {
  const note = createMistakeReporter(context);
  checkIdentity(mapping, note);
  checkAttached(mapping, note);
  checkFurther(mapping, note);
  checkMentions(mapping, note);
});

export type Mapping = z.output<typeof mappingSchema>;

function checkIdentity({ identify, contact }: z.output<typeof shape>, note: MistakeReporter): void {
  if (identify.some((name) => contact[name] !== undefined)) return;
  note(['contact'], `the contact has no ${identify.join(' and no ')}: rows could not be matched to contacts`);
}

function checkAttached({ tags: rule, customFields }: z.output<typeof shape>, note: MistakeReporter): void {
  const name = rule && findTagsCustomFieldName(rule);
  if (name === undefined || !Object.hasOwn(customFields ?? {}, name)) return;
  const field = JSON.stringify(name);
  note(['tags', 'attach'], `the custom field ${field} also has a rule in customFields: keep one`);
}

/** Notes a mistake for each custom field that `also` names and that another rule fills, too. */
function checkFurther(
  { contact, customFields, tags: rule }: z.output<typeof shape>,
  note: MistakeReporter,
): void {
  const taken = new Map(Object.keys(customFields ?? {}).map((name) => [name, 'a rule in customFields']));
  const attached = rule && findTagsCustomFieldName(rule);
  if (attached !== undefined) taken.set(attached, 'the tags');
  for (const { of, name } of listFurtherValuesFields(contact)) {
    const other = taken.get(name);
    if (other !== undefined)
      note(['contact', of, 'also'], `the custom field ${JSON.stringify(name)} also has ${other}: keep one`);
    taken.set(name, `further ${of === 'email' ? 'e-mails' : 'phones'}`);
  }
}

function checkMentions(mapping: z.output<typeof shape>, note: MistakeReporter): void {
  if (mapping.assignee || !mapping.comments) return;
  for (const { entry, path } of listCommentEntries(mapping.comments)) {
    if (!hasMention(entry.text)) continue;
    note([...path, 'text'], 'no user can be mentioned: the mapping has no assignee');
  }
}

/** Returns the JSON Schema of the mapping file, for editors. */
export function createMappingJsonSchema(): object {
  return z.toJSONSchema(mappingSchema, { io: 'input' });
}
