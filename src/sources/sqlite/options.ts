import { z } from 'zod';

/** The options of an input that is a SQLite file, whatever is read of it. */
export const sqliteFileOptions = z.strictObject({
  nulls: z
    .array(z.string().min(1))
    .default(['0000-00-00', '0000-00-00 00:00:00'])
    .describe(
      'Values with exactly one of these texts are null, as NULL itself is. Left out: the zero dates of MySQL.',
    ),
  maxRowBytes: z
    .int()
    .min(256)
    .max(256 * 1024 * 1024)
    .default(1024 * 1024)
    .describe('A row whose values have more bytes is a broken row.'),
});

/** The options of a SQLite source beside `format` and `path`. */
export const sqliteOptions = sqliteFileOptions.extend({
  table: z
    .string()
    .min(1)
    .describe('The table or view to read. Needed if the file has several tables.')
    .optional(),
});

export type SqliteFileOptions = z.output<typeof sqliteFileOptions>;
export type SqliteOptions = z.output<typeof sqliteOptions>;
