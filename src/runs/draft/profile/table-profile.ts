import type { InputFacts, SourceItem } from '../../../model/row.ts';
import { ColumnProfile } from './column-profile.ts';
import { type TotalsRow, totalsOf } from './totals-row.ts';

/** What a table's rows show. */
export interface TableProfile {
  readonly rows: number;
  /** Records that are no rows, by their problem's code. */
  readonly broken: ReadonlyMap<string, number>;
  /** Rows that are left out because all their cells are empty. */
  readonly blank: number;
  /** Rows of totals, which are nobody; they are not counted as rows. */
  readonly totals: readonly TotalsRow[];
  /** In the input's order. */
  readonly columns: readonly ColumnProfile[];
  /** How many columns there are beyond those that were looked at. */
  readonly moreColumns: number;
  /** Columns that can also be read as a list of plain values, whatever signs these hold. */
  readonly lists: ReadonlySet<string>;
}

/** So many rows at the beginning are looked at closely, and as many again, spread over the rest. */
const closely = 2_000;
const mostColumns = 500;
const mostTotals = 20;
const deepElement = /\[(?:[3-9]|\d{2,})\]/;

type Facts = Pick<InputFacts, 'items' | 'columns' | 'lists'>;

/** Reads all rows of a table, in constant memory. */
export async function profileTable(
  facts: Facts,
  batches: AsyncIterable<readonly SourceItem[]>,
): Promise<TableProfile> {
  const profiling = new Profiling(facts);
  for await (const items of batches) for (const item of items) profiling.add(item);
  const { rows, broken, blank, totals, columns, moreColumns, lists } = profiling;
  return { rows, broken, blank, totals, columns, moreColumns, lists };
}

class Profiling implements TableProfile {
  rows = 0;
  blank = 0;
  readonly totals: TotalsRow[] = [];
  readonly broken = new Map<string, number>();
  readonly #columns = new Map<string, ColumnProfile>();
  readonly #stride: number;
  /** Whether the input says by itself which columns it has. */
  readonly #named: boolean;
  readonly #left = new Set<string>();
  readonly lists: ReadonlySet<string>;

  constructor({ items, columns, lists = [] }: Facts) {
    this.lists = new Set(
      lists.filter(({ columns: of }) => of?.length === 1 && of[0] === '').map(({ name }) => name),
    );
    this.#stride = Math.max(1, Math.floor(items / closely));
    for (const name of columns ?? []) this.#column(name);
    this.#named = columns !== null;
  }

  get columns(): readonly ColumnProfile[] {
    return [...this.#columns.values()];
  }

  get moreColumns(): number {
    return this.#left.size;
  }

  add(item: SourceItem): void {
    if (item.kind === 'broken') {
      const { code } = item.problem;
      this.broken.set(code, (this.broken.get(code) ?? 0) + 1);
    }
    if (item.kind === 'filtered') this.blank += 1;
    if (item.kind !== 'row') return;
    const totals = this.totals.length < mostTotals ? totalsOf(item) : undefined;
    if (totals !== undefined) {
      this.totals.push(totals);
      return;
    }
    const close = this.rows < closely || this.rows % this.#stride === 0;
    this.rows += 1;
    for (const [name, cell] of item.entries()) {
      const column = this.#columns.get(name) ?? (this.#named ? undefined : this.#column(name));
      column?.add(cell, close);
    }
  }

  #column(name: string): ColumnProfile | undefined {
    if (deepElement.test(name)) return undefined;
    if (this.#columns.size === mostColumns) {
      if (this.#left.size < mostColumns) this.#left.add(name);
      return undefined;
    }
    const column = new ColumnProfile(name);
    this.#columns.set(name, column);
    return column;
  }
}
