import * as z from 'zod';

const whole = z.int().min(0);
const run = z.string().min(1).max(300);
const at = z.strictObject({ seq: whole, pair: whole });

export const mergePage = z.strictObject({
  run,
  /** The last pair that is known; null for the first page. */
  after: at.nullable(),
  count: z.int().min(1).max(500),
});
export const mergeDecision = z.strictObject({
  run,
  at,
  answer: z.enum(['yes', 'no', '']),
  /** By field what the merged contact is to have. */
  result: z.record(z.string().max(1_000), z.string().max(100_000)),
});
