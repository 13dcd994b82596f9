import * as z from 'zod';

const run = z.string().min(1).max(300);

export const problemChoice = z.strictObject({
  run,
  consequence: z.string().min(1).max(50),
  code: z.string().min(1).max(500),
  /** The item after which to go on; left out for the first page. It stands in a query, so it is a text. */
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});
