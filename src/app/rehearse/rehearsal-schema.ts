import { z } from 'zod';
import { rowSelectionSchema } from '../../journal/index.ts';
import { outcomes } from '../../model/outcome.ts';
import { leftBehindSchema } from '../run/left-behind/schema.ts';

const count = z.int().min(0);

/** The schema of the output of `rehearse --json`. */
export const rehearsalSummarySchema = z
  .object({
    pipeline: z.string(),
    target: z.string().describe('The base URL, or sandbox.'),
    selection: rowSelectionSchema.describe('Which rows of the input.'),
    limit: z.number().nullable().describe('How many rows at the most; null for all.'),
    continues: z.string().nullable().describe('The unfinished run that the import would continue.'),
    madeAt: z.iso.datetime(),
    exitCode: z.int().describe('That of the import.'),
    error: z.string().nullable().describe('What would stop the import before its end.'),
    guard: z.string().nullable().describe("What the pipeline's guard would stop the import for."),
    rows: z
      .record(z.enum([...outcomes, 'read', 'notReached']), count)
      .describe('What the rows came to; read is their sum.'),
    steps: z
      .record(z.string(), count)
      .describe("What was done beside the contacts' own fields, by step, with how often."),
    problems: z
      .array(z.object({ code: z.string(), count, lines: z.array(z.int()) }))
      .describe('Why rows need a look, or values were left out, with lines of the input as examples.'),
    leftBehind: leftBehindSchema,
    contacts: z.object({
      copied: count.describe('Contacts that were read.'),
      created: count,
      changed: count,
      mergedAway: count,
    }),
    time: z.object({
      seconds: z.number().describe('What the import takes on the real workspace.'),
      timed: z
        .enum(['imports', 'reads', 'nothing'])
        .describe(
          'How answers were timed: by earlier imports, by what was read for the copy, or not at all.',
        ),
    }),
    requests: z.array(z.object({ request: z.string().describe('Method and path template.'), count })),
    limits: z.array(z.string()).describe('What a rehearsal cannot say.'),
    samples: z
      .array(
        z.object({
          contact: z.int().nullable().describe('null for a new one.'),
          change: z.enum(['created', 'changed', 'mergedAway']),
          name: z.string(),
          values: z.array(
            z.object({
              field: z.string(),
              from: z.string().nullable().describe('null where it was empty.'),
              to: z.string().nullable(),
            }),
          ),
        }),
      )
      .describe('Contacts that the import changed.'),
    files: z
      .object({ before: z.string(), after: z.string() })
      .nullable()
      .describe('All contacts of the copy as CSV: --out.'),
    kept: z.string().nullable().describe('The folder of the copy: --keep.'),
  })
  .describe('What an import did to a copy of the workspace (rehearse --json).');

export type RehearsalSummary = z.output<typeof rehearsalSummarySchema>;

/** Returns the JSON Schema of the output of `rehearse --json`. */
export function createRehearsalJsonSchema(): object {
  return z.toJSONSchema(rehearsalSummarySchema);
}
