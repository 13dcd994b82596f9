import { formatNameList } from '../../model/listed.ts';
import type { Source } from '../../model/row.ts';
import { defineSourceFormat, type SourceInput } from '../source-format.ts';
import { chooseTable, findTableByName, type TableFacts, type TableSet } from '../tables.ts';
import {
  type InspectedSqliteFile,
  type SqliteFileOptions,
  SqliteInputReader,
  type SqliteOptions,
  sqliteFileOptionsSchema,
  sqliteOptionsSchema,
} from './database.ts';
import type { TableOrView } from './table-rows.ts';

/** The file extensions of SQLite files. */
const sqliteExtensions = ['sqlite', 'sqlite3', 'db', 'db3'];

/** Creates the source of a table or view; reads nothing before `inspect` or `read`. */
function sqliteSource(options: SqliteOptions, input: SourceInput): Source {
  const database = new SqliteInputReader(input, ['sqlite', options], options);
  return {
    async inspect(signal) {
      const known = await database.inspect(signal);
      const table = await tableOf(database, known, options.table, signal);
      const { columns, items } = await database.measure(known, table, signal);
      return { ...fileFacts(known), items, columns, notes: [] };
    },
    async *read(from, signal) {
      const known = await database.known(signal);
      yield* database.items(known, await tableOf(database, known, options.table, signal), from, signal);
    },
  };
}

/** Creates the table set of a SQLite file; reads nothing before `inspect` or `read`. */
export function createSqliteTableSet(options: Partial<SqliteFileOptions>, input: SourceInput): TableSet {
  const parsed = sqliteFileOptionsSchema.parse(options);
  const unpacking = input.unpacking ?? { extensions: sqliteExtensions, maxBytes: undefined };
  const database = new SqliteInputReader({ ...input, unpacking }, ['sqlite tables', parsed], parsed);
  return {
    async inspect(signal, wanted = null) {
      const known = await database.inspect(signal);
      const tables: TableFacts[] = [];
      const views: string[] = [];
      for (const table of known.tables) {
        signal.throwIfAborted();
        // Counting a view may take hours: only wanted ones are counted.
        if (table.kind === 'view' && wanted?.includes(table.name) !== true) views.push(table.name);
        else tables.push(await database.measure(known, table, signal));
      }
      const note = `It also has views, which are not counted but can be read by name: ${formatNameList(views)}.`;
      return { ...fileFacts(known), tables, notes: views.length > 0 && wanted === null ? [note] : [] };
    },
    async *read(table, from, signal) {
      const known = await database.known(signal);
      yield* database.items(known, await tableOf(database, known, table, signal), from, signal);
    },
  };
}

function fileFacts({ found: { file, log }, fingerprint }: InspectedSqliteFile) {
  return { name: file.name, bytes: file.bytes + (log?.bytes ?? 0), fingerprint };
}

/**
 * Returns the wanted table or view; if none is wanted, the only table, or the only view of a file without tables.
 * Otherwise throws a FatalError('input') that lists the tables.
 */
async function tableOf(
  database: SqliteInputReader,
  known: InspectedSqliteFile,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<TableOrView> {
  const { tables, found } = known;
  const { name } = found.file;
  const own = tables.filter(({ kind }) => kind === 'table');
  const only = own.length === 1 ? own[0] : undefined;
  const clear = wanted === undefined ? only : findTableByName(tables, wanted);
  if (clear !== undefined) return clear;
  const counted: (TableOrView & { items: number })[] = [];
  for (const table of own.length > 0 ? own : tables)
    counted.push({ ...table, items: (await database.measure(known, table, signal)).items });
  return chooseTable(name, counted, wanted);
}

export const sqliteSourceFormat = defineSourceFormat({
  name: 'sqlite',
  extensions: sqliteExtensions,
  words: {
    reads: 'A table or a view of a SQLite file, which is never written.',
    columns: "The table's.",
    line: "The row's number.",
  },
  options: sqliteOptionsSchema,
  tables: createSqliteTableSet,
  open: sqliteSource,
});
