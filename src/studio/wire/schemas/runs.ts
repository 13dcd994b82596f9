import * as z from 'zod';

export const runRequestSchema = z.strictObject({ run: z.string().min(1).max(300) });
/** The pipeline of the import whose progress is reported, too. */
export const activityRequestSchema = z.strictObject({ pipeline: z.string().min(1).max(4096).optional() });
