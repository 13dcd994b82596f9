import * as z from 'zod';

/** The name of a list that is stored for a job. */
const list = z.string();

/** The request of a person to a pipeline. */
export const pipelineRequestSchema = z.discriminatedUnion('kind', [
  /** The rows of its last run that were rejected, failed or are uncertain; `from` and `decided` are stored lists. */
  z.strictObject({
    kind: z.literal('rows'),
    from: list.optional(),
    decided: list.optional(),
    resend: z.boolean(),
    removed: z.boolean(),
  }),
  /** The approvals of a merge-proposals.csv, or the answers of a same-person.csv. */
  z.strictObject({ kind: z.literal('approve'), list }),
  /** The steps that it has deferred. */
  z.strictObject({ kind: z.literal('deferred') }),
  /** An unfinished run whose input was replaced: with what is there now, or with what it began with. */
  z.strictObject({ kind: z.literal('continue'), with: z.enum(['new', 'old']) }),
]);

export type PipelineRequest = z.output<typeof pipelineRequestSchema>;

/** Returns the stored lists that a request names. */
export function storedListsOf(asked: PipelineRequest | undefined): readonly string[] {
  if (asked?.kind === 'approve') return [asked.list];
  return asked?.kind === 'rows' ? [asked.from, asked.decided].flatMap((name) => name ?? []) : [];
}
