import * as z from 'zod';

const run = z.string().min(1).max(300);

export const problemChoice = z.strictObject({
  run,
  consequence: z.string().min(1).max(50),
  code: z.string().min(1).max(500),
  /** The item after which to go on; -1 for the first page. Of a query, so a text. */
  after: z.coerce.number().int().min(-1).default(-1),
});
