import type { z } from 'zod';
import type { InputFacts, Row, Source, SourceItem } from '../../model/row.ts';
import { formatRowLine } from '../../model/row-place.ts';
import type { TableUse, TableUseSummary, UnjoinedRowPages } from '../../model/table-use.ts';
import { createFingerprintHash } from '../plain-file.ts';
import { defineSourceFormat, type SourceFormat, type SourceInput } from '../source-format.ts';
import { chooseTable, findTableByName } from '../tables.ts';
import { createWherePredicate } from '../where.ts';
import { findFormatByExtension, findFormatByName } from './dump-file.ts';
import { DumpTableSet } from './dump-tables.ts';
import type { DumpFacts, DumpTable } from './inspected-files.ts';
import { addJoinedRows, JoinReader } from './open-join.ts';
import {
  type DumpOptions,
  dumpOptionsSchema,
  listJoinedLists,
  listJoinedTables,
  listTablesOfOptionalJoins,
} from './options.ts';
import {
  collectJoinedLists,
  JoinPlanner,
  listJoinedColumns,
  listTablesToStage,
  type PlannedJoin,
  type StagedTableSpec,
  type UnreadTable,
} from './plan.ts';
import type { StagedTable, StagedTableFacts } from './staged-table.ts';
import { type StagedTableHandle, stageTables } from './staging.ts';
import { groupJoinsByTable, RowUsageTracker, streamUnjoinedRows } from './table-use.ts';

const batchBytes = 1024 * 1024;

/** A dump after its inspection and the staging of joined tables. */
interface OpenedDumpSource {
  readonly facts: DumpFacts;
  readonly main: DumpTable;
  readonly joins: readonly PlannedJoin[];
  /** The notes about columns that no row has. */
  readonly notes: readonly string[];
  /** The paths of optional joins with missing tables. */
  readonly absent: readonly string[];
  /** The tables with rows that only joins with a missing table would read. */
  readonly unread: readonly UnreadTable[];
  readonly staged: ReadonlyMap<StagedTableSpec, StagedTableHandle>;
  /** The tables that neither `table` nor a join names. */
  readonly others: TableUseSummary['others'];
}

/** The source of a dump: its main table with joined rows. */
class DumpSource implements Source {
  readonly #options: DumpOptions;
  readonly #input: SourceInput;
  readonly #tables: DumpTableSet;
  readonly #isTaken: (row: Row) => boolean;
  #known: OpenedDumpSource | null = null;
  /** The row usage of the first complete reading. */
  #reached: RowUsageTracker | null = null;

  constructor(options: DumpOptions, input: SourceInput, formats: readonly SourceFormat[]) {
    this.#options = options;
    this.#input = input;
    this.#tables = new DumpTableSet(options, input, formats);
    this.#isTaken = createWherePredicate(input.where ?? {});
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    this.#known = await this.#look(signal);
    const { facts, main, joins, notes, absent, unread, staged } = this.#known;
    const columnsOf = (child: StagedTableSpec) => staged.get(child)?.facts.columns ?? null;
    const lists = collectJoinedLists(joins, columnsOf);
    return {
      name: facts.name,
      bytes: facts.bytes,
      fingerprint: createFingerprintHash(['dump', this.#options, facts.fingerprint]).digest('hex'),
      items: main.items,
      columns: listJoinedColumns(main.columns, joins, columnsOf),
      ...(lists.length > 0 && { lists }),
      ...(absent.length > 0 && { absent }),
      notes: [
        ...facts.notes,
        ...notes,
        ...absentNotes(absent),
        ...unread.map(unreadNote),
        ...joinNotes(joins, (child) => staged.get(child)?.facts),
      ],
      truncated: facts.truncated,
      unended: facts.unended,
    };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    this.#known ??= await this.#look(signal);
    const { main, joins, staged } = this.#known;
    const reached = from === 0 && this.#reached === null ? new RowUsageTracker() : null;
    const tables = new OpenTables(staged);
    try {
      const joined = joins.map((join) => new JoinReader(join, (child) => tables.open(child), reached));
      for await (const batch of this.#tables.read(main.name, from, signal)) {
        signal.throwIfAborted();
        if (joined.length === 0 && reached === null) yield batch;
        else yield* this.#joined(batch, joined, reached);
      }
      this.#reached ??= reached;
    } finally {
      tables.close();
    }
  }

  async *tables(): UnjoinedRowPages {
    if (this.#known === null || this.#reached === null)
      throw new Error('the rows were not read to their end');
    const { main, joins, unread, staged, others } = this.#known;
    const reached = this.#reached;
    const { rows, taken, filtered, broken } = reached.main;
    const unjoined: TableUse['unjoined'] =
      broken === 0 ? [] : [{ reason: 'broken', rows: broken, examples: [] }];
    const named: TableUse[] = [
      { ...{ table: main.name, role: 'main', rows, used: taken, people: taken }, filtered, unjoined },
    ];
    const tables = new OpenTables(staged);
    try {
      for (const table of groupJoinsByTable(joins, unread, main.name, (child) => tables.open(child)))
        named.push(yield* streamUnjoinedRows(table, reached));
    } finally {
      tables.close();
    }
    return { named, others };
  }

  /** Yields items with their joined rows, in batches of about 1 MB. */
  *#joined(
    items: readonly SourceItem[],
    joins: readonly JoinReader[],
    reached: RowUsageTracker | null,
  ): Generator<readonly SourceItem[]> {
    let batch: SourceItem[] = [];
    let bytes = 0;
    for (const item of items) {
      const found =
        item.kind === 'row' ? addJoinedRows(item, joins, this.#options.maxRowBytes) : { item, bytes: 0 };
      reached?.end(this.#outcomeOf(found.item), item.line);
      batch.push(found.item);
      bytes += found.bytes;
      if (bytes < batchBytes) continue;
      yield batch;
      batch = [];
      bytes = 0;
    }
    if (batch.length > 0) yield batch;
  }

  #outcomeOf(item: SourceItem): 'taken' | 'filtered' | 'broken' {
    if (item.kind !== 'row') return item.kind;
    return this.#isTaken(item) ? 'taken' : 'filtered';
  }

  async #look(signal: AbortSignal): Promise<OpenedDumpSource> {
    const { table, join } = this.#options;
    const joined = listJoinedTables(join);
    const name =
      table ?? chooseTable(this.#tables.name, (await this.#tables.inspect(signal)).tables, table).name;
    const wanted = [...new Set([name, ...joined])];
    const mayLack = listTablesOfOptionalJoins(join);
    mayLack.delete(name);
    const facts = await this.#tables.inspect(signal, wanted, mayLack);
    const byName = new Map<string, DumpTable>();
    for (const asked of wanted) {
      const found = findTableByName(facts.tables, asked);
      if (found !== undefined) byName.set(asked, found);
    }
    const main = chooseTable(facts.name, facts.tables.slice(0, 1), undefined);
    const planning = new JoinPlanner(facts.name, byName);
    const joins = planning.joins(join, main);
    const stage = { input: facts.name, spoolDir: this.#input.spoolDir, tables: this.#tables };
    const { notes, absent } = planning;
    const unread = planning.unread(main, joins);
    const specs = [...listTablesToStage(joins), ...unread.map(({ spec }) => spec)];
    const known = await stageTables(stage, specs, signal);
    const others = await this.#tables.others(signal);
    return { facts, main, joins, notes, absent, unread, staged: known, others };
  }
}

/**
 * The staged tables of one reading. Each has a separate connection, so that two joins can read the same table at the
 * same time.
 */
class OpenTables {
  readonly #staged: OpenedDumpSource['staged'];
  readonly #open: StagedTable[] = [];

  constructor(staged: OpenedDumpSource['staged']) {
    this.#staged = staged;
  }

  open(child: StagedTableSpec): StagedTable {
    const table = this.#staged.get(child)?.open();
    if (table === undefined) throw new Error(`${child.table.name} was not staged`);
    this.#open.push(table);
    return table;
  }

  close(): void {
    for (const table of this.#open) table.close();
  }
}

function absentNotes(absent: readonly string[]): readonly string[] {
  if (absent.length === 0) return [];
  const names = absent.map((name) => `"${name}"`).join(', ');
  return [`Optional joins whose tables are missing or have an empty file, taken as empty: ${names}.`];
}

function unreadNote({ spec: { table }, path, missing }: UnreadTable): string {
  const rows = table.items === 1 ? 'The row' : `The ${table.items} rows`;
  return `${rows} of ${table.name} ${table.items === 1 ? 'is' : 'are'} not imported: the join "${path}" reads them with the table ${missing}, which is missing.`;
}

type FactsOf = (child: StagedTableSpec) => StagedTableFacts | undefined;

/**
 * Returns the notes about joined tables: rows that cannot be read, and rows that a join skips because it takes one per
 * key.
 */
function joinNotes(joins: readonly PlannedJoin[], factsOf: FactsOf): readonly string[] {
  const notes = new Set<string>();
  for (const join of joins) {
    for (const child of join.link === null ? [join.target] : [join.link.child, join.target]) {
      const facts = factsOf(child);
      if (facts !== undefined && facts.broken.rows > 0) notes.add(brokenNote(child.table.name, facts));
    }
    const chosen = factsOf(join.link?.child ?? join.target);
    if (!join.many && join.pick === null && chosen !== undefined && chosen.several.keys > 0)
      notes.add(severalNote(join, chosen));
    for (const note of joinNotes(join.joins, factsOf)) notes.add(note);
  }
  return [...notes];
}

function brokenNote(table: string, { broken: { rows, first } }: StagedTableFacts): string {
  const places = first.map(({ line, code }) => `line ${formatRowLine(line)} (${code})`).join(', ');
  const what = rows === 1 ? 'One row' : `${rows} rows`;
  return `${what} of ${table} cannot be read, and ${rows === 1 ? 'is' : 'are'} not joined: ${places}${rows > first.length ? ' …' : ''}.`;
}

function severalNote({ path, target, link }: PlannedJoin, { several }: StagedTableFacts): string {
  const { table, key } = link?.child ?? target;
  const what = `${several.keys} ${several.keys === 1 ? 'value' : 'values'} of ${key.join(', ')} in ${table.name}`;
  return `The join "${path}" takes one row, but ${what} ${several.keys === 1 ? 'has' : 'have'} several (${several.rows} in all, for example ${JSON.stringify(several.example)}): the first of each is taken. Set "pick", or "many: true".`;
}

/** Creates the format `dump`: an input of several tables, whose files have one of `formats`. */
export function createDumpFormat(formats: readonly SourceFormat[]): SourceFormat {
  return defineSourceFormat({
    name: 'dump',
    extensions: formats.flatMap(({ extensions }) => extensions),
    words: {
      reads:
        'Several tables, of which one is imported and others are joined to it: a folder, a zip or a tar.gz of files of the formats above, a SQL dump, or a SQLite file.',
      columns: 'Those of the imported table, and `JOIN.column` for each join.',
      line: 'As the format of the imported table.',
    },
    options: dumpOptionsSchema.superRefine(({ tables }, context) => checkTables(tables, formats, context)),
    lists: ({ join }) => listJoinedLists(join),
    open: (options, input) => new DumpSource(options, input, formats),
  });
}

/**
 * Adds an issue for each unknown format in `tables`, and for each option that the format of a table does not accept.
 */
function checkTables(
  tables: DumpOptions['tables'],
  formats: readonly SourceFormat[],
  context: z.core.$RefinementCtx,
): void {
  for (const [table, { file, format, ...own }] of Object.entries(tables)) {
    const known =
      format === undefined
        ? findFormatByExtension([file].flat()[0] ?? '', formats)
        : findFormatByName(format, formats);
    if (format !== undefined && known === undefined) {
      const message = `unknown file format "${format}"; known are ${formats.map(({ name }) => name).join(', ')}`;
      context.addIssue({ code: 'custom', message, path: ['tables', table, 'format'] });
    }
    for (const issue of known?.options.safeParse(own).error?.issues ?? [])
      context.addIssue({ code: 'custom', message: issue.message, path: ['tables', table, ...issue.path] });
  }
}
