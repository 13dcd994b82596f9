import * as z from 'zod';

const typed = z.string().min(1).max(200).optional();

/** A look at an input, with what somebody knows better, typed as it is after the flags of draft. */
export const lookChoice = z.strictObject({
  path: z.string().min(1).max(4096),
  format: typed,
  header: typed,
  sheet: typed,
  table: typed,
  delimiter: typed,
  encoding: typed,
  /** So many of the first, and so many from all over the file. */
  rows: z.int().min(1).max(500),
  /** Other ones from all over the file for each. */
  seed: z.number().min(0).lt(1),
});
