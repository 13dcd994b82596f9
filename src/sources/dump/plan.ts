import type { FatalError } from '../../model/fatal-error.ts';
import { listed } from '../../model/listed.ts';
import { nearest } from '../../model/nearest.ts';
import { inputError } from '../plain-file.ts';
import { allowsNothing, type Where } from '../where.ts';
import type { DumpTable } from './inspected-files.ts';
import { listColumn } from './key.ts';
import type { JoinOptions, Joins } from './options.ts';

/** A table whose columns are asked for; of a row of it, with what earlier joins have added. */
interface CheckedTable {
  readonly name: string;
  /** null where they are not known. */
  readonly columns: readonly string[] | null;
  /** Whether a column that no record has may be one that is empty everywhere. */
  readonly open?: boolean;
  /** The names of lists that earlier joins have added. */
  readonly lists?: readonly string[];
}

/** Asks for columns in the name of one place of the pipeline. */
interface ColumnCheck {
  /** Columns of a table. */
  of(table: CheckedTable, columns: readonly string[]): void;
  /** Columns of a row, of which one may be of a list: `tags[].id`. */
  ofRow(row: CheckedTable, columns: readonly string[]): void;
  /** Columns of conditions, which nothing can fulfil where the column is missing. */
  conditions(table: CheckedTable, where: Where): void;
}

const mostNamed = 40;

/** The columns that joins ask for: one that is missing is refused where it can only be a mistake, else noted. */
class ColumnChecks {
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
  by(who: string): ColumnCheck {
    const look = (table: CheckedTable, columns: readonly string[], mayMiss: (column: string) => boolean) => {
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

  #noColumn(who: string, { name, columns }: CheckedTable, missing: string): FatalError {
    const all = columns ?? [];
    const meant = nearest(missing, all);
    const hint = meant === undefined ? '' : `Did you mean "${meant}"? `;
    const what = `has no column "${missing}" in ${name}, which ${who} uses`;
    return inputError(this.#input, what, `${hint}There are: ${listed(all, mostNamed)}.`);
  }

  #twoLists(who: string, lists: readonly string[]): FatalError {
    const what = `cannot be joined by columns of several lists (${listed(lists)}), which ${who} uses`;
    return inputError(this.#input, what, 'Use a column of one list.');
  }
}

function isOfList(column: string, { columns }: CheckedTable): boolean {
  return columns?.includes(column) !== true && listColumn(column) !== null;
}

/** A child table as it is staged: those of its rows that count, found by the cells of its key. */
export interface JoinedChild {
  readonly table: DumpTable;
  readonly key: readonly string[];
  readonly where: Where;
}

/** A join whose tables and columns are known to be there. */
export interface PlannedJoin {
  readonly name: string;
  /** With the joins around it: `notes.author`. */
  readonly path: string;
  /** The columns of the row that are looked up. */
  readonly left: readonly string[];
  readonly target: JoinedChild;
  /** The link table, and its columns that are looked up in the target. */
  readonly link: { readonly child: JoinedChild; readonly to: readonly string[] } | null;
  readonly pick: Where | null;
  readonly many: boolean;
  readonly joins: readonly PlannedJoin[];
}

type Columns = readonly string[] | null;

/** Checks joins against the tables, and plans them. */
export class JoinPlanner {
  readonly #columns: ColumnChecks;
  readonly #tables: ReadonlyMap<string, DumpTable>;
  /** Optional joins whose tables are not there, with the joins around them: `notes.author`. */
  readonly absent: string[] = [];

  /** `tables` are known by the names under which joins ask for them. */
  constructor(input: string, tables: ReadonlyMap<string, DumpTable>) {
    this.#columns = new ColumnChecks(input);
    this.#tables = tables;
  }

  /** Columns that joins ask for and no row has, in sentences. */
  get notes(): readonly string[] {
    return this.#columns.notes;
  }

  /** The joins of the rows of a table. Throws a FatalError('input') over the first column that cannot be meant. */
  joins(joins: Joins, of: DumpTable, around: string | null = null): readonly PlannedJoin[] {
    let row: Required<CheckedTable> = {
      name: of.name,
      columns: of.columns,
      open: of.open ?? false,
      lists: [],
    };
    return Object.entries(joins).flatMap(([name, options]) => {
      if (this.#isAbsent(options)) {
        this.absent.push(around === null ? name : `${around}.${name}`);
        return [];
      }
      const join = this.#join(name, options, row, around);
      row = {
        name: row.name,
        columns: withJoined(row.columns, [join], ({ table }) => table.columns),
        open: row.open || (join.target.table.open ?? false),
        lists: join.many ? [...row.lists, name] : row.lists,
      };
      return [join];
    });
  }

  #isAbsent({ optional, table, via }: JoinOptions): boolean {
    const missing = [table, ...(via === undefined ? [] : [via.table])].some(
      (name) => !this.#tables.has(name),
    );
    return optional && missing;
  }

  #join(
    name: string,
    { table, on, via, where = {}, pick, many, optional, join = {} }: JoinOptions,
    row: CheckedTable,
    around: string | null,
  ): PlannedJoin {
    const path = around === null ? name : `${around}.${name}`;
    const target = this.#table(table);
    const left = Object.keys(via?.on ?? on ?? {});
    const key = Object.values(via?.to ?? on ?? {});
    const asks = (place: string) => this.#columns.by(`the join "${path}" ("${place}")`);
    asks(via === undefined ? 'on' : 'via.on').ofRow(optional ? { ...row, open: true } : row, left);
    asks(via === undefined ? 'on' : 'via.to').of(target, key);
    asks('where').conditions(target, where);
    const link = via === undefined ? null : this.#table(via.table);
    if (via !== undefined && link !== null) {
      asks('via.on').of(link, Object.values(via.on));
      asks('via.to').of(link, Object.keys(via.to));
      asks('via.where').conditions(link, via.where ?? {});
    }
    const picked = link === null ? target : linkAndTarget(link, target);
    asks('pick').of(optional ? { ...picked, open: true } : picked, Object.keys(pick ?? {}));
    return {
      name,
      path,
      left,
      target: { table: target, key, where },
      link:
        via === undefined || link === null
          ? null
          : {
              child: { table: link, key: Object.values(via.on), where: via.where ?? {} },
              to: Object.keys(via.to),
            },
      pick: pick ?? null,
      many,
      joins: this.joins(join, target, path),
    };
  }

  #table(name: string): DumpTable {
    const found = this.#tables.get(name);
    if (found === undefined) throw new Error(`the table ${name} was not looked at`);
    return found;
  }
}

/** What can be picked by: the columns of the link table and of the joined one. */
function linkAndTarget(link: DumpTable, target: DumpTable): CheckedTable {
  const known = link.columns !== null && target.columns !== null;
  return {
    name: `${link.name} or ${target.name}`,
    columns: known ? [...(link.columns ?? []), ...(target.columns ?? [])] : null,
    open: link.open === true || target.open === true,
  };
}

/** The columns of a joined row with those of its own joins to one; null where they are not known. */
function columnsOf({ target, joins }: PlannedJoin, known: (child: JoinedChild) => Columns): Columns {
  return withJoined(known(target), joins, known);
}

/** Columns of a row and those that its joins to one add, `company.name`; null where they are not known. */
export function withJoined(
  own: Columns,
  joins: readonly PlannedJoin[],
  known: (child: JoinedChild) => Columns,
): Columns {
  let all = own;
  for (const join of joins) {
    if (join.many) continue;
    const columns = columnsOf(join, known);
    all =
      all === null || columns === null
        ? null
        : [...all, ...columns.map((column) => `${join.name}.${column}`)];
  }
  return all;
}

/** The lists that the rows have, with the columns of their rows. */
export function listsOf(
  joins: readonly PlannedJoin[],
  known: (child: JoinedChild) => Columns,
): readonly { readonly name: string; readonly columns: Columns }[] {
  return joins.flatMap((join) => {
    const inner = join.many ? [] : listsOf(join.joins, known);
    const nested = inner.map(({ name, columns }) => ({ name: `${join.name}.${name}`, columns }));
    return join.many ? [{ name: join.name, columns: columnsOf(join, known) }] : nested;
  });
}

/** The child tables that joins read, links included. */
export function childrenOf(joins: readonly PlannedJoin[]): readonly JoinedChild[] {
  return joins.flatMap(({ target, link, joins: inner }) => [
    ...(link === null ? [] : [link.child]),
    target,
    ...childrenOf(inner),
  ]);
}
