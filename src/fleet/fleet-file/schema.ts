import * as z from 'zod';
import {
  invalidBaseUrlMessage,
  invalidVariableNameMessage,
  isBaseUrl,
  variableNamePattern,
} from '../../model/base-url.ts';
import { timezoneSchema } from '../../pipeline/export/destination.ts';
import { notifySchema } from '../../pipeline/notify.ts';
import { durationSchema } from '../../pipeline/quantities.ts';
import { findCronMistake } from '../schedule/next-time.ts';
import { placesSchema } from './places-schema.ts';
import { workspaceValuesSchema } from './values-schema.ts';

const longestSpread = 24 * 60 * 60_000;

/** The schema of a pipeline's schedule. */
export const scheduleSchema = z
  .strictObject({
    cron: z
      .string()
      .superRefine((text, context) => {
        const message = findCronMistake(text);
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      })
      .describe('Minute, hour, day of the month, month and day of the week, as cron takes them.'),
    timezone: timezoneSchema.describe('The time zone of these times, for example Europe/Berlin.'),
    spread: durationSchema
      .prefault('0s')
      .refine((ms) => ms <= longestSpread, 'a spread takes at most 24h')
      .describe(
        'The workspaces start spread over this time, each always equally long behind the time: not all at once.',
      ),
  })
  .describe(
    'When it runs by itself. A time that was missed is made up once. Left out: only when it is asked for.',
  );

/** The schedule of a pipeline; the spread is in milliseconds. */
export type Schedule = z.output<typeof scheduleSchema>;

const notAName =
  'a name has lower-case letters, digits, dots, hyphens and underscores, begins and ends with a letter or digit, and has at most 63 characters';

/** The name of a workspace or of a pipeline; it is also the name of a folder. */
const name = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9._-]{0,61}[a-z0-9])?$/, notAName)
  .refine((text) => text !== 'all', '"all" means every workspace; use another name');

// A base URL is never echoed: people have pasted tokens into it.
const baseUrl = z.string().refine(isBaseUrl, invalidBaseUrlMessage);

const tokenFile = z
  .string()
  .min(1)
  .describe('A file with the token alone, relative to this file; {workspace} is the name of the workspace.');

const workspaceSchema = z
  .strictObject({
    baseUrl: baseUrl.optional().describe('The base URL, ending in /v1; otherwise that of defaults.'),
    tokenEnv: z
      .string()
      .regex(variableNamePattern, invalidVariableNameMessage)
      .optional()
      .describe('The environment variable that holds the token.'),
    tokenFile: tokenFile.optional(),
    values: workspaceValuesSchema,
  })
  .refine(({ tokenEnv, tokenFile: file }) => tokenEnv === undefined || file === undefined, {
    error: 'set tokenEnv or tokenFile, not both',
  });

const pipelineSchema = z
  .strictObject({
    file: z.string().min(1).describe('The pipeline file, relative to this file.'),
    for: z
      .union([z.literal('all'), z.array(name).min(1)])
      .default('all')
      .describe('The workspaces that it is for: all, or a list of names.'),
    schedule: scheduleSchema.optional(),
    priority: z.int().min(-100).max(100).default(0).describe('Jobs with a higher number are taken first.'),
    onChangedInput: z
      .enum(['delta', 'wait', 'fail'])
      .default('delta')
      .describe(
        'Where the input was replaced while a run was unfinished: delta begins a new run, which sends what has changed and what is still open; wait begins none until a person types fleet continue; fail gives the job up.',
      ),
    inputBy: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of the day is written as 04:00')
      .optional()
      .describe(
        'An input that is not there is waited for until this time, in the time zone of the schedule; then the job fails, with an alert.',
      ),
    lateAfter: durationSchema
      .prefault('15m')
      .describe('For how long a success may be owed until the pipeline counts as late.'),
  })
  .refine(({ inputBy, schedule }) => inputBy === undefined || schedule !== undefined, {
    error: 'inputBy is a time of the schedule: set schedule, too',
    path: ['inputBy'],
  });

const longestSlice = 12 * 60 * 60_000;

const limitsSchema = z
  .strictObject({
    perMachine: z.int().min(1).max(256).default(4).describe('Jobs at once in one worker.'),
    inAll: z.int().min(1).max(10_000).optional().describe('Jobs at once in all workers together.'),
    slice: durationSchema
      .prefault('30m')
      .refine((ms) => ms >= 1_000 && ms <= longestSlice, 'a slice takes from 1s to 12h')
      .describe('A job that takes longer is interrupted, and continues behind the others that wait.'),
    lease: durationSchema
      .prefault('30s')
      .refine((ms) => ms >= 1_000 && ms <= 3_600_000, 'a lease takes from 1s to 1h')
      .describe('How long a workspace stays with a worker that does not renew its lease.'),
    settle: durationSchema
      .prefault('10s')
      .refine((ms) => ms <= 3_600_000, 'settle takes at most 1h')
      .describe('How long the next worker waits beyond that before it sends anything.'),
    retries: z
      .int()
      .min(0)
      .max(50)
      .default(8)
      .describe('How often a job that failed is tried again before it is set aside for people.'),
    deaths: z
      .int()
      .min(1)
      .max(1_000)
      .default(20)
      .describe('How many machines in a row may die at work on a job before it is set aside for people.'),
    retryDelay: durationSchema
      .prefault('30s')
      .refine((ms) => ms >= 1_000, 'at least 1s')
      .describe('How long the first of these waits; each next one waits about twice as long.'),
  })
  .describe('How much is done at once, and how long things may take.');

/** The schema of fleet.yaml: the pipelines of each workspace, their schedules, and where their files are. */
export const fleetSchema = z.strictObject({
  fleet: name.describe("The fleet's name."),
  defaults: z
    .strictObject({
      baseUrl: baseUrl.optional().describe('The base URL of workspaces that have none of their own.'),
      tokenFile: tokenFile.optional(),
    })
    .prefault({})
    .describe('What workspaces have that do not say otherwise.'),
  workspaces: z
    .record(name, workspaceSchema)
    .refine((map) => Object.keys(map).length > 0, 'this must not be empty')
    .describe('The workspaces by their names.'),
  pipelines: z
    .record(name, pipelineSchema)
    .refine((map) => Object.keys(map).length > 0, 'this must not be empty')
    .describe('The pipelines by the names under which the fleet knows them.'),
  limits: limitsSchema.prefault({}),
  places: placesSchema.prefault({}),
  alerts: notifySchema
    .optional()
    .describe('Where to send alerts of pipelines that name no place of their own.'),
});

/** The parsed content of fleet.yaml; durations are in milliseconds. */
export type FleetDocument = z.output<typeof fleetSchema>;

/** The JSON Schema of fleet.yaml, for editors. */
export function createFleetJsonSchema(): object {
  return z.toJSONSchema(fleetSchema, { io: 'input' });
}
