import { z } from 'zod';
import { encodingOption } from '../encoding/text-file.ts';
import { formulaGuardOption } from '../guarded-file.ts';
import { createMaxRowBytesOption, duplicateHeadersOption, nullTextsSchema } from '../options.ts';

const delimiter = z
  .string()
  .min(1)
  .describe('What separates two cells. Left out: found in the first records.');
const quote = z
  .union([z.string().length(1), z.literal(false)])
  .describe('The character around cells with delimiters or line ends; false if the file quotes nothing.');
const escapeCharacter = z
  .string()
  .length(1)
  .describe('The character before a quote within a quoted cell; usually the quote itself, or a backslash.');
const header = z
  .union([z.boolean(), z.int().min(1), z.array(z.string()).min(1)])
  .describe(
    'true: the first record names the columns. A number: the record in that line does, and the lines before it are no rows. false: there is no header, and the columns are named "Column 1", "Column 2" and so on. A list: there is no header, and these are the names.',
  );

/** The options of a CSV source besides `format` and `path`; missing ones are detected. */
export const csvOptionsSchema = z.strictObject({
  encoding: encodingOption,
  delimiter: delimiter.optional(),
  quote: quote.optional(),
  escape: escapeCharacter.optional(),
  header: header.optional(),
  lineEnds: z
    .enum(['auto', 'lf', 'crlf', 'cr'])
    .default('auto')
    .describe('What ends a line outside of quotes; auto accepts all three, also mixed.'),
  ragged: z
    .enum(['reject', 'pad'])
    .default('reject')
    .describe(
      'A row with more or fewer cells than the header: reject it, or pad missing cells with empty ones.',
    ),
  nulls: nullTextsSchema
    .optional()
    .describe(
      'Cells with exactly one of these texts are null, for example "NULL". Left out: "\\N", as databases write it; none in a guarded file.',
    ),
  guarded: formulaGuardOption,
  skipEmpty: z
    .boolean()
    .default(false)
    .describe(
      'Leave out records whose cells are all empty, and count them as filtered; empty lines are no records.',
    ),
  comment: z.string().min(1).optional().describe('Lines that begin with this are left out.'),
  duplicateHeaders: duplicateHeadersOption,
  maxRowBytes: createMaxRowBytesOption('A record of more bytes (as UTF-8) is a broken row.'),
});

export type CsvOptions = z.output<typeof csvOptionsSchema>;

/** The options with `nulls` and `guarded` resolved. */
export interface ResolvedCsvOptions extends CsvOptions {
  readonly nulls: string[];
  readonly guarded: boolean;
}

/** Resolves the options for a file; the defaults of a guarded one are no null texts, and `"` as the quote. */
export function resolveCsvOptions(options: CsvOptions, guarded: boolean): ResolvedCsvOptions {
  // The order of the keys must not change, because the fingerprint depends on it.
  const { nulls, guarded: _stated, ...rest } = options;
  return guarded
    ? { ...rest, nulls: nulls ?? [], guarded, quote: options.quote ?? '"' }
    : { ...rest, nulls: nulls ?? ['\\N'], guarded };
}

/** The options of a TSV source: those of CSV, with the tab as the default delimiter. */
export const tsvOptionsSchema = csvOptionsSchema.extend({ delimiter: delimiter.default('\t') });
