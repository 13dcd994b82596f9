import * as z from 'zod';
import { commandSchema } from './command.ts';

export const startProcessRequestSchema = z.strictObject({
  command: commandSchema,
  /** The workspace's token, if the studio does not have it yet. */
  token: z.string().min(1).max(10_000).optional(),
});
export const processRequestSchema = z.strictObject({ id: z.string().regex(/^[\w-]{1,100}$/) });
export const commandTargetRequestSchema = z.strictObject({ command: commandSchema });
