import * as z from 'zod';

const file = z.object({ file: z.string() });

/** What the page shows of what `draft --json` prints. */
export const draftResult = z.object({
  rows: z.int().nullable(),
  broken: z.int(),
  notes: z.array(z.string()),
  todos: z.array(z.object({ file: z.string(), line: z.int(), question: z.string() })),
  mapping: file,
  pipeline: file,
});
