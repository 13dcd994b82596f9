import * as z from 'zod';

export const runRequest = z.strictObject({ run: z.string().min(1).max(300) });
