import * as z from 'zod';

const run = z.string().min(1).max(300);

export const problemRowsRequestSchema = z.strictObject({
  run,
  consequence: z.string().min(1).max(50),
  code: z.string().min(1).max(500),
  /** The cursor, a row number as text because it is in a query; left out for the first page. */
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});
