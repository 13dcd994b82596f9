import { z } from 'zod';

/** Creates the option `maxRowBytes` (1 MB by default) of a format, described by `words`. */
export function createMaxRowBytesOption(words: string) {
  return z
    .int()
    .min(256)
    .max(256 * 1024 * 1024)
    .default(1024 * 1024)
    .describe(words);
}

/** The schema of the option `nulls`: the texts that are read as null. */
export const nullTextsSchema = z.array(z.string().min(1));

/** The option `nulls` of SQL dumps and SQLite files. */
export const databaseNullsOption = nullTextsSchema
  .default(['0000-00-00', '0000-00-00 00:00:00'])
  .describe(
    'Values with exactly one of these texts are null, as NULL itself is. Left out: the zero dates of MySQL.',
  );

/** The option `duplicateHeaders` of the formats with a header: whether two columns may have the same name. */
export const duplicateHeadersOption = z
  .enum(['error', 'number'])
  .default('error')
  .describe('Two columns with the same name: stop, or name the second "Name.2".');

/** The option `unended` of SQL dumps. */
export const unendedOption = z
  .literal('accept')
  .describe(
    'Reads a SQL dump that has lines after its end, or lacks its closing line; an import of it ends with 3. Left out: it ends with 2, and check fails. A dump that is cut off within a statement breaks off either way.',
  );
