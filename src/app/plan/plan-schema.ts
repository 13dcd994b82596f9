import { z } from 'zod';
import { rowSelectionSchema } from '../../journal/index.ts';
import { outcomes } from '../../model/outcome.ts';
import { leftBehindSchema, rowPlaceShape } from '../run/left-behind/schema.ts';

const count = z.int().min(0);
const text = z.string().nullable();

const fieldSchema = z
  .object({
    field: z.string(),
    filled: count.describe('Contacts in which it is empty now.'),
    replaced: count.describe('Contacts that get another value.'),
    cleared: count.describe('Contacts in which it is emptied.'),
    frequent: z
      .array(
        z.object({
          ...{ from: text, to: text, contacts: count },
          line: z.int().describe('Of one of their rows.'),
          sheet: rowPlaceShape.sheet,
        }),
      )
      .describe('The most frequent changes.'),
  })
  .describe('How a field changes over all contacts that are there.');

const stepSchema = z
  .object({
    step: z.string(),
    count,
    frequent: z.array(z.object({ value: z.string(), count })).describe('What it sets most often.'),
  })
  .describe("A step beside the contacts' own fields.");

const unpredictableSchema = z
  .object({ code: z.string(), count, text: z.string() })
  .describe('Something that a plan cannot say beforehand, and how often it applies.');

const atLimit = z
  .number()
  .describe('Seconds at the rate limit of its path; 0 where each contact has a path of its own.');

const timeSchema = z.object({
  leastSeconds: z.number().describe('At the rate limit, with the fastest answers.'),
  likelySeconds: z.number().nullable().describe('null where no import was timed yet.'),
  bottleneck: z
    .object({
      kind: z.enum(['rate', 'latency', 'machine']),
      request: text.describe('Whose rate limit it is.'),
      requests: z.number(),
    })
    .describe('What takes longest: the rate limit of one request, waiting for answers, or this machine.'),
});

/** The schema of the output of `plan --json`. */
export const planSummarySchema = z
  .object({
    pipeline: z.string(),
    target: z.string().describe('The base URL, or sandbox.'),
    selection: rowSelectionSchema.describe('Which rows of the input.'),
    limit: z.number().nullable().describe('How many rows at the most; null for all.'),
    continues: text.describe('The unfinished run that the import would continue.'),
    madeAt: z.iso.datetime(),
    error: text.describe('What would stop the import before its end.'),
    rows: z
      .record(z.enum(outcomes), count)
      .describe('What rows would come to; those that an earlier session has finished are not among them.'),
    questions: z
      .object({ count, examples: z.array(z.object({ ...rowPlaceShape, question: z.string() })) })
      .describe('Rows that may be the person of an existing contact: they would be in same-person.csv.'),
    fields: z.array(fieldSchema),
    steps: z.array(stepSchema),
    writes: z.array(
      z.object({
        request: z.string().describe('Method and path template.'),
        count,
        perhaps: count.describe('Sent only if the answer to another asks for it.'),
        seconds: atLimit,
      }),
    ),
    reads: z.array(z.object({ request: z.string(), count, seconds: atLimit })),
    time: timeSchema,
    unpredictable: z.array(unpredictableSchema),
    leftBehind: leftBehindSchema,
    samples: z
      .array(
        z.object({
          seq: z.int().describe('From 0, in the order of the input.'),
          ...rowPlaceShape,
          key: text,
          outcome: z.enum(outcomes),
          contact: z.int().nullable().describe('null for one that would be created.'),
          problems: z.array(z.object({ code: z.string(), reason: z.string() })),
          changes: z.array(
            z.object({
              step: z.string(),
              field: z.string(),
              from: z.unknown().optional().describe('What is there now, where it is replaced.'),
              to: z.unknown(),
            }),
          ),
        }),
      )
      .optional()
      .describe('Rows with everything that would be sent for them: --sample, --only and --row choose them.'),
  })
  .describe('What an import would do (plan --json, import --dry-run --json).');

export type FieldChangeSummary = z.output<typeof fieldSchema>;
export type StepCountSummary = z.output<typeof stepSchema>;
export type UnpredictableEffect = z.output<typeof unpredictableSchema>;
export type ImportTimeEstimate = z.output<typeof timeSchema>;
export type PlanSummary = z.output<typeof planSummarySchema>;

/** Returns the JSON Schema of the output of `plan --json`. */
export function createPlanJsonSchema(): object {
  return z.toJSONSchema(planSummarySchema);
}
