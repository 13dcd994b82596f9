import * as z from 'zod';

const whole = z.int().min(0);
const run = z.string().min(1).max(300);
const at = z.strictObject({ seq: whole, pair: whole });

export const mergePairPageRequestSchema = z.strictObject({
  run,
  /** The cursor, the last pair of the page before; null for the first page. */
  after: at.nullable(),
  count: z.int().min(1).max(500),
});
export const mergeDecisionRequestSchema = z.strictObject({
  run,
  at,
  answer: z.enum(['yes', 'no', '']),
  /** The edited values of the merged contact, by field. */
  result: z.record(z.string().max(1_000), z.string().max(100_000)),
});
