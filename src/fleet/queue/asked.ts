import * as z from 'zod';

/** The name of a stored list. */
const list = z.string();

/** The schema of a user's request to a pipeline. */
export const pipelineRequestSchema = z.discriminatedUnion('kind', [
  /**
   * Retries the rows of the pipeline's last run that were rejected, failed or are uncertain; `from` and `decided` are
   * stored lists.
   */
  z.strictObject({
    kind: z.literal('rows'),
    from: list.optional(),
    decided: list.optional(),
    resend: z.boolean(),
    removed: z.boolean(),
  }),
  /** Applies the approvals of a merge-proposals.csv, or the answers of a same-person.csv. */
  z.strictObject({ kind: z.literal('approve'), list }),
  /** Runs the deferred steps. */
  z.strictObject({ kind: z.literal('deferred') }),
  /** Continues an unfinished run whose input was replaced, with the new or the old input. */
  z.strictObject({ kind: z.literal('continue'), with: z.enum(['new', 'old']) }),
]);

export type PipelineRequest = z.output<typeof pipelineRequestSchema>;
