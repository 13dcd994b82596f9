import type { ListedRow, Row } from '../../model/row.ts';
import { conditionOf, type Where } from '../where.ts';
import { keyOf, keysOf, type ListColumn, listColumn } from './key.ts';
import type { Child, PlannedJoin } from './plan.ts';
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

  /** `open` opens a staged table for each child, so that two may be read at a time. */
  constructor(join: PlannedJoin, open: (child: Child) => StagedTable) {
    this.name = join.name;
    this.path = join.path;
    this.many = join.many;
    this.#left = join.left;
    this.#listed = join.left.map(listColumn).find((found) => found !== null) ?? null;
    this.#target = open(join.target);
    this.#link = join.link === null ? null : { table: open(join.link.child), to: join.link.to };
    this.#pick = join.pick === null ? null : pickingOf(join.pick);
    this.joins = join.joins.map((inner) => new OpenJoin(inner, open));
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
    for (const [found] of this.#found(row)) yield found;
  }

  /** The one that is picked. */
  one(row: Pick<Row, 'cell' | 'list'>): StagedRow | undefined {
    let first: StagedRow | undefined;
    for (const [found, link] of this.#found(row)) {
      first ??= found;
      if (this.#pick === null) return first;
      if (this.#pick(found.row, link)) return found;
    }
    return first;
  }

  *#found(row: Pick<Row, 'cell' | 'list'>): Generator<readonly [found: StagedRow, link: ListedRow | null]> {
    for (const key of keysOf(row, this.#left, this.#listed)) yield* this.#under(key);
  }

  *#under(key: string): Generator<readonly [found: StagedRow, link: ListedRow | null]> {
    if (this.#link === null) {
      for (const found of this.#target.rows(key)) yield [found, null];
      return;
    }
    for (const { row: link } of this.#link.table.rows(key)) {
      const to = keyOf(link, this.#link.to);
      if (to === null) continue;
      for (const found of this.#target.rows(to)) yield [found, link];
    }
  }
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
