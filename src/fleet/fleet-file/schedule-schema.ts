import * as z from 'zod';
import { timezoneSchema } from '../../pipeline/export/destination.ts';
import { duration } from '../../pipeline/quantities.ts';
import { cronMistake } from '../schedule/next-time.ts';

const longestSpread = 24 * 60 * 60_000;

/** When a pipeline runs by itself. */
export const scheduleSchema = z
  .strictObject({
    cron: z
      .string()
      .superRefine((text, context) => {
        const message = cronMistake(text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .describe('Minute, hour, day of the month, month and day of the week, as cron takes them.'),
    timezone: timezoneSchema.describe('The time zone of these times, for example Europe/Berlin.'),
    spread: duration
      .prefault('0s')
      .refine((ms) => ms <= longestSpread, 'a spread takes at most 24h')
      .describe(
        'The workspaces start spread over this time, each always equally long behind the time: not all at once.',
      ),
  })
  .describe(
    'When it runs by itself. A time that was missed is made up once. Left out: only when it is asked for.',
  );

/** When a pipeline runs by itself, the spread in milliseconds. */
export type Schedule = z.output<typeof scheduleSchema>;
