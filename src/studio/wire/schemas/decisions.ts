import * as z from 'zod';

const run = z.string().min(1).max(300);

export const rejectsChoice = z.strictObject({
  run,
  /** The row after which to go on; left out for the first page. It stands in a query, so it is a text. */
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

/** Corrected cells by the number of their row and by column. */
export const corrections = z.record(z.string().regex(/^\d{1,15}$/), z.record(z.string(), z.string()));

export const correctionsSent = z.strictObject({ run, corrections });

/** What a person says of comments, by their ids. */
export const answers = z.record(z.string(), z.enum(['yes', 'no']));

export const answersSent = z.strictObject({ run, answers });
