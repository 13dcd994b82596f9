import * as z from 'zod';
import { contactRules } from './schema/contact.ts';
import { customFieldRules } from './schema/custom-fields.ts';
import { exampleList } from './schema/examples.ts';
import { columnName } from './schema/field-rule.ts';
import { assignee, comments, conversation, lifecycle, tags } from './schema/later.ts';

/** The mapping YAML (what a row becomes), whole: also what later versions carry out. */
export const mappingSchema = z
  .strictObject({
    mapping: z.string().min(1).describe("The mapping's name."),
    key: columnName
      .optional()
      .describe(
        "The column that identifies a row in the legacy CRM; without it, the contact's identity does.",
      ),
    identify: z
      .array(z.enum(['email', 'phone']))
      .min(1)
      .refine((list) => new Set(list).size === list.length, 'an identifier stands here twice')
      .default(['email', 'phone'])
      .describe('How a contact is looked up, in order; by default e-mail, then phone.'),
    contact: contactRules,
    customFields: customFieldRules.optional(),
    tags: tags.optional(),
    lifecycle: lifecycle.optional(),
    assignee: assignee.optional(),
    conversation: conversation.optional(),
    comments: comments.optional(),
    tests: exampleList.optional(),
  })
  .superRefine((mapping, context) => {
    const { identify } = mapping;
    if (identify.some((name) => mapping.contact[name] !== undefined)) return;
    const message = `the contact has no ${identify.join(' and no ')}: nothing would say who a row is`;
    context.addIssue({ code: 'custom', path: ['contact'], message });
  });

export type Mapping = z.output<typeof mappingSchema>;

/** The JSON Schema of the mapping file, for editors. */
export function mappingJsonSchema(): object {
  return z.toJSONSchema(mappingSchema, { io: 'input' });
}
