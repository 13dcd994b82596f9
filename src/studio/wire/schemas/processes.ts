import * as z from 'zod';
import { commandSchema } from './command.ts';

export const startProcessRequest = z.strictObject({
  command: commandSchema,
  /** The workspace's token, if the studio does not have it yet. */
  token: z.string().min(1).max(10_000).optional(),
});
export const processRequest = z.strictObject({ id: z.string().regex(/^[\w-]{1,100}$/) });
export const commandTargetRequest = z.strictObject({ command: commandSchema });
