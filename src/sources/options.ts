import { z } from 'zod';

/** The option of every format that bounds a row; `words` say what counts and what becomes of a larger one. */
export function maxRowBytes(words: string) {
  return z
    .int()
    .min(256)
    .max(256 * 1024 * 1024)
    .default(1024 * 1024)
    .describe(words);
}

/** Texts that are null. */
export const nullTexts = z.array(z.string().min(1));

/** The same of databases. */
export const databaseNulls = nullTexts
  .default(['0000-00-00', '0000-00-00 00:00:00'])
  .describe(
    'Values with exactly one of these texts are null, as NULL itself is. Left out: the zero dates of MySQL.',
  );

/** The option of the formats whose header is written by people. */
export const duplicateHeaders = z
  .enum(['error', 'number'])
  .default('error')
  .describe('Two columns with the same name: stop, or name the second "Name.2".');

/** The option of SQL dumps, alone or among other files. */
export const unendedOption = z
  .literal('accept')
  .describe(
    'Reads a SQL dump that has lines after its end, or lacks its closing line; an import of it ends with 3. Left out: it ends with 2, and check fails. A dump that is cut off within a statement breaks off either way.',
  );
