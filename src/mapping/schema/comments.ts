import * as z from 'zod';
import { isTimestampFormat } from '../../datatypes/index.ts';
import { createMistakeReporter } from '../document/mistake.ts';
import { columnNameSchema, commentTemplateSchema } from './field-rule.ts';

const timestampFormat = z
  .string()
  .refine(isTimestampFormat, 'a format is iso, epoch, epochMillis, or made of tokens as in MM/dd/yyyy HH:mm');

const commentEntry = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .regex(/^[^:]*$/, 'a name must not have a colon, which separates it from the key')
      .optional()
      .describe('The name that identifies the comment, whatever its text; default: the name of the list.'),
    each: columnNameSchema
      .optional()
      .describe('A joined list, or a column with a JSON array of objects: one comment for each of its rows.'),
    key: columnNameSchema
      .optional()
      .describe('The column that tells comments of the same name apart; it identifies the comment, too.'),
    text: commentTemplateSchema.describe(
      'The text; {column} inserts a cell, {mention: assignee} mentions. A line of which all cells are empty is left out, and a comment of which all are.',
    ),
    needs: z
      .union([columnNameSchema, z.array(columnNameSchema).min(1)])
      .optional()
      .describe(
        'No comment where these columns are all empty, whatever else the text inserts, such as a date.',
      ),
    html: z
      .union([z.literal(true), z.array(columnNameSchema).min(1)])
      .optional()
      .describe('These columns (true: all) are HTML: the text that they show is inserted.'),
    dates: z
      .record(columnNameSchema, z.union([timestampFormat, z.array(timestampFormat).min(1)]))
      .optional()
      .describe(
        'How dates in columns are written: iso, epoch (seconds since 1970), epochMillis, MM/dd/yyyy HH:mm, or a list that is tried in order. They are inserted, and ordered, as yyyy-MM-dd HH:mm.',
      ),
    order: columnNameSchema
      .optional()
      .describe("The column that orders each's comments: by its numbers, or as text, as ISO dates are."),
  })
  .superRefine(({ name, each, key, order }, context) => {
    const note = createMistakeReporter(context);
    if (each !== undefined) {
      if (key === undefined)
        note([], '"each" needs a key: the column that tells its comments apart, so that none is sent twice');
      return;
    }
    if (name === undefined) note([], 'a comment needs a name: it is remembered by it');
    if (order !== undefined)
      note(['order'], '"order" orders the comments of "each", and this is a single one');
  });

export type CommentEntry = z.output<typeof commentEntry>;

const commentEntries = z
  .array(commentEntry)
  .min(1)
  .superRefine((entries, context) => {
    const note = createMistakeReporter(context);
    const names = new Set<string>();
    for (const [index, { each, name = each }] of entries.entries()) {
      if (name === undefined) continue;
      if (names.has(name)) {
        note([index, 'name'], `another comment is named ${JSON.stringify(name)}; names must differ`);
      }
      names.add(name);
    }
  });

/** The schema of `comments:`: a list of entries, or an object with `entries`. */
export const commentsRuleSchema = z
  .union([
    commentEntries,
    z.strictObject({
      existing: z
        .enum(['send', 'skip'])
        .optional()
        .describe('Whether contacts that were there before get comments, too.'),
      entries: commentEntries.describe('The comments.'),
    }),
  ])
  .describe('Internal comments on the contact.');

export type CommentsRule = z.output<typeof commentsRuleSchema>;

/** Returns the entries in the file's order, each with its path in the mapping. */
export function listCommentEntries(
  rule: CommentsRule,
): readonly { readonly entry: CommentEntry; readonly path: readonly (string | number)[] }[] {
  const [entries, above] = Array.isArray(rule)
    ? [rule, ['comments']]
    : [rule.entries, ['comments', 'entries']];
  return entries.map((entry, index) => ({ entry, path: [...above, index] }));
}
