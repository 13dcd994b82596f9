import type { FatalError } from '../../model/fatal-error.ts';
import { nearest } from '../../model/nearest.ts';
import { refused } from '../input-file.ts';
import type { Where } from '../where.ts';
import type { DumpTable } from './looked.ts';
import type { JoinOptions } from './options.ts';

/** A child table as it is staged: those of its rows that count, found by the cells of its key. */
export interface Child {
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
  readonly target: Child;
  /** The link table, and its columns that are looked up in the target. */
  readonly link: { readonly child: Child; readonly to: readonly string[] } | null;
  readonly pick: Where | null;
  readonly many: boolean;
  readonly joins: readonly PlannedJoin[];
}

type Joins = Readonly<Record<string, JoinOptions>>;
type Columns = readonly string[] | null;

/** The names of all tables that joins read. */
export function joinedTables(joins: Joins): readonly string[] {
  return Object.values(joins).flatMap(({ table, via, join = {} }) => [
    table,
    ...(via === undefined ? [] : [via.table]),
    ...joinedTables(join),
  ]);
}

/** Checks joins against the tables, and plans them. */
export class Planning {
  readonly #input: string;
  readonly #tables: ReadonlyMap<string, DumpTable>;

  /** `tables` are known by the names under which joins ask for them. */
  constructor(input: string, tables: ReadonlyMap<string, DumpTable>) {
    this.#input = input;
    this.#tables = tables;
  }

  /** The joins of the rows of a table. Throws a FatalError('input') over the first column that is not there. */
  joins(joins: Joins, of: string, columns: Columns, around: string | null = null): readonly PlannedJoin[] {
    let available = columns;
    return Object.entries(joins).map(([name, options]) => {
      const join = this.#join(name, options, { of, columns: available, around });
      available = withJoined(available, [join], ({ table }) => table.columns);
      return join;
    });
  }

  #join(
    name: string,
    { table, on, via, where = {}, pick, many, join = {} }: JoinOptions,
    row: { readonly of: string; readonly columns: Columns; readonly around: string | null },
  ): PlannedJoin {
    const path = row.around === null ? name : `${row.around}.${name}`;
    const target = this.#table(table);
    const left = Object.keys(via?.on ?? on ?? {});
    const key = Object.values(via?.to ?? on ?? {});
    const asks = (place: string, of: string, columns: Columns, asked: readonly string[]) =>
      this.#assertColumns({ path, place, of, columns }, asked);
    asks(via === undefined ? 'on' : 'via.on', row.of, row.columns, left);
    asks(via === undefined ? 'on' : 'via.to', target.name, target.columns, key);
    asks('where', target.name, target.columns, Object.keys(where));
    const link = via === undefined ? null : this.#table(via.table);
    if (via !== undefined && link !== null) {
      asks('via.on', link.name, link.columns, Object.values(via.on));
      asks('via.to', link.name, link.columns, Object.keys(via.to));
      asks('via.where', link.name, link.columns, Object.keys(via.where ?? {}));
    }
    const both = link?.columns === null || target.columns === null;
    const pickable = both ? null : [...(link?.columns ?? []), ...(target.columns ?? [])];
    asks(
      'pick',
      link === null ? target.name : `${link.name} or ${target.name}`,
      pickable,
      Object.keys(pick ?? {}),
    );
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
      joins: this.joins(join, target.name, target.columns, path),
    };
  }

  #table(name: string): DumpTable {
    const found = this.#tables.get(name);
    if (found === undefined) throw new Error(`the table ${name} was not looked at`);
    return found;
  }

  #assertColumns(
    { path, place, of, columns }: { path: string; place: string; of: string; columns: Columns },
    asked: readonly string[],
  ): void {
    const missing = columns === null ? undefined : asked.find((column) => !columns.includes(column));
    if (missing !== undefined && columns !== null)
      throw noColumn(this.#input, `the join "${path}" ("${place}")`, of, columns, missing);
  }
}

const mostNamed = 40;

function noColumn(
  input: string,
  who: string,
  table: string,
  columns: readonly string[],
  missing: string,
): FatalError {
  const meant = nearest(missing, columns);
  const hint = meant === undefined ? '' : `Did you mean "${meant}"? `;
  const rest = columns.length - mostNamed;
  const listed = `${columns.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  const what = `has no column "${missing}" in ${table}, which ${who} asks for`;
  return refused(input, what, `${hint}There are: ${listed}.`);
}

/** The columns of a joined row with those of its own joins to one; null where they are not known. */
export function columnsOf({ target, joins }: PlannedJoin, known: (child: Child) => Columns): Columns {
  return withJoined(known(target), joins, known);
}

/** Columns of a row and those that its joins to one add, `company.name`; null where they are not known. */
export function withJoined(
  own: Columns,
  joins: readonly PlannedJoin[],
  known: (child: Child) => Columns,
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
  known: (child: Child) => Columns,
): readonly { readonly name: string; readonly columns: Columns }[] {
  return joins.flatMap((join) => {
    const inner = join.many ? [] : listsOf(join.joins, known);
    const nested = inner.map(({ name, columns }) => ({ name: `${join.name}.${name}`, columns }));
    return join.many ? [{ name: join.name, columns: columnsOf(join, known) }] : nested;
  });
}

/** The child tables that joins read, links included. */
export function childrenOf(joins: readonly PlannedJoin[]): readonly Child[] {
  return joins.flatMap(({ target, link, joins: inner }) => [
    ...(link === null ? [] : [link.child]),
    target,
    ...childrenOf(inner),
  ]);
}
