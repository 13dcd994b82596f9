import * as z from 'zod';

const path = z.string().min(1).max(4096);
const whole = z.int().min(0);

export const pipelinePlansRequestSchema = z.strictObject({ pipeline: path });
export const planRequestSchema = z.strictObject({ pipeline: path, path });
export const planLinesRequestSchema = z.strictObject({
  path,
  filter: z.strictObject({
    outcome: z.string().max(100).optional(),
    /** The kind of change; empty for rows without a change. */
    kind: z.string().max(100).optional(),
    field: z.string().max(1_000).optional(),
    text: z.string().max(1_000).optional(),
    labelled: z.array(z.string().max(1_000)).max(1_000).readonly().optional(),
  }),
  from: whole,
  count: z.int().min(1).max(1_000),
});
export const planRowRequestSchema = z.strictObject({ path, seq: whole });
