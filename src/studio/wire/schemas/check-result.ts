import * as z from 'zod';

const leftBehind = z.object({
  kind: z.string(),
  title: z.string(),
  n: z.int(),
  example: z.object({ line: z.int(), sheet: z.string().exactOptional(), text: z.string() }).nullable(),
  values: z.array(z.object({ value: z.string(), n: z.int() })),
  file: z.string().nullable(),
  fix: z.string(),
  known: z.enum(['now', 'workspace']),
});

/** The schema of the part of the output of `check --json` that the page uses. */
export const checkResultSchema = z.object({
  ok: z.boolean(),
  findings: z.array(
    z.object({
      verdict: z.enum(['ok', 'wrong', 'note']),
      text: z.string(),
      place: z
        .object({
          file: z.string().optional(),
          line: z.int().optional(),
          column: z.int().optional(),
          key: z.string().optional(),
        })
        .optional(),
      next: z.string().optional(),
    }),
  ),
  /** Null if the rows could not be checked. */
  rows: z
    .object({
      read: z.int(),
      pass: z.int(),
      skipped: z.int(),
      filtered: z.int(),
      rejected: z.int(),
      proposed: z.int(),
    })
    .nullable(),
  leftBehind: z.array(leftBehind).default([]),
});
