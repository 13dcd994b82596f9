import { z } from 'zod';
import { encodingOption } from '../encoding/text-file.ts';
import { createMaxRowBytesOption, nullTextsSchema } from '../options.ts';

/** The options of an NDJSON source besides `format` and `path`. */
export const ndjsonOptionsSchema = z.strictObject({
  encoding: encodingOption,
  nulls: nullTextsSchema
    .default([])
    .describe(
      'Cells with exactly one of these texts are null, for example "NULL" or "\\N"; null itself always is.',
    ),
  without: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Properties of the records to leave out, with everything in them, for example "given" of an export.',
    ),
  loneSurrogates: z
    .enum(['reject', 'replace'])
    .default('reject')
    .describe(
      'What is done about half of a character (a lone surrogate), as in a text that was cut within an emoji: the record is rejected as a broken row, or the half becomes U+FFFD.',
    ),
  maxRowBytes: createMaxRowBytesOption('A record of more bytes (as UTF-8) is a broken row.'),
});

/** The options of a JSON source besides `format` and `path`. */
export const jsonOptionsSchema = ndjsonOptionsSchema.extend({
  at: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where the array of records is: the keys that lead to it, for example "data.contacts"; arrays on the way are searched too. With * as the last key, "contacts.*", the records are the values of an object, and the column "$key" has the key of each. Left out: at the top.',
    ),
});

export type NdjsonOptions = z.output<typeof ndjsonOptionsSchema>;
export type JsonOptions = z.output<typeof jsonOptionsSchema>;
