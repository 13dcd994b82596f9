import type { FatalError } from '../../model/fatal-error.ts';
import { formatNameList } from '../../model/listed.ts';
import { findNearestWord } from '../../model/nearest.ts';
import { createInputError } from '../plain-file.ts';
import { canMatchWithoutColumn, type WhereConditions } from '../where.ts';
import type { DumpTable } from './inspected-files.ts';
import { parseListColumn } from './key.ts';
import type { JoinOptions, JoinsByName } from './options.ts';

/** A table, or a row with its earlier joins, whose columns are checked. */
interface CheckedTable {
  readonly name: string;
  /** Null if unknown. */
  readonly columns: readonly string[] | null;
  /** True if records omit empty values: a column that no record has then counts as empty, not as missing. */
  readonly open?: boolean;
  /** The names of the lists of earlier joins. */
  readonly lists?: readonly string[];
}

/** The checks for one place in the pipeline that names columns, such as the `on` of a join. */
interface ColumnCheck {
  /** Checks columns of a table. */
  of(table: CheckedTable, columns: readonly string[]): void;
  /** Checks columns of a row. At most one of them may be a column of a list, such as `tags[].id`. */
  ofRow(row: CheckedTable, columns: readonly string[]): void;
  /** Checks the columns of conditions. */
  conditions(table: CheckedTable, where: WhereConditions): void;
}

const mostNamed = 40;

/** Checks the columns that joins use: a missing one is an error, or a note if it may count as empty. */
class ColumnChecks {
  readonly #input: string;
  readonly #notes = new Set<string>();

  constructor(input: string) {
    this.#input = input;
  }

  /** The notes about columns that count as empty. */
  get notes(): readonly string[] {
    return [...this.#notes];
  }

  /**
   * Creates the checks for one place, which messages call `who`. Each check throws a FatalError('input') for the
   * first missing column.
   */
  by(who: string): ColumnCheck {
    const look = (table: CheckedTable, columns: readonly string[], mayMiss: (column: string) => boolean) => {
      for (const column of columns) {
        if (table.columns?.includes(column) !== false) continue;
        if (!mayMiss(column)) throw this.#noColumn(who, table, column);
        const meant = findNearestWord(column, table.columns);
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
          const list = lists.includes(column) ? parseListColumn(column)?.list : undefined;
          return list === undefined ? [column] : row.lists?.includes(list) ? [] : [list];
        });
        look(row, asked, () => row.open === true);
      },
      conditions: (table, where) =>
        look(
          table,
          Object.keys(where),
          (column) => table.open === true || canMatchWithoutColumn(where, column),
        ),
    };
  }

  #noColumn(who: string, { name, columns }: CheckedTable, missing: string): FatalError {
    const all = columns ?? [];
    const meant = findNearestWord(missing, all);
    const hint = meant === undefined ? '' : `Did you mean "${meant}"? `;
    const what = `has no column "${missing}" in ${name}, which ${who} uses`;
    return createInputError(this.#input, what, `${hint}There are: ${formatNameList(all, mostNamed)}.`);
  }

  #twoLists(who: string, lists: readonly string[]): FatalError {
    const what = `cannot be joined by columns of several lists (${formatNameList(lists)}), which ${who} uses`;
    return createInputError(this.#input, what, 'Use a column of one list.');
  }
}

function isOfList(column: string, { columns }: CheckedTable): boolean {
  return columns?.includes(column) !== true && parseListColumn(column) !== null;
}

/** A joined table to stage: the rows that match `where`, indexed by the columns `key`. */
export interface StagedTableSpec {
  readonly table: DumpTable;
  readonly key: readonly string[];
  /** The text between several keys in one cell; null if a cell is one key. */
  readonly split: string | null;
  readonly where: WhereConditions;
}

/** A join with checked tables and columns. */
export interface PlannedJoin {
  readonly name: string;
  /** The path with the outer joins: `notes.author`. */
  readonly path: string;
  /**
   * The join columns of the outer row. Their values are looked up in the link table if there is one, else in the
   * target.
   */
  readonly left: readonly string[];
  /** The text between several keys in a cell of the outer row; null if a cell is one key. */
  readonly split: string | null;
  readonly target: StagedTableSpec;
  /** The link table, and its columns whose values are looked up in the target. */
  readonly link: { readonly child: StagedTableSpec; readonly to: readonly string[] } | null;
  readonly pick: WhereConditions | null;
  readonly many: boolean;
  readonly joins: readonly PlannedJoin[];
}

type Columns = readonly string[] | null;

/** A table that is there, but is not read, because the join that would read it lacks another table. */
export interface UnreadTable {
  readonly spec: StagedTableSpec;
  /** The path of the join. */
  readonly path: string;
  /** The name of the missing table. */
  readonly missing: string;
}

/** Checks joins against the tables and plans them. */
export class JoinPlanner {
  readonly #columns: ColumnChecks;
  readonly #tables: ReadonlyMap<string, DumpTable>;
  /** The paths of optional joins with missing tables: `notes.author`. */
  readonly absent: string[] = [];
  readonly #unread: UnreadTable[] = [];

  /** `tables` are the tables by the names that joins use. */
  constructor(input: string, tables: ReadonlyMap<string, DumpTable>) {
    this.#columns = new ColumnChecks(input);
    this.#tables = tables;
  }

  /** The notes about columns that no row has. */
  get notes(): readonly string[] {
    return this.#columns.notes;
  }

  /** Plans the joins of a table. Throws a FatalError('input') for the first missing column. */
  joins(joins: JoinsByName, of: DumpTable, around: string | null = null): readonly PlannedJoin[] {
    let row: Required<CheckedTable> = {
      name: of.name,
      columns: of.columns,
      open: of.open ?? false,
      lists: [],
    };
    return Object.entries(joins).flatMap(([name, options]) => {
      const missing = options.optional ? this.#missingTable(options) : undefined;
      if (missing !== undefined) {
        const path = around === null ? name : `${around}.${name}`;
        this.absent.push(path);
        this.#leaveOut(options, path, missing);
        return [];
      }
      const join = this.#join(name, options, row, around);
      row = {
        name: row.name,
        columns: listJoinedColumns(row.columns, [join], ({ table }) => table.columns),
        open: row.open || (join.target.table.open ?? false),
        lists: join.many ? [...row.lists, name] : row.lists,
      };
      return [join];
    });
  }

  /** Returns the tables with rows that only joins with a missing table would read. */
  unread(main: DumpTable, joins: readonly PlannedJoin[]): readonly UnreadTable[] {
    const seen = new Set([main.name, ...listTablesToStage(joins).map(({ table }) => table.name)]);
    return this.#unread.filter(({ spec: { table } }) => {
      const isNew = !seen.has(table.name) && table.items > 0;
      seen.add(table.name);
      return isNew;
    });
  }

  #missingTable(options: JoinOptions): string | undefined {
    const link = this.#linkOf(options);
    const needed = link === undefined ? [options.table] : [options.table, link.table];
    return needed.find((name) => !this.#tables.has(name));
  }

  /** Returns the link table of a join; none if "on" replaces a missing one. */
  #linkOf({ on, via }: JoinOptions): JoinOptions['via'] {
    return via !== undefined && on !== undefined && !this.#tables.has(via.table) ? undefined : via;
  }

  #whyOn(options: JoinOptions): string {
    const isReplaced = options.via !== undefined && this.#linkOf(options) === undefined;
    return isReplaced ? `, because the table ${options.via.table} is missing` : '';
  }

  #leaveOut({ table, where, via, join = {} }: JoinOptions, path: string, missing: string): void {
    for (const each of [{ table, where }, ...(via === undefined ? [] : [via])]) {
      const found = this.#tables.get(each.table);
      if (found === undefined) continue;
      const spec = { table: found, key: [], split: null, where: each.where ?? {} };
      this.#unread.push({ spec, path, missing });
    }
    for (const inner of Object.values(join)) this.#leaveOut(inner, path, missing);
  }

  #join(name: string, options: JoinOptions, row: CheckedTable, around: string | null): PlannedJoin {
    const { table, on, where = {}, pick, many, optional, join = {} } = options;
    const path = around === null ? name : `${around}.${name}`;
    const target = this.#table(table);
    const via = this.#linkOf(options);
    const split = via === undefined ? (options.split ?? null) : null;
    const left = Object.keys(via?.on ?? on ?? {});
    const key = Object.values(via?.to ?? on ?? {});
    const asks = (place: string, why = '') => this.#columns.by(`the join "${path}" ("${place}"${why})`);
    asks(via === undefined ? 'on' : 'via.on').ofRow(optional ? { ...row, open: true } : row, left);
    asks(via === undefined ? 'on' : 'via.to', this.#whyOn(options)).of(target, key);
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
      split,
      target: { table: target, key, split, where },
      link:
        via === undefined || link === null
          ? null
          : {
              child: { table: link, key: Object.values(via.on), split: null, where: via.where ?? {} },
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

/** Returns a table with the columns of the link table and the joined one, against which `pick` is checked. */
function linkAndTarget(link: DumpTable, target: DumpTable): CheckedTable {
  const known = link.columns !== null && target.columns !== null;
  return {
    name: `${link.name} or ${target.name}`,
    columns: known ? [...(link.columns ?? []), ...(target.columns ?? [])] : null,
    open: link.open === true || target.open === true,
  };
}

/** Returns the columns of a joined row, with those of its inner to-one joins; null if they are unknown. */
function columnsOf({ target, joins }: PlannedJoin, known: (child: StagedTableSpec) => Columns): Columns {
  return listJoinedColumns(known(target), joins, known);
}

/**
 * Returns the columns of a row and, prefixed with the join's name (`company.name`), those of its to-one joins. Null if
 * the columns of any of these tables are unknown.
 */
export function listJoinedColumns(
  own: Columns,
  joins: readonly PlannedJoin[],
  known: (child: StagedTableSpec) => Columns,
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

/** Returns the lists that to-many joins (`many: true`) add to a row, with their columns. */
export function collectJoinedLists(
  joins: readonly PlannedJoin[],
  known: (child: StagedTableSpec) => Columns,
): readonly { readonly name: string; readonly columns: Columns }[] {
  return joins.flatMap((join) => {
    const inner = join.many ? [] : collectJoinedLists(join.joins, known);
    const nested = inner.map(({ name, columns }) => ({ name: `${join.name}.${name}`, columns }));
    return join.many ? [{ name: join.name, columns: columnsOf(join, known) }] : nested;
  });
}

/** Returns the joined tables, link tables included. */
export function listTablesToStage(joins: readonly PlannedJoin[]): readonly StagedTableSpec[] {
  return joins.flatMap(({ target, link, joins: inner }) => [
    ...(link === null ? [] : [link.child]),
    target,
    ...listTablesToStage(inner),
  ]);
}
