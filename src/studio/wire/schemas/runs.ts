import * as z from 'zod';

export const runRequestSchema = z.strictObject({ run: z.string().min(1).max(300) });
/** The schema of a request for the activity, with the progress of the import of `pipeline` if it is set. */
export const activityRequestSchema = z.strictObject({ pipeline: z.string().min(1).max(4096).optional() });
