import { z } from 'zod';
import {
  invalidBaseUrlMessage,
  invalidVariableNameMessage,
  isBaseUrl,
  variableNamePattern,
} from '../../model/base-url.ts';
import { createMaxRowBytesOption } from '../options.ts';

/** The options of a workspace source besides `format`. */
export const workspaceOptionsSchema = z.strictObject({
  baseUrl: z
    .string()
    // The URL is never echoed: it may hold a pasted token.
    .refine(isBaseUrl, invalidBaseUrlMessage)
    .optional()
    .describe('The base URL of the workspace to read; otherwise LONGSHORE_SOURCE_BASE_URL.'),
  tokenEnv: z
    .string()
    .regex(variableNamePattern, invalidVariableNameMessage)
    .default('LONGSHORE_SOURCE_TOKEN')
    .describe('The environment variable that holds the token of that workspace.'),
  sandbox: z
    .strictObject({
      file: z
        .string()
        .min(1)
        .optional()
        .describe('The file of a local workspace, relative to this file; otherwise one in the work dir.'),
      seed: z.string().min(1).optional().describe('A file that fills it when it is new.'),
    })
    .optional()
    .describe(
      'A local workspace to read instead of the live one with --workspace sandbox. Left out: the live one is read then, too.',
    ),
  messages: z
    .boolean()
    .default(false)
    .describe('Whether the messages of each contact are read too, as the list messages, in time order.'),
  maxRowBytes: createMaxRowBytesOption(
    'A contact of more bytes (as UTF-8, without its messages) is a broken row.',
  ),
});

export type WorkspaceOptions = z.output<typeof workspaceOptionsSchema>;

const settings = workspaceOptionsSchema.pick({ baseUrl: true, tokenEnv: true, sandbox: true }).loose();

/** Parses the options that say which workspace is read, and ignores all others. Throws a ZodError for invalid ones. */
export function parseWorkspaceAccessOptions(
  options: unknown,
): Pick<WorkspaceOptions, 'baseUrl' | 'tokenEnv' | 'sandbox'> {
  return settings.parse(options);
}
