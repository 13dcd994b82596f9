import { FatalError } from '../../model/fatal-error.ts';
import { listed } from '../../model/listed.ts';
import type { Source } from '../../model/row.ts';
import { type SourceInput, sourceFormat } from '../source-format.ts';
import { chosenTable, type TableFacts, type TableSet, tableNamed } from '../tables.ts';
import {
  type InspectedFile,
  SqliteDatabase,
  type SqliteFileOptions,
  type SqliteOptions,
  sqliteFileOptions,
  sqliteOptions,
} from './database.ts';
import type { ListedTable } from './table-rows.ts';

/** How SQLite files end, without the dot. */
const sqliteExtensions = ['sqlite', 'sqlite3', 'db', 'db3'];

/** A table or view of a SQLite file as a source; nothing is touched before `inspect` or `read`. */
function sqliteSource(options: SqliteOptions, input: SourceInput): Source {
  const database = new SqliteDatabase(input, ['sqlite', options], options);
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

/** The tables of a SQLite file; nothing is touched before `inspect` or `read`. */
export function sqliteTables(options: Partial<SqliteFileOptions>, input: SourceInput): TableSet {
  const parsed = sqliteFileOptions.parse(options);
  const unpacking = input.unpacking ?? { extensions: sqliteExtensions, maxBytes: undefined };
  const database = new SqliteDatabase({ ...input, unpacking }, ['sqlite tables', parsed], parsed);
  return {
    async inspect(signal, wanted = null) {
      const known = await database.inspect(signal);
      const tables: TableFacts[] = [];
      const views: string[] = [];
      for (const table of known.tables) {
        signal.throwIfAborted();
        // A view may take hours to count: it is, when somebody reads it.
        if (table.kind === 'view' && wanted?.includes(table.name) !== true) views.push(table.name);
        else tables.push(await database.measure(known, table, signal));
      }
      const note = `It also has views, which are not counted but can be read by name: ${listed(views)}.`;
      return { ...fileFacts(known), tables, notes: views.length > 0 && wanted === null ? [note] : [] };
    },
    async *read(table, from, signal) {
      const known = await database.known(signal);
      yield* database.items(known, await tableOf(database, known, table, signal), from, signal);
    },
  };
}

function fileFacts({ found: { file, log }, fingerprint }: InspectedFile) {
  return { name: file.name, bytes: file.bytes + (log?.bytes ?? 0), fingerprint };
}

/** The table or view that is meant; only a table may be left open. Throws a FatalError('input') that lists them all. */
async function tableOf(
  database: SqliteDatabase,
  known: InspectedFile,
  wanted: string | undefined,
  signal: AbortSignal,
): Promise<ListedTable> {
  const { tables, found } = known;
  const { name } = found.file;
  if (tables.length === 0) {
    const next = 'Is it the right file? Choose another one.';
    throw new FatalError('input', `${name} has no tables.`, { place: { file: name }, next });
  }
  const own = tables.filter(({ kind }) => kind === 'table');
  const only = own.length === 1 ? own[0] : undefined;
  const clear = wanted === undefined ? only : tableNamed(tables, wanted);
  if (clear !== undefined) return clear;
  const counted: (ListedTable & { items: number })[] = [];
  for (const table of own.length > 0 ? own : tables)
    counted.push({ ...table, items: (await database.measure(known, table, signal)).items });
  return chosenTable(name, counted, wanted);
}

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
