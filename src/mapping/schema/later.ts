import * as z from 'zod';
import { columnName, ruleShape, template } from './field-rule.ts';

const withoutConstants = {
  from: ruleShape.from,
  trim: ruleShape.trim,
  replace: ruleShape.replace,
  case: ruleShape.case,
  values: ruleShape.values,
  strict: ruleShape.strict,
  onInvalid: ruleShape.onInvalid,
};

const tagDefinition = z.strictObject({
  description: z.string().optional().describe('What the tag means.'),
  colorCode: z.string().optional().describe('Its colour.'),
  emoji: z.string().optional().describe('Its emoji.'),
});

/** `tags:` */
export const tags = z
  .strictObject({
    ...withoutConstants,
    split: ruleShape.split,
    attach: z
      .string()
      .regex(/^(?:file|extension|customField:.+)$/, 'attach is file, extension or customField:NAME')
      .optional()
      .describe("Where a contact's tags go: file, customField:NAME or extension."),
    define: z
      .record(z.string().min(1), tagDefinition)
      .optional()
      .describe('Descriptions, colours and emoji of tags.'),
    overwrite: z.boolean().optional().describe('Writes the definitions over existing tags, too.'),
    overflow: z.enum(['reject', 'first10']).optional().describe('What more than 10 tags of a contact do.'),
  })
  .describe("The contact's tags.");

/** `lifecycle:` */
export const lifecycle = z
  .strictObject({
    ...withoutConstants,
    default: z
      .string()
      .min(1)
      .optional()
      .describe('The stage of a created contact where the row names none.'),
    empty: ruleShape.empty,
    stages: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('All stages in order; nothing goes backwards.'),
  })
  .describe("The contact's lifecycle stage.");

/** `assignee:` */
export const assignee = z
  .strictObject({
    ...withoutConstants,
    users: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .optional()
      .describe('Names in the legacy CRM to e-mail addresses or ids of users.'),
    unknown: z.enum(['unassigned', 'reject']).optional().describe('What a user that nobody knows does.'),
  })
  .describe('The user a contact is assigned to.');

/** `conversation:` */
export const conversation = z
  .strictObject({
    status: z.enum(['open', 'closed']).describe('How the conversation is left.'),
    category: z.string().min(1).max(128).optional().describe('The name of a closing note.'),
    summary: template.optional().describe('At most 512 characters; only with a category.'),
    existing: z.boolean().optional().describe('Also for contacts that were there before.'),
    overflow: z.enum(['reject', 'cut']).optional().describe('What a summary that is too long does.'),
  })
  .describe('Opens or closes the conversation.');

const commentEntry = z.strictObject({
  name: z.string().min(1).optional().describe('The name the comment is remembered by.'),
  each: columnName.optional().describe('A joined table: one comment for each of its rows.'),
  key: columnName.optional().describe('The column that identifies such a row.'),
  text: template.describe('The text; {column} inserts a cell.'),
  order: columnName.optional().describe('The column that orders them.'),
});

/** `comments:` */
export const comments = z
  .union([
    z.array(commentEntry).min(1),
    z.strictObject({
      existing: z
        .enum(['send', 'skip'])
        .optional()
        .describe('Whether contacts that were there before get comments, too.'),
      entries: z.array(commentEntry).min(1).describe('The comments.'),
    }),
  ])
  .describe('Internal comments on the contact.');
