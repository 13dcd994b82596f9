import type { Source } from '../../model/row.ts';
import type { SourceInput } from '../source-format.ts';
import { chosenTable, type TableSet } from '../tables.ts';
import { SqlDump } from './dump.ts';
import { type SqlDumpOptions, type SqlOptions, sqlDumpOptions } from './options.ts';

/** One table of a plain-text SQL dump as a source; nothing is touched before `inspect` or `read`. */
export function sqlSource(options: SqlOptions, input: SourceInput): Source {
  const dump = new SqlDump(options, input, ['sql', options]);
  return {
    async inspect(signal) {
      const wanted = options.table === undefined ? null : [options.table];
      const { tables, ...facts } = await dump.inspect(signal, wanted);
      const { items, columns } = chosenTable(facts.name, tables, options.table);
      return { ...facts, items, columns };
    },
    read: (from, signal) => dump.read(options.table, from, signal),
  };
}

/** The tables of a plain-text SQL dump; nothing is touched before `inspect` or `read`. */
export function sqlTables(options: Partial<SqlDumpOptions>, input: SourceInput): TableSet {
  const parsed = sqlDumpOptions.parse(options);
  const unpacking = input.unpacking ?? { extensions: ['sql'], maxBytes: undefined };
  return new SqlDump(parsed, { ...input, unpacking }, ['sql tables', parsed]);
}
