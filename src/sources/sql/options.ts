import { z } from 'zod';
import { databaseNulls, maxRowBytes, unendedOption } from '../options.ts';

/** The options of an input that is a SQL dump, whatever is read of it. */
export const sqlDumpOptions = z.strictObject({
  charset: z
    .string()
    .min(1)
    .describe(
      'How bytes become text: a name that MySQL or PostgreSQL use (utf8mb4, latin1, WIN1252) or a label of the Encoding Standard. Left out: the byte order mark, then what the dump declares (SET NAMES, client_encoding) if its bytes agree, then a guess, which is reported.',
    )
    .optional(),
  escapes: z
    .enum(['auto', 'backslash', 'standard'])
    .default('auto')
    .describe(
      'Whether a backslash in a string escapes what follows it, as in MySQL (backslash), or is a character like any other (standard: PostgreSQL, SQLite, MySQL under NO_BACKSLASH_ESCAPES). auto: found in the dump.',
    ),
  nulls: databaseNulls,
  unended: unendedOption.optional(),
  maxRowBytes: maxRowBytes('A row of more bytes (as UTF-8, as it is written) is a broken row.'),
});

/** The options of a SQL source beside `format` and `path`: one table of a dump. */
export const sqlOptions = sqlDumpOptions.extend({
  table: z
    .string()
    .min(1)
    .describe(
      'The table to read, with its database or schema if two have the same name. Needed if the dump has several.',
    )
    .optional(),
});

export type SqlDumpOptions = z.output<typeof sqlDumpOptions>;
export type SqlOptions = z.output<typeof sqlOptions>;
