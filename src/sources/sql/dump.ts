import type { SourceItem } from '../../model/row.ts';
import { type InputFile, inputFile } from '../input-file.ts';
import type { SourceInput } from '../source-format.ts';
import type { TableItems } from '../tables.ts';
import { binaryTextIn } from './binary.ts';
import { ItemMaker } from './items.ts';
import { shortNames } from './known-tables.ts';
import { type Lexis, lexisOf } from './lexis.ts';
import { Oddities } from './oddities.ts';
import { dumpTexts, type OpenedDump, openDump } from './opened.ts';
import type { SqlDumpOptions } from './options.ts';
import type { DumpRecord } from './record.ts';
import { DumpScanner } from './scanner.ts';
import { Tally } from './tally.ts';

const batchRows = 256;
const batchCharacters = 4 * 1024 * 1024;

/** A table of a dump that was looked through. */
export interface SurveyedTable {
  /** As people call it: without its database or schema where that is clear. */
  readonly name: string;
  readonly fullName: string;
  readonly columns: readonly string[] | null;
  readonly items: number;
}

/** What is known of a dump after it was looked through. */
export interface Survey extends OpenedDump {
  readonly lexis: Lexis;
  readonly tables: readonly SurveyedTable[];
  /** The line in which a statement without rows begins that the dump breaks off in. */
  readonly brokenIn: number | null;
  /** Where the dump breaks off, in a sentence. */
  readonly truncated: string | undefined;
}

/** A plain-text SQL dump; nothing is touched before it is surveyed. */
export class Dump {
  readonly #options: SqlDumpOptions;
  readonly #input: SourceInput;
  readonly #settings: unknown;
  #file: InputFile | null = null;
  #survey: Survey | null = null;

  /** `settings` are what decides how it is read: they enter the fingerprint. */
  constructor(options: SqlDumpOptions, input: SourceInput, settings: unknown) {
    this.#options = options;
    this.#input = input;
    this.#settings = settings;
  }

  /** Reads the whole dump: which tables it has, and what of each; the values only of the tables that are wanted (null: of all). */
  async survey(wanted: readonly string[] | null, signal: AbortSignal): Promise<Survey> {
    this.#file ??= await inputFile(this.#input, signal);
    const opened = await openDump(this.#file, this.#options.charset, this.#settings, signal);
    const { escapes } = this.#options;
    const lexis = lexisOf(opened.writer, escapes);
    const scanner = this.#scanner(lexis, null);
    const oddities = new Oddities();
    const tally = new Tally({
      oddities,
      binaryText: binaryTextIn(opened.encoding.encoding),
      undecided: opened.writer === 'unknown' && escapes === 'auto',
      interesting: (fullName) => wanted === null || wanted.some((table) => means(table, fullName)),
    });
    for await (const [records] of recordsOf(opened, scanner, signal)) {
      for (const record of records) tally.count(record);
    }
    const tables = surveyed(scanner, tally);
    const notes = [...opened.notes, ...notesOf(scanner, tally, tables), ...oddities.notes()];
    const { brokenIn } = scanner;
    const truncated = truncation(brokenIn, tally, tables) ?? opened.unended;
    this.#survey = { ...opened, lexis, tables, notes, brokenIn, truncated };
    return this.#survey;
  }

  /** What the last survey found; makes one where there was none. */
  async known(wanted: readonly string[] | null, signal: AbortSignal): Promise<Survey> {
    return this.#survey ?? (await this.survey(wanted, signal));
  }

  /** The items of a table from number `from` on, in batches. */
  async *items(
    survey: Survey,
    table: SurveyedTable,
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly SourceItem[], void, undefined> {
    for await (const { items } of this.#records(survey, [table], from, signal)) yield items;
  }

  /** The items of several tables, as they come in the dump. */
  itemsOf(
    survey: Survey,
    tables: readonly SurveyedTable[],
    signal: AbortSignal,
  ): AsyncGenerator<TableItems, void, undefined> {
    return this.#records(survey, tables, 0, signal);
  }

  /** From record number `from` on, counted over all of these tables. */
  async *#records(
    survey: Survey,
    tables: readonly SurveyedTable[],
    from: number,
    signal: AbortSignal,
  ): AsyncGenerator<TableItems, void, undefined> {
    const makers = new Map(tables.map((table) => [table.fullName, this.#maker(survey, table)]));
    const names = new Map(tables.map(({ name, fullName }) => [fullName, name]));
    const scanner = this.#scanner(survey.lexis, new Set(names.keys()));
    const all = tables.reduce((sum, { items }) => sum + items, 0);
    let passed = 0;
    for await (const [records, suspect] of recordsOf(survey, scanner, signal)) {
      const wanted = records.slice(Math.max(0, from - passed));
      passed += records.length;
      for (const batch of batches(wanted)) {
        signal.throwIfAborted();
        const of = batch[0]?.block.table.name ?? '';
        const maker = makers.get(of);
        if (maker === undefined) continue;
        yield {
          table: names.get(of) ?? of,
          items: batch.map((record) => maker.item(record, suspect)),
        };
      }
      // What follows is of other tables.
      if (passed >= all) return;
    }
  }

  #maker({ encoding }: Survey, { columns }: SurveyedTable): ItemMaker {
    const { maxRowBytes, nulls } = this.#options;
    const binaryText = binaryTextIn(encoding.encoding);
    return new ItemMaker({ columns, oddities: new Oddities(), binaryText, maxRowBytes, nulls });
  }

  #scanner(lexis: Lexis, wanted: ReadonlySet<string> | null): DumpScanner {
    const { escapes, maxRowBytes } = this.#options;
    return new DumpScanner({ lexis, fixedEscapes: escapes !== 'auto', maxRowBytes, wanted });
  }
}

/** Whether a table is called so, with its database or schema or without, in whatever case. */
function means(wanted: string, fullName: string): boolean {
  const [name, full] = [wanted.toLowerCase(), fullName.toLowerCase()];
  return full === name || full.endsWith(`.${name}`);
}

/** The records as they come off the file, with whether anything so far could not be decoded. */
async function* recordsOf(
  opened: OpenedDump,
  scanner: DumpScanner,
  signal: AbortSignal,
): AsyncGenerator<readonly [records: readonly DumpRecord[], suspect: boolean], void, undefined> {
  for await (const [text, suspect] of dumpTexts(opened, signal)) {
    yield [text === null ? scanner.end() : scanner.push(text), suspect];
  }
}

/** Batches of records of one table each. */
function* batches(records: readonly DumpRecord[]): Generator<readonly DumpRecord[]> {
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

function surveyed({ tables: { all } }: DumpScanner, tally: Tally): readonly SurveyedTable[] {
  const names = shortNames(all.map(({ name }) => name));
  return all.map((table, index) => {
    const width = tally.width(table);
    const numbered = width === undefined ? null : Array.from({ length: width }, (_, place) => `${place + 1}`);
    const columns = table.columns.size > 0 ? [...table.columns.keys()] : numbered;
    return { name: names[index] ?? table.name, fullName: table.name, columns, items: tally.items(table) };
  });
}

function truncation(
  brokenIn: number | null,
  { cutOff }: Tally,
  tables: readonly SurveyedTable[],
): string | undefined {
  if (brokenIn !== null)
    return `The dump is cut off in the statement that begins in line ${brokenIn}: the rest is missing.`;
  if (cutOff === undefined) return undefined;
  const { block, line } = cutOff;
  const name = tables.find(({ fullName }) => fullName === block.table.name)?.name ?? block.table.name;
  return `The dump is cut off in line ${line}, in the rows of ${name}: the rest is missing.`;
}

function notesOf(scanner: DumpScanner, tally: Tally, tables: readonly SurveyedTable[]): readonly string[] {
  const nameOf = new Map(tables.map(({ name, fullName }) => [fullName, name]));
  const unnamed = scanner.tables.all.filter((table) => tally.width(table) !== undefined);
  return [
    ...scanner.notes,
    ...unnamed.map(
      ({ name }) =>
        `The dump does not name the columns of ${nameOf.get(name)}: they are named "1", "2" and so on.`,
    ),
  ];
}
