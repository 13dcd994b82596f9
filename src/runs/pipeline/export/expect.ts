import * as z from 'zod';
import { errorBudget } from '../quantities.ts';

/** The kinds that a pipeline names, and whose number can be expected. */
export const expectedKinds = [
  'contacts',
  'messages',
  'users',
  'customFields',
  'closingNotes',
  'tags',
  'templates',
] as const;

const expectation = z
  .strictObject({
    min: z.int().min(0).optional().describe('At least so many.'),
    dropMax: errorBudget
      .optional()
      .describe('At most so many fewer than in the export before: a share (20%) or a number.'),
  })
  .refine(({ min, dropMax }) => min !== undefined || dropMax !== undefined, 'say min, dropMax or both')
  .transform(({ min, dropMax }) => ({ min, dropMax }))
  .meta({ id: 'expectation' });

const expected = expectation.optional().describe('How many of these.');

const kinds = z.strictObject({
  contacts: expected,
  messages: expected,
  users: expected,
  customFields: expected,
  closingNotes: expected,
  tags: expected,
  templates: expected,
});

/** `expect:`, the numbers without which an export does not appear. */
export const expectSchema = kinds
  .prefault({})
  .describe('What must be there, so that the export appears; otherwise it ends with 4.');
