import type { Builder } from './builder.ts';
import { sql } from './sql.ts';

/** A SQL dump whose people are joined to themselves by their names. */
export const dump: Builder = {
  ...sql,
  options: {
    table: 'people',
    join: {
      same: { table: 'people', on: { name: 'name' } },
      all: { table: 'people', on: { name: 'name' }, many: true },
    },
  },
  folders: true,
};
