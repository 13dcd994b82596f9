import * as z from 'zod';

export const runRequestSchema = z.strictObject({ run: z.string().min(1).max(300) });
export const importProgressRequestSchema = z.strictObject({ pipeline: z.string().min(1).max(4096) });
