import { sourceFormat } from '../source-format.ts';
import { sqlOptions } from './options.ts';
import { sqlSource, sqlTables } from './source.ts';

export const sql = sourceFormat({
  name: 'sql',
  extensions: ['sql'],
  words: {
    reads: 'One table of a dump of mysqldump, phpMyAdmin or pg_dump, without a database server.',
    columns: "The table's.",
    line: 'The line of the tuple.',
  },
  options: sqlOptions,
  tables: sqlTables,
  open: sqlSource,
});
