import * as z from 'zod';

const run = z.string().min(1).max(300);

/** The cursor, a row number as text because it is in a query; left out for the first page. */
const after = z
  .string()
  .regex(/^\d{1,15}$/)
  .optional();

export const problemRowsRequestSchema = z.strictObject({
  run,
  consequence: z.string().min(1).max(50),
  code: z.string().min(1).max(500),
  after,
});

/** The schema of a request for rows of a run: all that have an outcome, or those with this one. */
export const runRowsRequestSchema = z.strictObject({
  run,
  outcome: z.string().min(1).max(50).optional(),
  after,
});

export const runFileRequestSchema = z.strictObject({ run, name: z.string().min(1).max(300) });
