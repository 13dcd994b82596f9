import { extname } from 'node:path';
import {
  createRejectedCellsLookup,
  type JournalDatabase,
  listRetryChain,
  type RetrySelection,
  type RunRecord,
} from '../../journal/index.ts';
import type { FieldDay } from '../../mapping/index.ts';
import type { CommandFactory } from '../../model/command.ts';
import type { MappingResult } from '../../model/draft.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { Problem } from '../../model/problem.ts';
import type {
  BrokenRow,
  Cell,
  CsvDialect,
  InputFacts,
  NestedRow,
  Row,
  Source,
  SourceItem,
} from '../../model/row.ts';
import { formatRowLine, type NormalisedRowPlace } from '../../model/row-place.ts';
import { parseJsonArrayRows } from '../../sources/json/array-rows.ts';
import { sourceFormats } from '../../sources/registry.ts';
import { type CorrectedRowOrigin, openOriginalLists, storeOriginalLists } from './original-lists.ts';
import { detectSpreadsheetReformatting, type RewrittenCell } from './rewritten-cell.ts';
import { parseRowOrigin } from './row-hash.ts';

/** The columns that rejects.csv adds to those of the input. */
const addedColumns: ReadonlySet<string> = new Set([
  ...['_row', '_sheet', '_line', '_code', '_column', '_reason', '_raw'],
]);

type DaysIn = (column: string, cell: string) => readonly FieldDay[];

export type Cells = readonly (readonly [column: string, cell: Cell])[];

/** Returns the cells that a row had when it was rejected, by its `_row`; null if they are unknown. */
type CellsBefore = (origin: string) => Cells | null;

/** The nested lists that no column of a rejects.csv holds, and where they are read. */
interface ListsOfInput {
  /** The names of those that the mapping reads. */
  readonly names: readonly string[];
  /** The input of the retried run; undefined if it cannot be read again as it was. */
  readonly input: Source | undefined;
  /** The path of the scratch file for the lists of the rows. */
  readonly path: string;
  readonly command: CommandFactory;
}

/** A corrected rejects.csv, and the retry that reads it as its input. */
export interface CorrectedRejectsInput {
  readonly selection: RetrySelection & { readonly from: string };
  readonly spoolDir: string;
  readonly journal: JournalDatabase;
  readonly retried: RunRecord;
  readonly hasKey: boolean;
  /** Returns the days that fields of type date read in a cell. */
  readonly daysIn: DaysIn;
  /** The lists that the mapping reads from columns, which hold them as JSON. */
  readonly listColumns: readonly string[];
  readonly lists: ListsOfInput;
}

/**
 * Opens a corrected rejects.csv, or a workbook that it was saved as, as the input of a retry; leaves out the columns
 * that rejects.csv adds.
 */
export function openCorrectedRejects(request: CorrectedRejectsInput): Source {
  const { from } = request.selection;
  const isWorkbook = /^\.xls[xm]$/i.test(extname(from));
  const format = sourceFormats.find(({ name }) => name === (isWorkbook ? 'xlsx' : 'csv'));
  if (format === undefined) throw new Error('there is no format for tables');
  const options = isWorkbook
    ? { guarded: true }
    : { guarded: true, header: true, ragged: 'pad', skipEmpty: true, maxRowBytes };
  const source = format.open(options, { path: from, spoolDir: request.spoolDir });
  return new RejectsSource(source, request);
}

/** The maximum number of bytes of a row: rows of rejects.csv also have the reason and the raw text. */
const maxRowBytes = 64 * 1024 * 1024;

class RejectsSource implements Source {
  readonly #source: Source;
  readonly #request: CorrectedRejectsInput;
  readonly #family: readonly RunRecord[];
  readonly #cellsBefore: CellsBefore;
  /** True once the lists of the rows are stored. */
  #hasLists = false;

  constructor(source: Source, request: CorrectedRejectsInput) {
    const { journal, retried } = request;
    this.#source = source;
    this.#request = request;
    this.#family = listRetryChain(journal, retried, Number.MAX_SAFE_INTEGER);
    this.#cellsBefore = cellsBefore(journal, this.#family);
  }

  async inspect(signal: AbortSignal): Promise<InputFacts> {
    const facts = await this.#source.inspect(signal);
    const { name, writing } = facts;
    const columns = facts.columns ?? [];
    const hasOrigins = columns.includes('_row');
    if (!hasOrigins && !this.#request.hasKey) throw withoutOrigins(name);
    this.#assertLists(name, columns);
    const rewritten = new RewrittenCells();
    for await (const batch of this.#source.read(0, signal)) {
      for (const item of batch) {
        if (item.kind !== 'row') continue;
        const before = originOf(item, this.#cellsBefore);
        if (before !== null) assertColumns(columns, before, facts);
        for (const [column, cell] of cellsOf(item))
          rewritten.note(item.line, column, findRewritten(before, column, cell, this.#request.daysIn));
      }
    }
    const { sheets } = this.#request.retried;
    return {
      ...facts,
      ...(await this.#storeLists(signal)),
      ...(sheets && { sheetsAsOne: sheets }),
      // Null if the input has no fixed columns (JSON): a column that no rejected row has does not count as missing.
      columns: this.#request.retried.columns ? columns.filter((column) => !addedColumns.has(column)) : null,
      notes: [
        ...facts.notes,
        ...(sheets ? [] : [linesNote(name)]),
        ...(writing ? [writingNote(name, writing)] : []),
        ...rewritten.notes(),
      ],
    };
  }

  async *read(from: number, signal: AbortSignal): AsyncGenerator<readonly SourceItem[], void, undefined> {
    const lists = this.#hasLists ? openOriginalLists(this.#request.lists.path) : undefined;
    try {
      let number = from;
      for await (const batch of this.#source.read(from, signal)) {
        const first = number;
        number += batch.length;
        yield batch.map((item, n) =>
          item.kind === 'row'
            ? this.#correct(item, (name) => lists?.of(first + n, name) ?? item.list?.(name))
            : item,
        );
      }
    } finally {
      lists?.close();
    }
  }

  /**
   * Converts a row of the file into a row of the input, restoring cells that a spreadsheet rewrote without loss. A row
   * that could not be read and has no cells filled in yet stays a broken row.
   */
  #correct(row: Row, list: ListOfRow): Row | BrokenRow {
    const origin = row.cell('_row')?.trim() || undefined;
    const was = originOf(row, this.#cellsBefore);
    const cells = cellsOf(row);
    const raw = row.cell('_raw') ?? '';
    if (raw !== '' && isBlank(cells))
      return { kind: 'broken', ...placeInInput(row), raw, origin, problem: notFilled(row) };
    const { cells: own, damage } = takeCorrectedCells(was, cells, this.#request.daysIn);
    return new CorrectedRow(row, new Map(own), { origin, damage, list });
  }

  /** Throws a FatalError (usage) if a list that the mapping reads is neither in the file nor found by its `_row`. */
  #assertLists(name: string, columns: readonly string[]): void {
    const { lists, listColumns } = this.#request;
    const hasOrigins = columns.includes('_row');
    const [lost] = hasOrigins && lists.input !== undefined ? [] : lists.names;
    // With `_row`, the cells of a column that was removed are known to be missing.
    const missing = hasOrigins ? undefined : listColumns.find((list) => !columns.includes(list));
    const list = lost ?? missing;
    if (list !== undefined) throw withoutList(name, list, hasOrigins);
  }

  async #storeLists(signal: AbortSignal): Promise<Pick<InputFacts, 'lists' | 'absent'>> {
    const { lists, journal, retried, selection } = this.#request;
    const { names, input } = lists;
    if (input === undefined || names.length === 0) return {};
    const { from } = selection;
    const found = await storeOriginalLists(
      { ...lists, input, lists: names, journal, retried, family: this.#family, from },
      this.#origins(signal),
      signal,
    );
    this.#hasLists = true;
    return found;
  }

  /** Yields the origins of the rows that have cells: an empty row, or one that is not filled in yet, needs no lists. */
  async *#origins(signal: AbortSignal): AsyncGenerator<CorrectedRowOrigin, void, undefined> {
    let item = 0;
    for await (const batch of this.#source.read(0, signal)) {
      for (const row of batch) {
        if (row.kind === 'row' && !isBlank(cellsOf(row)))
          yield { item, line: row.line, origin: row.cell('_row')?.trim() ?? '' };
        item += 1;
      }
    }
  }
}

/**
 * Returns the cells of a corrected row as a retry takes them, and the problems of cells that a spreadsheet has damaged;
 * `was` has the cells that the row had when it was rejected.
 */
export function takeCorrectedCells(
  was: Cells | null,
  cells: Cells,
  daysIn: DaysIn,
): { readonly cells: Cells; readonly damage: readonly Problem[] } {
  const damage: Problem[] = [];
  const own = cells.map(([column, cell]) => {
    const found = findRewritten(was, column, cell, daysIn);
    if (found?.kind === 'lost') damage.push(lost(column, found));
    if (found?.kind === 'swapped') damage.push(swapped(column, found, daysIn));
    if (isCutList(cellIn(was, column), cell)) damage.push(cutList(column));
    return [column, found?.kind === 'same' ? found.before : cell] as const;
  });
  return { cells: own, damage };
}

function findRewritten(was: Cells | null, column: string, cell: Cell, daysIn: DaysIn): RewrittenCell | null {
  const before = cellIn(was, column);
  const days = (text: string) => daysIn(column, text).map(({ day }) => day);
  return detectSpreadsheetReformatting(before, cell ?? '', days(before ?? ''), days(cell ?? ''));
}

function swapped(column: string, { before, after }: RewrittenCell, daysIn: DaysIn): Problem {
  const [read] = daysIn(column, before ?? '');
  const reason = `A spreadsheet may have exchanged day and month: ${JSON.stringify(before)} is now ${JSON.stringify(after)}. Write the date as text, in the way of the input.`;
  return { code: `customFields.${read?.field}.invalid`, column, reason };
}

function cellsBefore(journal: JournalDatabase, family: readonly RunRecord[]): CellsBefore {
  const byRun = new Map(family.map(({ id, number }) => [id, createRejectedCellsLookup(journal, number)]));
  return (origin) => {
    const named = parseRowOrigin(origin);
    return (named && byRun.get(named.run)?.(named.hash)) ?? null;
  };
}

function originOf(row: Row, before: CellsBefore): Cells | null {
  const origin = row.cell('_row') ?? '';
  return origin === '' ? null : before(origin.trim());
}

function isBlank(cells: Cells): boolean {
  return cells.every(([, cell]) => (cell ?? '').trim() === '');
}

function cellsOf(row: Row): Cells {
  return row.entries().filter(([column]) => !addedColumns.has(column));
}

function cellIn(cells: Cells | null, column: string): string | null {
  const found = cells?.find(([name]) => name === column);
  return found === undefined ? null : (found[1] ?? '');
}

/**
 * Returns the place of a row: its line in the file or, if the input has several sheets, its sheet and line in the
 * input.
 */
function placeInInput(row: Row): NormalisedRowPlace {
  const [sheet, line] = [row.cell('_sheet'), Number(row.cell('_line'))];
  return sheet && Number.isSafeInteger(line) ? { line, sheet } : { line: row.line };
}

type ListOfRow = (name: string) => readonly NestedRow[] | undefined;

/** Returns true for a list as JSON that is not valid any more: a spreadsheet cuts off cells of more than 32,767 letters. */
function isCutList(before: string | null, now: Cell): boolean {
  return (
    before !== now &&
    (now ?? '').trimStart().startsWith('[') &&
    parseJsonArrayRows(before) !== undefined &&
    parseJsonArrayRows(now) === undefined
  );
}

class CorrectedRow implements Row {
  readonly kind = 'row';
  readonly line: number;
  readonly sheet: string | undefined;
  readonly origin: string | undefined;
  readonly damage: readonly Problem[] | undefined;
  readonly list: ListOfRow;
  readonly #cells: ReadonlyMap<string, Cell>;

  constructor(
    row: Row,
    cells: ReadonlyMap<string, Cell>,
    {
      origin,
      damage,
      list,
    }: {
      readonly origin: string | undefined;
      readonly damage: readonly Problem[];
      readonly list: ListOfRow;
    },
  ) {
    const { line, sheet } = placeInInput(row);
    this.line = line;
    this.sheet = sheet;
    this.origin = origin;
    this.damage = damage.length === 0 ? undefined : damage;
    this.list = list;
    this.#cells = cells;
  }

  cell(column: string): Cell | undefined {
    return this.#cells.get(column);
  }

  entries(): Cells {
    return [...this.#cells];
  }
}

function notFilled(row: Row): Problem {
  const code = row.cell('_code') || 'row.malformed';
  const reason = `This row could not be read, and its cells are still empty: fill them in from "_raw". ${row.cell('_reason') ?? ''}`;
  return { code, column: null, reason: reason.trim() };
}

function lost(column: string, { before, after }: RewrittenCell): Problem {
  const was = before === null ? '' : ` It was ${JSON.stringify(before)}.`;
  const reason = `A spreadsheet has written this number as ${JSON.stringify(after)}, and its digits are lost.${was} Write it again, in a column that is formatted as text.`;
  return { code: 'row.digitsLost', column, reason };
}

function cutList(column: string): Problem {
  const reason =
    'The list in this cell is not valid JSON any more: a spreadsheet may have cut it off. Write it as it was in rejects.csv.';
  return { code: 'row.json', column, reason };
}

/** Wraps a mapping so that it rejects rows that a spreadsheet has damaged. */
export function withDamageCheck(map: (row: Row) => MappingResult): (row: Row) => MappingResult {
  return (row) => {
    const mapped = map(row);
    if (row.damage === undefined) return mapped;
    const { damage } = row;
    const [key, problems] = mapped.ok ? [mapped.draft.key, []] : [mapped.key, mapped.problems];
    const others = problems.filter(({ column }) => damage.every((each) => each.column !== column));
    return { ok: false, key, problems: [...damage, ...others] };
  };
}

/** Counts rewritten cells by column and kind, with the first example of each. */
class RewrittenCells {
  readonly #found = new Map<string, { n: number; line: number; text: string }>();

  note(line: number, column: string, found: RewrittenCell | null): void {
    if (found === null) return;
    const key = JSON.stringify([column, found.kind]);
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, { n: 1, line, text: words(column, line, found) });
    else known.n += 1;
  }

  notes(): readonly string[] {
    return [...this.#found.values()].map(({ n, text }) => (n === 1 ? text : `${text} So in ${n} rows.`));
  }
}

function words(column: string, line: number, { kind, before, after }: RewrittenCell): string {
  const change = `${before === null ? '' : `${JSON.stringify(before)} is now `}${JSON.stringify(after)} (line ${formatRowLine(line)})`;
  const name = JSON.stringify(column);
  switch (kind) {
    case 'same':
      return `A spreadsheet has changed how column ${name} is written: ${change}. The value is the same, and is taken as it was.`;
    case 'perhaps':
      return `A spreadsheet may have changed how column ${name} is written: ${change}. It is taken as it is now: please verify.`;
    case 'lost':
      return `A spreadsheet has destroyed digits in column ${name}: ${change}. Such rows are rejected.`;
    case 'swapped':
      return `A spreadsheet may have exchanged day and month in column ${name}: ${change}. Such rows are rejected.`;
  }
}

/** Rows of several sheets are named by their place in the input instead. */
function linesNote(name: string): string {
  return `The lines in the messages of this retry are those of ${name}.`;
}

function writingNote(name: string, { delimiter, encoding, bom, lineEnds }: CsvDialect): string {
  const cells = delimiter === '\t' ? 'a tab' : JSON.stringify(delimiter);
  return `${name} is read as ${encoding}${bom ? ' with a BOM' : ''}, cells separated by ${cells}, lines ended by ${lineEnds}.`;
}

/** Throws a FatalError (input) if the file lacks a column in which the row had a value when it was rejected. */
function assertColumns(columns: readonly string[], before: Cells, { name, writing }: InputFacts): void {
  const removed = before.find(([column, cell]) => (cell ?? '') !== '' && !columns.includes(column));
  if (removed === undefined) return;
  if (writing !== undefined && !/^utf/i.test(writing.encoding) && /\P{ASCII}/u.test(removed[0])) {
    throw new FatalError(
      'input',
      `${name} has no column ${JSON.stringify(removed[0])}: this file is not UTF-8, so its letters cannot be read for sure (it was read as ${writing.encoding}).`,
      { place: { file: name, line: 1 }, next: 'Save it again as "CSV UTF-8", or as Unicode text.' },
    );
  }
  throw new FatalError('input', `${name} has no column ${JSON.stringify(removed[0])} any more.`, {
    place: { file: name, line: 1 },
    next: 'Put the column back, with the cells that it had in rejects.csv.',
  });
}

function withoutOrigins(name: string): FatalError {
  return new FatalError(
    'input',
    `${name} has no column "_row", and the mapping has no key: nothing says which rows these were.`,
    {
      place: { file: name, line: 1 },
      next: 'Keep the columns that rejects.csv came with, "_row" above all.',
    },
  );
}

function withoutList(name: string, list: string, hasOrigins: boolean): FatalError {
  return new FatalError(
    'usage',
    `the mapping reads the list ${JSON.stringify(list)} of each row, and ${name} does not hold it: what is in it would be left out.`,
    {
      place: { file: name },
      next: hasOrigins
        ? 'Correct the rows in the input itself, and leave out --from.'
        : 'Keep the columns that rejects.csv came with: by "_row", the lists of a row are found in the input.',
    },
  );
}
