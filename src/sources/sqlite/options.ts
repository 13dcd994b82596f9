import { z } from 'zod';
import { databaseNulls, maxRowBytes } from '../options.ts';

/** The options of an input that is a SQLite file, whatever is read of it. */
export const sqliteFileOptions = z.strictObject({
  nulls: databaseNulls,
  maxRowBytes: maxRowBytes('A row whose values have more bytes is a broken row.'),
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
