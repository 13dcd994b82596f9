import type { ListedRow, Row } from '../../model/row.ts';
import { conditionOf, type Where } from '../where.ts';
import { keyOf, keysOf, type ListColumn, listColumn } from './key.ts';
import type { Child, PlannedJoin } from './plan.ts';
import { type Reach, type Reached, type ReachedRows, reach } from './reached.ts';
import type { StagedRow, StagedTable } from './staged-table.ts';

/** A join whose tables are staged and open. */
export class OpenJoin {
  readonly name: string;
  readonly path: string;
  readonly many: boolean;
  /** All columns of its rows with their own joins to one; empty where they are not known. */
  readonly columns: readonly string[];
  /** The names of all lists of its rows. */
  readonly lists: readonly string[];
  readonly joins: readonly OpenJoin[];
  readonly #left: readonly string[];
  readonly #listed: ListColumn | null;
  readonly #target: StagedTable;
  readonly #link: { readonly table: StagedTable; readonly to: readonly string[] } | null;
  readonly #pick: Picking | null;
  readonly #reached: ReachedByJoin | null;

  /** `open` opens a staged table for each child, so that two may be read at a time; `reached` hears which rows are found. */
  constructor(join: PlannedJoin, open: (child: Child) => StagedTable, reached: Reached | null) {
    this.name = join.name;
    this.path = join.path;
    this.many = join.many;
    this.#left = join.left;
    this.#listed = join.left.map(listColumn).find((found) => found !== null) ?? null;
    this.#target = open(join.target);
    this.#link = join.link === null ? null : { table: open(join.link.child), to: join.link.to };
    this.#pick = join.pick === null ? null : pickingOf(join.pick);
    this.#reached = reached === null ? null : this.#reachedBy(join, reached);
    this.joins = join.joins.map((inner) => new OpenJoin(inner, open, reached));
    const own = this.#target.facts.columns ?? [];
    const nested = this.joins.flatMap(({ name, many, columns }) =>
      many ? [] : columns.map((column) => `${name}.${column}`),
    );
    this.columns = [...own, ...nested];
    this.lists = this.joins.flatMap(({ name, many, lists }) =>
      many ? [name] : lists.map((list) => `${name}.${list}`),
    );
  }

  /** The rows that belong to a row, in their order. */
  *all(row: Pick<Row, 'cell' | 'list'>): Generator<StagedRow> {
    for (const key of this.#keys(row)) {
      for (const found of this.#under(key)) {
        this.#note(found, reach.used);
        yield found.target;
      }
    }
  }

  /** The one that is picked. */
  one(row: Pick<Row, 'cell' | 'list'>): StagedRow | undefined {
    let first: Found | undefined;
    let picked: Found | undefined;
    for (const key of this.#keys(row)) {
      for (const found of this.#under(key)) {
        first ??= found;
        this.#note(found, reach.notPicked);
        if (this.#pick === null || this.#pick(found.target.row, found.link?.row ?? null)) picked ??= found;
        // The rest of the key was not picked, either: its first row says so of all.
        if (picked !== undefined && (this.#reached === null || this.#link === null)) break;
      }
      if (picked !== undefined && this.#reached === null) break;
    }
    const taken = picked ?? first;
    if (taken !== undefined) this.#note(taken, reach.used);
    return taken?.target;
  }

  #keys(row: Pick<Row, 'cell' | 'list'>): readonly string[] {
    return keysOf(row, this.#left, this.#listed);
  }

  *#under(key: string): Generator<Found> {
    if (this.#link === null) {
      for (const target of this.#target.rows(key)) yield { target, link: null };
      return;
    }
    for (const link of this.#link.table.rows(key)) {
      const to = keyOf(link.row, this.#link.to);
      if (to === null) continue;
      for (const target of this.#target.rows(to)) yield { target, link };
    }
  }

  #reachedBy({ target, link }: PlannedJoin, all: Reached): ReachedByJoin {
    return {
      all,
      target: all.table(target.table.name, this.#target.facts.rows),
      link: link === null ? null : all.table(link.child.table.name, this.#link?.table.facts.rows ?? 0),
    };
  }

  #note({ target, link }: Found, how: Reach): void {
    if (this.#reached === null) return;
    const { all, target: rows, link: linkRows } = this.#reached;
    all.note(rows, target.number, how);
    if (link !== null && linkRows !== null) all.note(linkRows, link.number, how);
  }
}

/** A row that belongs to another, and the row of the link table that leads to it. */
interface Found {
  readonly target: StagedRow;
  readonly link: StagedRow | null;
}

/** What is reached of the tables of a join. */
interface ReachedByJoin {
  readonly all: Reached;
  readonly target: ReachedRows;
  readonly link: ReachedRows | null;
}

type Picking = (target: ListedRow, link: ListedRow | null) => boolean;

/** Looks in the link's row first: a primary flag usually stands there. */
function pickingOf(pick: Where): Picking {
  const holds = conditionOf(pick);
  return (target, link) =>
    holds({
      cell: (column) => link?.cell(column) ?? target.cell(column),
    });
}
