import { z } from 'zod';
import type { Source, SourceItem } from '../../model/row.ts';
import { formatRowLine } from '../../model/row-place.ts';
import { readTextChunks } from '../encoding/text-file.ts';
import { resolveInputFile } from '../input-file.ts';
import { createMaxRowBytesOption, databaseNullsOption, unendedOption } from '../options.ts';
import { createInputError, type InputFile } from '../plain-file.ts';
import { defineSourceFormat, type SourceInput } from '../source-format.ts';
import {
  chooseTable,
  type TableFacts,
  type TableItems,
  type TableSet,
  type TableSetFacts,
} from '../tables.ts';
import { resolveSqlDialect, type SqlDialect } from './dialect.ts';
import { SqlItemConverter } from './items.ts';
import { type SqlTable, shortenTableNames } from './known-tables.ts';
import { type OpenedSqlDump, openSqlDump } from './open-dump.ts';
import type { SqlDumpRecord } from './records.ts';
import { SqlDumpScanner } from './scanner.ts';
import { type BinaryFormatter, createBinaryFormatter, SqlWarningCounter } from './values.ts';

interface TallySettings {
  readonly warnings: SqlWarningCounter;
  readonly binaryText: BinaryFormatter;
  /** True if the dump does not show whether a backslash is an escape. */
  readonly escapesUnknown: boolean;
  /** Returns true for a table whose values are checked for warnings. */
  readonly wantsValues: (fullName: string) => boolean;
}

/** Counts the records of every table and checks their values for warnings. */
class Tally {
  /** The record in which the dump is cut off. */
  cutOff: SqlDumpRecord | undefined;
  readonly #items = new Map<string, number>();
  readonly #widths = new Map<string, number>();
  readonly #maker: SqlItemConverter;
  readonly #settings: TallySettings;

  constructor(settings: TallySettings) {
    const { warnings, binaryText } = settings;
    this.#settings = settings;
    this.#maker = new SqlItemConverter({ columns: null, warnings, binaryText, maxRowBytes: 0, nulls: [] });
  }

  count(record: SqlDumpRecord): void {
    const { block, line, text, problem } = record;
    const { name } = block.table;
    this.#items.set(name, (this.#items.get(name) ?? 0) + 1);
    if (problem === 'cutOff') this.cutOff = record;
    const { warnings, escapesUnknown, wantsValues } = this.#settings;
    if (problem !== null || !wantsValues(name)) return;
    warnings.line = line;
    const cells = this.#maker.cells(record);
    if (cells === null) return;
    if (escapesUnknown && text.includes('\\')) warnings.note('backslash');
    if (block.columns === null && !this.#widths.has(name)) this.#widths.set(name, cells.length);
    else this.#maker.showBytes(cells, block);
  }

  items({ name }: SqlTable): number {
    return this.#items.get(name) ?? 0;
  }

  /**
   * Returns the number of values in the first row of a table with unnamed columns; undefined for named
   * columns.
   */
  width({ name }: Pick<SqlTable, 'name'>): number | undefined {
    return this.#widths.get(name);
  }
}

/** The options of a SQL dump, read as one table or as a set of tables. */
const sqlDumpOptions = z.strictObject({
  charset: z
    .string()
    .min(1)
    .describe(
      'How bytes become text: a name that MySQL or PostgreSQL use (utf8mb4, latin1, WIN1252) or a label of the Encoding Standard. Left out: the byte order mark, then what the dump declares (SET NAMES, client_encoding) if its bytes agree, then a guess, which is reported.',
    )
    .optional(),
  escapes: z
    .enum(['auto', 'backslash', 'standard'])
    .default('auto')
    .describe(
      'Whether a backslash in a string escapes what follows it, as in MySQL (backslash), or is a character like any other (standard: PostgreSQL, SQLite, MySQL under NO_BACKSLASH_ESCAPES). auto: found in the dump.',
    ),
  nulls: databaseNullsOption,
  unended: unendedOption.optional(),
  maxRowBytes: createMaxRowBytesOption('A row of more bytes (as UTF-8, as it is written) is a broken row.'),
});

/** The options of a SQL source besides `format` and `path`: one table of a dump. */
const sqlOptions = sqlDumpOptions.extend({
  table: z
    .string()
    .min(1)
    .describe(
      'The table to read, with its database or schema if two have the same name. Needed if the dump has several.',
    )
    .optional(),
});

type SqlDumpOptions = z.output<typeof sqlDumpOptions>;
type SqlOptions = z.output<typeof sqlOptions>;

const batchRows = 256;
const batchCharacters = 4 * 1024 * 1024;

/** A scanned table of a dump; `name` is its short name, as `shortenTableNames` returns it. */
type ScannedTable = TableFacts & { readonly fullName: string };

/** The facts of a dump after its scan. */
interface ScannedDump extends OpenedSqlDump {
  readonly dialect: SqlDialect;
  readonly tables: readonly ScannedTable[];
  /** A sentence on where the dump is cut off, or on a defect at its end; undefined if there is neither. */
  readonly truncated: string | undefined;
  /** A sentence on a defect at the end of the dump that `unended: accept` allows. */
  readonly unended: string | undefined;
}

/** The tables of a plain-text SQL dump; reads nothing before `inspect` or `read`. */
class SqlDump implements TableSet {
  readonly #options: SqlDumpOptions;
  readonly #input: SourceInput;
  readonly #settings: unknown;
  #file: InputFile | null = null;
  #scanned: ScannedDump | null = null;

  /** The fingerprint is a hash of `settings` and the file's bytes. */
  constructor(options: SqlDumpOptions, input: SourceInput, settings: unknown) {
    this.#options = options;
    this.#input = input;
    this.#settings = settings;
  }

  /** Scans the whole dump for its tables; checks the values of the wanted tables only (null: of all). */
  async inspect(signal: AbortSignal, wanted: readonly string[] | null = null): Promise<TableSetFacts> {
    this.#scanned = await this.#scan(wanted, signal);
    const { file, fingerprint, tables, notes, truncated, unended } = this.#scanned;
    return { name: file.name, bytes: file.bytes, fingerprint, tables, notes, truncated, unended };
  }

  /** Yields the items of a table, or of the only one if `table` is undefined. */
  async *read(
    table: string | undefined,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceItem[], void, undefined> {
    for await (const { items } of this.#items([table], from, signal)) yield items;
  }

  readTogether(tables: readonly string[], signal: AbortSignal): AsyncGenerator<TableItems, void, undefined> {
    return this.#items(tables, 0, signal);
  }

  async #scan(wanted: readonly string[] | null, signal: AbortSignal): Promise<ScannedDump> {
    this.#file ??= await resolveInputFile(this.#input, signal);
    const opened = await openSqlDump(this.#file, this.#options.charset, this.#settings, signal);
    const { escapes } = this.#options;
    const dialect = resolveSqlDialect(opened.writer, escapes);
    const scanner = this.#scanner(dialect, null);
    const warnings = new SqlWarningCounter();
    const tally = new Tally({
      warnings,
      binaryText: createBinaryFormatter(opened.encoding.encoding),
      escapesUnknown: opened.writer === 'unknown' && escapes === 'auto',
      wantsValues: (fullName) => wanted === null || wanted.some((table) => isTableCalled(table, fullName)),
    });
    for await (const [records] of recordsOf(opened, scanner, signal)) {
      for (const record of records) tally.count(record);
    }
    const tables = scannedTables(scanner, tally);
    assertTables(tables, scanner, opened);
    const end = endProblem(truncation(scanner, tally, tables, opened), opened, this.#options);
    const notes = [
      ...opened.notes,
      ...notesOf(scanner, tally, tables),
      ...warnings.notes(),
      ...(end.unended === undefined ? [] : [end.unended]),
    ];
    return { ...opened, dialect, tables, notes, ...end };
  }

  /** Yields the items of several tables in the dump's order, from record number `from` on. */
  async *#items(
    wanted: readonly (string | undefined)[],
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<TableItems, void, undefined> {
    this.#scanned ??= await this.#scan(null, signal);
    const dump = this.#scanned;
    const tables = wanted.map((table) => chooseTable(dump.file.name, dump.tables, table));
    const readers = new Map(
      tables.map((table) => [table.fullName, { table: table.name, maker: this.#maker(dump, table) }]),
    );
    const scanner = this.#scanner(dump.dialect, new Set(readers.keys()));
    const all = tables.reduce((sum, { items }) => sum + items, 0);
    let passed = 0;
    for await (const [records, suspect] of recordsOf(dump, scanner, signal)) {
      const left = records.slice(Math.max(0, from - passed));
      passed += records.length;
      for (const batch of batches(left)) {
        signal.throwIfAborted();
        const reader = readers.get(batch[0]?.block.table.name ?? '');
        if (reader === undefined) continue;
        const { table, maker } = reader;
        yield { table, items: batch.map((record) => maker.item(record, suspect)) };
      }
      // The rest of the dump belongs to other tables.
      if (passed >= all) return;
    }
  }

  #maker({ encoding }: ScannedDump, { columns }: ScannedTable): SqlItemConverter {
    const binaryText = createBinaryFormatter(encoding.encoding);
    return new SqlItemConverter({ ...this.#options, columns, warnings: new SqlWarningCounter(), binaryText });
  }

  #scanner(dialect: SqlDialect, wanted: ReadonlySet<string> | null): SqlDumpScanner {
    const { escapes, maxRowBytes } = this.#options;
    return new SqlDumpScanner({ dialect, fixedEscapes: escapes !== 'auto', maxRowBytes, wanted });
  }
}

/** True if a table has this name, with or without database or schema, ignoring case. */
function isTableCalled(wanted: string, fullName: string): boolean {
  const [name, full] = [wanted.toLowerCase(), fullName.toLowerCase()];
  return full === name || full.endsWith(`.${name}`);
}

/** Yields the records of a dump; `suspect` is true once undecodable bytes were read. */
async function* recordsOf(
  opened: OpenedSqlDump,
  scanner: SqlDumpScanner,
  signal: AbortSignal,
): AsyncGenerator<readonly [records: readonly SqlDumpRecord[], suspect: boolean], void, undefined> {
  for await (const [text, suspect] of readTextChunks(opened, signal)) {
    yield [text === null ? scanner.end() : scanner.push(text), suspect];
  }
}

/** Splits records into batches of one table each. */
function* batches(records: readonly SqlDumpRecord[]): Generator<readonly SqlDumpRecord[]> {
  let start = 0;
  let characters = 0;
  for (const [index, { text, block }] of records.entries()) {
    characters += text.length;
    const ends = records[index + 1]?.block.table !== block.table;
    if (!ends && index + 1 - start < batchRows && characters < batchCharacters) continue;
    yield records.slice(start, index + 1);
    start = index + 1;
    characters = 0;
  }
}

function scannedTables({ tables: { all } }: SqlDumpScanner, tally: Tally): readonly ScannedTable[] {
  const names = shortenTableNames(all.map(({ name }) => name));
  return all.map((table, index) => {
    const width = tally.width(table);
    const numbered = width === undefined ? null : Array.from({ length: width }, (_, place) => `${place + 1}`);
    const columns = table.columns.size > 0 ? [...table.columns.keys()] : numbered;
    return { name: names[index] ?? table.name, fullName: table.name, columns, items: tally.items(table) };
  });
}

function assertTables(
  tables: readonly ScannedTable[],
  { brokenIn }: SqlDumpScanner,
  { file: { name }, writer }: OpenedSqlDump,
): void {
  if (tables.length > 0) return;
  if (brokenIn !== null && writer !== 'unknown') {
    const what = `is cut off in the statement that begins in line ${brokenIn}, before any table`;
    throw createInputError(name, what, 'Copy or export it again.', brokenIn);
  }
  const next = 'Is it a plain-text SQL dump? Export it again with its data, or use another file.';
  throw createInputError(name, 'has no CREATE TABLE, INSERT or COPY', next);
}

/**
 * Returns the sentence on the end of a dump: `unended` for a defect that the option accepts, `truncated` for a cut or
 * any other defect. Both are undefined for a complete dump.
 */
function endProblem(
  cutOff: string | undefined,
  { wrongEnd }: OpenedSqlDump,
  { unended }: SqlDumpOptions,
): Pick<ScannedDump, 'truncated' | 'unended'> {
  if (cutOff !== undefined || wrongEnd === undefined) return { truncated: cutOff, unended: undefined };
  const { problem } = wrongEnd;
  if (unended === 'accept') {
    const text = `${problem}. It is read all the same (unended: accept), and an import of it ends with 3.`;
    return { truncated: undefined, unended: text };
  }
  const next =
    'If its rows are complete, set "unended: accept" in the source: then an import of it ends with 3.';
  return { truncated: `${problem}. ${next}`, unended: undefined };
}

/**
 * Returns a sentence that says where a dump is cut off; undefined if it is not. A statement that begins after the end
 * line and is cut off does not count.
 */
function truncation(
  { brokenIn, lines }: SqlDumpScanner,
  { cutOff }: Tally,
  tables: readonly ScannedTable[],
  { wrongEnd }: OpenedSqlDump,
): string | undefined {
  const isAfterEnd = brokenIn !== null && brokenIn > lines - (wrongEnd?.linesAfter ?? 0);
  if (brokenIn !== null && !isAfterEnd)
    return `The dump is cut off in the statement that begins in line ${brokenIn}: the rest is missing.`;
  if (cutOff === undefined) return undefined;
  const { block, line } = cutOff;
  const name = tables.find(({ fullName }) => fullName === block.table.name)?.name ?? block.table.name;
  return `The dump is cut off in line ${formatRowLine(line)}, in the rows of ${name}: the rest is missing.`;
}

function notesOf(scanner: SqlDumpScanner, tally: Tally, tables: readonly ScannedTable[]): readonly string[] {
  const unnamed = tables.filter(({ fullName }) => tally.width({ name: fullName }) !== undefined);
  return [
    ...scanner.notes,
    ...unnamed.map(
      ({ name }) => `The dump does not name the columns of ${name}: they are named "1", "2" and so on.`,
    ),
  ];
}

/** Creates the source of one table of a plain-text SQL dump; reads nothing before `inspect` or `read`. */
function sqlSource(options: SqlOptions, input: SourceInput): Source {
  const dump = new SqlDump(options, input, ['sql', options]);
  return {
    async inspect(signal) {
      const wanted = options.table === undefined ? null : [options.table];
      const { tables, ...facts } = await dump.inspect(signal, wanted);
      const { items, columns } = chooseTable(facts.name, tables, options.table);
      return { ...facts, items, columns };
    },
    read: (from, signal) => dump.read(options.table, from, signal),
  };
}

/** Creates the table set of a plain-text SQL dump; reads nothing before `inspect` or `read`. */
export function createSqlTableSet(options: Partial<SqlDumpOptions>, input: SourceInput): TableSet {
  const parsed = sqlDumpOptions.parse(options);
  const unpacking = input.unpacking ?? { extensions: ['sql'], maxBytes: undefined };
  return new SqlDump(parsed, { ...input, unpacking }, ['sql tables', parsed]);
}

export const sqlSourceFormat = defineSourceFormat({
  name: 'sql',
  extensions: ['sql'],
  words: {
    reads: 'One table of a dump of mysqldump, phpMyAdmin or pg_dump, without a database server.',
    columns: "The table's.",
    line: 'The line of the row. The second and further rows of a line also have their number: `42, row 3`.',
  },
  options: sqlOptions,
  tables: createSqlTableSet,
  open: sqlSource,
});
