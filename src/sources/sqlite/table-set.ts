import { listed } from '../../model/listed.ts';
import type { SourceItem } from '../../model/row.ts';
import type { SourceInput } from '../source-format.ts';
import type { TableFacts, TableSet, TableSetFacts } from '../tables.ts';
import { SqliteDatabase } from './database.ts';
import { sqliteExtensions } from './format.ts';
import { type SqliteFileOptions, sqliteFileOptions } from './options.ts';
import { tableOf } from './source.ts';

/** The tables of a SQLite file; nothing is touched before `inspect` or `read`. */
export function sqliteTables(options: Partial<SqliteFileOptions>, input: SourceInput): TableSet {
  return new SqliteTables(sqliteFileOptions.parse(options), input);
}

class SqliteTables implements TableSet {
  readonly #database: SqliteDatabase;

  constructor(options: SqliteFileOptions, input: SourceInput) {
    const unpacking = input.unpacking ?? { extensions: sqliteExtensions, maxBytes: undefined };
    const settings = ['sqlite tables', options];
    this.#database = new SqliteDatabase({ ...input, unpacking }, settings, options);
  }

  async inspect(signal: AbortSignal, wanted: readonly string[] | null = null): Promise<TableSetFacts> {
    const known = await this.#database.look(signal);
    const { file, log } = known.found;
    const tables: TableFacts[] = [];
    const views: string[] = [];
    for (const table of known.tables) {
      signal.throwIfAborted();
      // A view may take hours to count: it is, when somebody reads it.
      if (table.kind === 'view' && wanted?.includes(table.name) !== true) views.push(table.name);
      else tables.push(await this.#database.measure(known, table, signal));
    }
    const bytes = file.bytes + (log?.bytes ?? 0);
    const note = `It also has views, which are not counted but can be read by name: ${listed(views)}.`;
    return {
      name: file.name,
      bytes,
      fingerprint: known.fingerprint,
      tables,
      notes: views.length > 0 && wanted === null ? [note] : [],
    };
  }

  async *read(
    table: string,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceItem[], void, undefined> {
    const known = await this.#database.known(signal);
    const found = await tableOf(this.#database, known, table, signal);
    yield* this.#database.items(known, found, from, signal);
  }
}
