import * as z from 'zod';
import { command } from './command.ts';

export const processStart = z.strictObject({
  command,
  /** The workspace's token, where the studio does not have it yet. */
  token: z.string().min(1).max(10_000).optional(),
});
export const processChoice = z.strictObject({ id: z.string().regex(/^[\w-]{1,100}$/) });
export const targetQuestion = z.strictObject({ command });
