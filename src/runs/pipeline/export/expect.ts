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
    min: z.int().min(0).optional().describe('The minimum number.'),
    dropMax: errorBudget
      .optional()
      .describe('The largest drop since the export before: a share (20%) or a number.'),
  })
  .refine(({ min, dropMax }) => min !== undefined || dropMax !== undefined, 'set min, dropMax or both')
  .transform(({ min, dropMax }) => ({ min, dropMax }))
  .meta({ id: 'expectation' });

const expected = expectation.optional().describe('How many are expected.');

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
  .describe('What the export must contain; otherwise it is not written and ends with exit code 4.');
