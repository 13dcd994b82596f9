import type { FatalError } from '../../model/fatal-error.ts';
import { listed } from '../../model/listed.ts';
import { nearest } from '../../model/nearest.ts';
import { refused } from '../input-file.ts';
import { allowsNothing, type Where } from '../where.ts';
import { listColumn } from './key.ts';

/** A table whose columns are asked for; of a row of it, with what earlier joins have added. */
export interface AskedTable {
  readonly name: string;
  /** null where they are not known. */
  readonly columns: readonly string[] | null;
  /** Whether a column that no record has may be one that is empty everywhere. */
  readonly open?: boolean;
  /** The names of lists that earlier joins have added. */
  readonly lists?: readonly string[];
}

/** Asks for columns in the name of one place of the pipeline. */
interface Asking {
  /** Columns of a table. */
  of(table: AskedTable, columns: readonly string[]): void;
  /** Columns of a row, of which one may be of a list: `tags[].id`. */
  ofRow(row: AskedTable, columns: readonly string[]): void;
  /** Columns of conditions, which nothing can fulfil where the column is missing. */
  conditions(table: AskedTable, where: Where): void;
}

const mostNamed = 40;

/** The columns that joins ask for: one that is missing is refused where it can only be a mistake, else noted. */
export class AskedColumns {
  readonly #input: string;
  readonly #notes = new Set<string>();

  constructor(input: string) {
    this.#input = input;
  }

  /** The columns that count as empty, in sentences. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /** `who` asks. Each throws a FatalError('input') over the first column that cannot be meant. */
  by(who: string): Asking {
    const look = (table: AskedTable, columns: readonly string[], mayMiss: (column: string) => boolean) => {
      for (const column of columns) {
        if (table.columns?.includes(column) !== false) continue;
        if (!mayMiss(column)) throw this.#noColumn(who, table, column);
        const meant = nearest(column, table.columns);
        const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
        this.#notes.add(
          `${who.replace(/^t/, 'T')} uses the column "${column}", which no row of ${table.name} has: it counts as empty.${hint}`,
        );
      }
    };
    return {
      of: (table, columns) => look(table, columns, () => table.open === true),
      ofRow: (row, columns) => {
        const lists = columns.filter((column) => isOfList(column, row));
        if (lists.length > 1) throw this.#twoLists(who, lists);
        const asked = columns.flatMap((column) => {
          const list = lists.includes(column) ? listColumn(column)?.list : undefined;
          return list === undefined ? [column] : row.lists?.includes(list) ? [] : [list];
        });
        look(row, asked, () => row.open === true);
      },
      conditions: (table, where) =>
        look(table, Object.keys(where), (column) => table.open === true || allowsNothing(where, column)),
    };
  }

  #noColumn(who: string, { name, columns }: AskedTable, missing: string): FatalError {
    const all = columns ?? [];
    const meant = nearest(missing, all);
    const hint = meant === undefined ? '' : `Did you mean "${meant}"? `;
    const what = `has no column "${missing}" in ${name}, which ${who} uses`;
    return refused(this.#input, what, `${hint}There are: ${listed(all, mostNamed)}.`);
  }

  #twoLists(who: string, lists: readonly string[]): FatalError {
    const what = `cannot be joined by columns of several lists (${listed(lists)}), which ${who} uses`;
    return refused(this.#input, what, 'Use a column of one list.');
  }
}

function isOfList(column: string, { columns }: AskedTable): boolean {
  return columns?.includes(column) !== true && listColumn(column) !== null;
}
