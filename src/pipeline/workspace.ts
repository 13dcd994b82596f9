import { dirname, isAbsolute, join, resolve } from 'node:path';
import * as z from 'zod';
import {
  invalidBaseUrlMessage,
  invalidVariableNameMessage,
  isBaseUrl,
  variableNamePattern,
} from '../model/base-url.ts';
import { durationSchema, rateSchema } from './quantities.ts';

type WorkspaceKeys = z.output<typeof workspaceSchema>;

/** Returns a path that is written in a YAML file, resolved against the folder of that file. */
export function resolveRelativeToFile(file: string, other: string): string {
  return isAbsolute(other) ? other : join(dirname(file), other);
}

/** Returns `workspace:` with the absolute path of the seed of its sandbox. */
export function withResolvedSeedPath(workspace: WorkspaceKeys, file: string): WorkspaceKeys {
  const { sandbox } = workspace;
  if (sandbox?.seed === undefined) return workspace;
  return { ...workspace, sandbox: { ...sandbox, seed: resolve(resolveRelativeToFile(file, sandbox.seed)) } };
}

/** The keys under `limits:` of every pipeline: concurrency, rate, attempts and timeouts. */
export const requestLimitsShape = {
  concurrency: z
    .union([z.literal('auto'), z.int().min(1).max(1024)])
    .default('auto')
    .describe(
      'Requests in flight at the same time; auto: as many as the workspace answers without becoming slower, at most 512.',
    ),
  perPath: rateSchema.prefault('5/s').describe('Requests per second for one method and path.'),
  attempts: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe(
      'How often a request is tried at most. A list of the workspace, as that of its contacts, is tried for the time of outage.',
    ),
  connect: durationSchema
    .prefault('15s')
    .describe('How long the first answer of the workspace may take before it is reported as not answering.'),
  answer: durationSchema
    .prefault('60s')
    .describe('How long one answer may take, from its request to its last byte.'),
  outage: durationSchema
    .prefault('15m')
    .describe('How long a run waits for a workspace that cannot be reached, or for a list that fails.'),
};

// The value is never quoted in a message, because users have pasted tokens into it.
const baseUrl = z.string().refine(isBaseUrl, invalidBaseUrlMessage);

/** `workspace:` of any pipeline. */
export const workspaceSchema = z.strictObject({
  baseUrl: baseUrl.optional().describe('The base URL, ending in /v1; otherwise LONGSHORE_BASE_URL.'),
  tokenEnv: z
    .string()
    .regex(variableNamePattern, invalidVariableNameMessage)
    .prefault('LONGSHORE_TOKEN')
    .describe('The environment variable that holds the token.'),
  sandbox: z
    .looseObject({
      seed: z.string().min(1).optional().describe('A file with the data of a new local workspace.'),
    })
    .optional()
    .describe('The local workspace of --workspace sandbox.'),
});
