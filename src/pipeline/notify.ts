import * as z from 'zod';
import { isBaseUrl, variableNamePattern } from '../model/base-url.ts';
import { alertEvents } from '../notify/index.ts';

const whatFor = 'the name of an environment variable is expected here, not the secret itself';

/** `notify:` of an import or an export. */
export const notifySchema = z
  .strictObject({
    url: z
      // The URL is never quoted in a message: it often contains a secret.
      .string()
      .refine(
        isBaseUrl,
        'this is not an https address without user name, such as https://hooks.example.test/x (http is allowed only for this machine)',
      )
      .describe('Receives a POST; https, or http to this machine.'),
    on: z
      .array(z.enum(alertEvents))
      .min(1)
      .describe(
        'When: the command failed, rows need attention (or a guard stopped an export), it works again, it succeeded.',
      ),
    secretEnv: z
      .string()
      .regex(variableNamePattern, whatFor)
      .prefault('LONGSHORE_NOTIFY_SECRET')
      .describe('The environment variable whose secret signs the alerts.'),
  })
  .describe('Where to send alerts.');

/** The alert settings of a pipeline. */
export type NotifySettings = z.output<typeof notifySchema>;
