import * as z from 'zod';
import { isBaseUrl, notABaseUrl, notAVariable, variableName } from '../../model/base-url.ts';

// The address is never echoed: people have pasted tokens into it.
const baseUrl = z.string().refine(isBaseUrl, notABaseUrl);

/** `workspace:`, the same for every pipeline. */
export const workspaceSchema = z.strictObject({
  baseUrl: baseUrl.optional().describe('The base URL, ending in /v1; otherwise LONGSHORE_BASE_URL.'),
  tokenEnv: z
    .string()
    .regex(variableName, notAVariable)
    .prefault('LONGSHORE_TOKEN')
    .describe('The environment variable that holds the token.'),
  sandbox: z
    .looseObject({
      seed: z.string().min(1).optional().describe('A file with the data of a new local workspace.'),
    })
    .optional()
    .describe('The local workspace of --workspace sandbox.'),
});
