import * as z from 'zod';

export const runChoice = z.strictObject({ run: z.string().min(1).max(300) });
