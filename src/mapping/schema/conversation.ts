import * as z from 'zod';
import { createMistakeReporter } from '../document/mistake.ts';
import { columnNameSchema, textTemplateSchema } from './field-rule.ts';

const state = z.enum(['open', 'closed']);

const stateOfRow = z.strictObject({
  from: columnNameSchema.describe('The column that says open or closed.'),
  values: z
    .record(z.string(), state.nullable())
    .optional()
    .describe('Translates cells, without regard to case; null leaves the conversation alone.'),
});

/** The schema of `conversation:`. */
export const conversationRuleSchema = z
  .strictObject({
    status: z
      .union([state, stateOfRow])
      .describe('The state of the conversation: open, closed, or from a column.'),
    category: z.string().min(1).max(128).optional().describe('The name of a closing note.'),
    summary: textTemplateSchema.optional().describe('At most 512 characters; only with a category.'),
    existing: z.boolean().optional().describe('Also for contacts that were there before.'),
    overflow: z
      .enum(['reject', 'cut'])
      .optional()
      .describe(
        'What a summary that is too long does: reject the row (the default), or cut the summary at 512 characters.',
      ),
  })
  .superRefine(({ status, category, summary }, context) => {
    const note = createMistakeReporter(context);
    if (status === 'open' && category !== undefined) {
      note(['category'], 'only a conversation that is closed has a category');
    }
    if (summary !== undefined && category === undefined) {
      note(['summary'], 'a summary needs a category: without one the workspace does not use it');
    }
  })
  .describe('Opens or closes the conversation.');

export type ConversationRule = z.output<typeof conversationRuleSchema>;
