import { sourceFormat } from '../source-format.ts';
import { sqliteOptions } from './options.ts';
import { sqliteExtensions, sqliteSource, sqliteTables } from './source.ts';

export const sqlite = sourceFormat({
  name: 'sqlite',
  extensions: sqliteExtensions,
  words: {
    reads: 'A table or a view of a SQLite file, which is never written.',
    columns: "The table's.",
    line: "The row's number.",
  },
  options: sqliteOptions,
  tables: sqliteTables,
  open: sqliteSource,
});
