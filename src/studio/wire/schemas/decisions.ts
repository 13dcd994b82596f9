import * as z from 'zod';

const run = z.string().min(1).max(300);

export const rejectsRequestSchema = z.strictObject({
  run,
  /** The cursor, a row number as text because it is in a query; left out for the first page. */
  after: z
    .string()
    .regex(/^\d{1,15}$/)
    .optional(),
});

/** The schema of corrected cells, by row number and by column. */
export const cellCorrectionsSchema = z.record(
  z.string().regex(/^\d{1,15}$/),
  z.record(z.string(), z.string()),
);

/** A run, and corrected cells of its rows, to be saved or to be checked. */
export const cellCorrectionsRequestSchema = z.strictObject({ run, corrections: cellCorrectionsSchema });

/**
 * The schema of answers about uncertain comments, by comment id: `yes` sends a comment again, `no` means that
 * the workspace has it.
 */
export const resendAnswersSchema = z.record(z.string(), z.enum(['yes', 'no']));

export const saveResendAnswersRequestSchema = z.strictObject({ run, answers: resendAnswersSchema });

/** The schema of answers to the questions whether two sides are one person, by question id. */
export const samePersonAnswersSchema = z.record(
  z.string().regex(/^\d{1,15}-\d{1,15}$/),
  z.enum(['same', 'different']),
);

export const saveSamePersonAnswersRequestSchema = z.strictObject({ run, answers: samePersonAnswersSchema });
