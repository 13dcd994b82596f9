import * as z from 'zod';
import { contactFieldNames } from '../../model/contact.ts';
import { createMistakeReporter } from '../document/mistake.ts';

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const listed = z.union([z.record(z.string(), cell), cell]);
const expected = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const expectedContact = z.strictObject(
  Object.fromEntries(
    contactFieldNames.map((name) => [name, expected.optional().describe(`The expected ${name}.`)]),
  ),
);

const text = z.union([z.string(), z.number(), z.boolean()]);

const expectedConversation = z.strictObject({
  status: z.enum(['open', 'closed']).optional().describe('The state of the conversation.'),
  category: text.nullable().optional().describe('The name of the closing note.'),
  summary: text.nullable().optional().describe('The summary.'),
});

const expectedDraft = z
  .strictObject({
    contact: expectedContact.optional().describe("The contact's own fields."),
    customFields: z.record(z.string(), expected).optional().describe('Custom fields by name.'),
    tags: z.array(text).optional().describe('The tags, all of them in order.'),
    lifecycle: expected.optional().describe('The lifecycle stage.'),
    assignee: expected.optional().describe('The assignee: from users, else the cell.'),
    conversation: expectedConversation.optional().describe('The state of the conversation.'),
    comments: z
      .record(z.string(), expected)
      .optional()
      .describe('Texts of comments by name, and where they have a key, by name:key.'),
  })
  .describe('Values a new contact would get; fields left out are not compared, null means no value.');

const example = z
  .strictObject({
    row: z
      .record(z.string(), z.union([cell, z.array(listed)]))
      .describe(
        'A row by its columns; what is left out is empty. A joined list or an array is a list of rows or of values.',
      ),
    expect: expectedDraft.optional(),
    rejects: z
      .string()
      .min(1)
      .optional()
      .describe('The code that the row is rejected with, for example email.invalid.'),
  })
  .superRefine(({ expect, rejects }, context) => {
    if ((expect === undefined) === (rejects === undefined)) {
      createMistakeReporter(context)([], 'a test has either expect or rejects');
    }
  });

/** The schema of `tests:`, rows and their expected results; `check` runs them. */
export const exampleListSchema = z.array(example).describe('Example rows; the command check runs them.');

export type ExpectedDraft = z.output<typeof expectedDraft>;

export type MappingExample = z.output<typeof example>;
