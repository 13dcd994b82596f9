import * as z from 'zod';

/** The schema of a request for the runs of an export pipeline, by its name in the journal. */
export const exportRunsRequestSchema = z.strictObject({ pipeline: z.string().min(1).max(300) });

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The schema of the part of the output of `undo --dry-run --json` that the page uses. */
export const undoPreviewResultSchema = z.object({
  run: z.string(),
  continues: z.string().nullable(),
  contacts: z.int(),
  changed: z.int(),
  fields: z.record(z.string(), z.object({ contacts: z.int(), emptied: z.int() })),
  deletedTags: z.array(z.string()),
  createdTags: z.array(z.string()),
  why: z.record(z.string(), z.int()),
  samples: z.array(
    z.object({
      contact: z.int(),
      line: z.int().nullable(),
      identifier: z.string().nullable(),
      putBack: z.array(z.object({ kind: z.string(), name: z.string(), from: value, to: value })),
    }),
  ),
  unread: z.int(),
});
