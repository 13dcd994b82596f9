import { z } from 'zod';
import { formulaGuardOption } from '../guarded-file.ts';
import { createMaxRowBytesOption, duplicateHeadersOption, nullTextsSchema } from '../options.ts';

/** The options of an xlsx source besides `format` and `path`. */
export const xlsxOptionsSchema = z.strictObject({
  sheet: z
    .union([z.string().min(1), z.int().min(1)])
    .optional()
    .describe(
      'The name of the sheet, or its number from 1, hidden ones counted. Left out: the first visible one with a table.',
    ),
  sheets: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe(
      'The names of several sheets with the same columns, read one after the other as one input, for example [North, South]. A key that is in two of them is of two people. Instead of "sheet".',
    ),
  headerRow: z
    .union([z.int().min(1), z.literal(false)])
    .optional()
    .describe(
      'The number of the row that names the columns; the rows above it are left out. false: there is no header, and the columns are named "Column 1", "Column 2" and so on. Left out: found in the first rows.',
    ),
  nulls: nullTextsSchema
    .default([])
    .describe('Cells with exactly one of these texts are null, for example "NULL" or "\\N".'),
  guarded: formulaGuardOption,
  duplicateHeaders: duplicateHeadersOption,
  maxRowBytes: createMaxRowBytesOption('A row whose texts have more bytes (as UTF-8) is a broken row.'),
});

export type XlsxOptions = z.output<typeof xlsxOptionsSchema>;
