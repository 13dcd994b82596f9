import * as z from 'zod';

const file = z.object({ file: z.string() });

/** The schema of the part of the output of `draft --json` that the page uses. */
export const draftResultSchema = z.object({
  rows: z.int().nullable(),
  broken: z.int(),
  notes: z.array(z.string()),
  todos: z.array(z.object({ file: z.string(), line: z.int(), question: z.string() })),
  mapping: file,
  pipeline: file,
});
