import type { InputFacts, Row, SourceItem } from '../../../model/row.ts';
import { ColumnProfile } from './column-profile.ts';
import { ContactColumnComparison } from './contact-rows.ts';

/** A row of totals, as reports have at their end. */
interface TotalsRow {
  readonly line: number;
  /** The column of its label, and the label. */
  readonly column: string;
  readonly label: string;
}

const label = new RegExp(
  `^(?:${[
    '(?:grand |sub-?)?totals?',
    '(?:gesamt|zwischen|end)?summe',
    '(?:ins)?gesamt',
    'sum',
    'anzahl',
    'count',
    '(?:sous-)?total(?: g[ée]n[ée]ral)?',
    'somme',
    'suma(?: total)?',
    'soma',
    '(?:sub)?totale',
    '(?:sub)?totaal',
    'razem',
    'og[óo][łl]em',
    'toplam',
    'jumlah',
    'antal',
    'i alt',
    'yhteensä',
    'celkem',
    'итого',
    'всего',
    '合計|小計|总计|合计|小计|합계|총계',
  ].join('|')})\\s*(?:$|[:(=–-]|\\d)`,
  'iu',
);

/**
 * Matches a cell beside the label of a totals row, such as an amount with its currency, or a dash: no @, and at most
 * one run of up to three letters.
 */
const amount = /^[^\p{L}@]*(?:\p{L}{1,3}[^\p{L}@]*)?$/u;

/**
 * Returns the place and label of a row of totals: its first filled cell begins with a word such as Total, its
 * other filled cells look like amounts, and at most about half of all cells are filled. Returns undefined for
 * a row of data.
 */
function totalsOf(row: Row): TotalsRow | undefined {
  const entries = row.entries();
  const filled = entries.filter(([, cell]) => cell !== null && cell.trim() !== '');
  const [first, ...others] = filled;
  if (first === undefined || filled.length * 2 > entries.length + 1) return undefined;
  const [column, text] = first;
  if (text === null || !label.test(text.trim())) return undefined;
  if (!others.every(([, cell]) => amount.test((cell ?? '').trim()))) return undefined;
  return { line: row.line, column, label: text };
}

/** Rows that repeat the header, as exports in groups and files that were joined have them. */
interface RepeatedHeader extends TotalsRow {
  readonly rows: number;
}

/** Returns the place of a row with the name of each column in it, as far as the row goes; undefined for a row of data. */
function repeatedHeaderOf(row: Row): TotalsRow | undefined {
  let first: TotalsRow | undefined;
  let filled = 0;
  for (const [column, cell] of row.entries()) {
    const text = (cell ?? '').trim();
    if (text === '') continue;
    if (text !== column.trim()) return undefined;
    first ??= { line: row.line, column, label: cell ?? '' };
    filled += 1;
  }
  return filled > 1 ? first : undefined;
}

/** The profile of a table's rows. */
export interface TableProfile {
  readonly rows: number;
  /** The numbers of records that cannot be read as rows, by problem code. */
  readonly broken: ReadonlyMap<string, number>;
  /**
   * The number of rows that the source left out: the blank rows of a delimited file; in other formats, those that
   * `where` excludes.
   */
  readonly blank: number;
  /** The first 20 rows of totals: they describe no person, and are not counted as rows. */
  readonly totals: readonly TotalsRow[];
  /** The rows that repeat the header, which are not counted as rows either; undefined for none. */
  readonly repeatedHeader?: RepeatedHeader | undefined;
  /** In the input's order. */
  readonly columns: readonly ColumnProfile[];
  /** The number of columns beyond those that were profiled. */
  readonly moreColumns: number;
  /** Columns that the source also offers as a list of plain values (`name[]`); such a list needs no separator. */
  readonly lists: ReadonlySet<string>;
  /**
   * How the phone columns, and the e-mail columns, differ within a row; the rows that have a phone without a country
   * code and no country; and the columns of names that are filled together.
   */
  readonly contacts: Pick<ContactColumnComparison, 'differing' | 'nationalWithout' | 'rowsNamed'>;
}

/** The number of rows checked closely at the beginning; about as many more are checked, spread over the rest. */
const closely = 2_000;
const mostColumns = 500;
const mostTotals = 20;
const deepElement = /\[(?:[3-9]|\d{2,})\]/;

type Facts = Pick<InputFacts, 'items' | 'columns' | 'lists'>;

/** Reads all rows of a table and returns their profile; memory does not grow with the rows. */
export async function profileTable(
  facts: Facts,
  batches: AsyncIterable<readonly SourceItem[]>,
): Promise<TableProfile> {
  const profiling = new TableProfiler(facts, Math.floor(facts.items / closely));
  for await (const items of batches) for (const item of items) profiling.add(item);
  return profiling.profile();
}

/** Builds the profile of a table row by row. */
export class TableProfiler {
  readonly #broken = new Map<string, number>();
  readonly #totals: TotalsRow[] = [];
  #repeatedHeader: RepeatedHeader | undefined;
  readonly #contacts = new ContactColumnComparison();
  readonly #columns: ProfiledColumns;
  readonly #lists: ReadonlySet<string>;
  readonly #stride: number;
  #rows = 0;
  #blank = 0;

  /**
   * After the first rows, one row of every `stride` is checked closely; `withValues` counts all values of the columns.
   */
  constructor({ columns, lists = [] }: Omit<Facts, 'items'>, stride: number, withValues = false) {
    this.#columns = new ProfiledColumns(columns, withValues, this.#contacts);
    this.#stride = Math.max(1, stride);
    const plainLists = lists.filter(({ columns: of }) => of?.length === 1 && of[0] === '');
    this.#lists = new Set(plainLists.map(({ name }) => name));
  }

  add(item: SourceItem): void {
    if (item.kind === 'row') this.#addRow(item);
    else if (item.kind === 'filtered') this.#blank += 1;
    else this.#broken.set(item.problem.code, (this.#broken.get(item.problem.code) ?? 0) + 1);
  }

  profile(): TableProfile {
    return {
      rows: this.#rows,
      broken: this.#broken,
      blank: this.#blank,
      totals: this.#totals,
      repeatedHeader: this.#repeatedHeader,
      columns: this.#columns.all(),
      moreColumns: this.#columns.more,
      lists: this.#lists,
      contacts: this.#contacts,
    };
  }

  #addRow(row: Row): void {
    const found = this.#totals.length < mostTotals ? totalsOf(row) : undefined;
    if (found !== undefined) {
      this.#totals.push(found);
      return;
    }
    const header = repeatedHeaderOf(row);
    if (header !== undefined) {
      this.#repeatedHeader = {
        ...header,
        ...this.#repeatedHeader,
        rows: (this.#repeatedHeader?.rows ?? 0) + 1,
      };
      return;
    }
    const close = this.#rows < closely || this.#rows % this.#stride === 0;
    this.#rows += 1;
    for (const [name, cell] of row.entries()) this.#columns.get(name)?.add(cell, row, close);
    this.#contacts.add(row);
  }
}

/** The columns in order; if the input does not name them, those of its rows. */
class ProfiledColumns {
  readonly #columns = new Map<string, ColumnProfile>();
  readonly #left = new Set<string>();
  readonly #isOpen: boolean;
  readonly #withValues: boolean;
  readonly #contacts: ContactColumnComparison;

  constructor(named: readonly string[] | null, withValues: boolean, contacts: ContactColumnComparison) {
    this.#withValues = withValues;
    this.#contacts = contacts;
    for (const name of named ?? []) this.#open(name);
    this.#isOpen = named === null;
  }

  get(name: string): ColumnProfile | undefined {
    return this.#columns.get(name) ?? (this.#isOpen ? this.#open(name) : undefined);
  }

  all(): readonly ColumnProfile[] {
    return [...this.#columns.values()];
  }

  get more(): number {
    return this.#left.size;
  }

  #open(name: string): ColumnProfile | undefined {
    if (deepElement.test(name)) return undefined;
    if (this.#columns.size === mostColumns) {
      if (this.#left.size < mostColumns) this.#left.add(name);
      return undefined;
    }
    const column = new ColumnProfile(name, this.#withValues);
    this.#columns.set(name, column);
    this.#contacts.see(name, column.role);
    return column;
  }
}
