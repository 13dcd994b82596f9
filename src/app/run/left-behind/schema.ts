import { z } from 'zod';

const whole = z.int().min(0);

/** The fields of a row's place. */
export const rowPlaceShape = {
  line: z.int(),
  sheet: z.string().exactOptional().describe('Where several sheets are one input'),
};

/** The losses of an import, by kind. */
export const leftBehindSchema = z
  .array(
    z.object({
      kind: z.string(),
      title: z.string().describe('What it is; the same words everywhere'),
      n: whole.describe('How often'),
      example: z
        .object({ ...rowPlaceShape, text: z.string() })
        .nullable()
        .describe('The first row that has it; null where no row does'),
      values: z
        .array(z.object({ value: z.string(), n: whole }))
        .readonly()
        .describe(
          'Owners, stages, tags, fields, columns and codes with how many rows have them, the most frequent first',
        ),
      file: z.string().nullable().describe('The file of the run that lists all'),
      fix: z.string().describe('What to change'),
      known: z.enum(['now', 'workspace']).describe('Whether only the workspace knows it'),
    }),
  )
  .describe('What this import leaves behind');
