import { FatalError } from '../../model/fatal-error.ts';
import type { InputFacts, Source, SourceItem } from '../../model/row.ts';
import type { SourceInput } from '../source-format.ts';
import { chosenTable, tableNamed } from '../tables.ts';
import { type KnownFile, SqliteDatabase } from './database.ts';
import type { SqliteOptions } from './options.ts';
import type { ListedTable } from './schema.ts';

/** A table or view of a SQLite file as a source; nothing is touched before `inspect` or `read`. */
export function sqliteSource(options: SqliteOptions, input: SourceInput): Source {
  return new SqliteSource(options, input);
}

class SqliteSource implements Source {
  readonly #database: SqliteDatabase;
  readonly #table: string | undefined;

  constructor(options: SqliteOptions, input: SourceInput) {
    this.#database = new SqliteDatabase(input, ['sqlite', options], options);
    this.#table = options.table;
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    const known = await this.#database.look(signal);
    const { file, log } = known.found;
    const table = await tableOf(this.#database, known, this.#table, signal);
    const { columns, items } = await this.#database.measure(known, table, signal);
    const bytes = file.bytes + (log?.bytes ?? 0);
    return {
      name: file.name,
      bytes,
      fingerprint: known.fingerprint,
      items,
      columns,
      notes: [],
    };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    const known = await this.#database.known(signal);
    const table = await tableOf(this.#database, known, this.#table, signal);
    yield* this.#database.items(known, table, from, signal);
  }
}

/** The table or view that is meant; only a table may be left open. Throws a FatalError('input') that lists them all. */
export async function tableOf(
  database: SqliteDatabase,
  known: KnownFile,
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
  const named = wanted === undefined ? undefined : tableNamed(tables, wanted);
  const only = wanted === undefined && own.length === 1 ? own[0] : undefined;
  const clear = named ?? only;
  if (clear !== undefined) return clear;
  const counted: (ListedTable & { items: number })[] = [];
  for (const table of own.length > 0 ? own : tables)
    counted.push({ ...table, items: (await database.measure(known, table, signal)).items });
  return chosenTable(name, counted, wanted);
}
