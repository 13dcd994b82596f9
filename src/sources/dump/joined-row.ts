import type { Cell, ListedRow, Row } from '../../model/row.ts';

/** A row without what is joined to it. */
export type SoleRow = Pick<Row, 'cell' | 'entries' | 'list'>;

/** A row that was joined to one (null where there is none), with all columns and lists that such a row can have. */
interface JoinedOne {
  readonly row: JoinedRow | null;
  readonly columns: readonly string[];
  readonly lists: readonly string[];
}

/** A row of a table with the rows of other tables that belong to it. */
export class JoinedRow implements ListedRow {
  readonly #own: SoleRow;
  readonly #ones = new Map<string, JoinedOne>();
  readonly #lists = new Map<string, readonly SoleRow[]>();

  constructor(own: SoleRow) {
    this.#own = own;
  }

  setOne(join: string, one: JoinedOne): void {
    this.#ones.set(join, one);
  }

  setList(join: string, rows: readonly SoleRow[]): void {
    this.#lists.set(join, rows);
  }

  /** A column of the row itself goes before one of a join. */
  cell(column: string): Cell | undefined {
    const own = this.#own.cell(column);
    if (own !== undefined) return own;
    const [one, rest] = this.#through(column);
    if (one === undefined) return undefined;
    return one.row?.cell(rest) ?? (one.columns.includes(rest) ? null : undefined);
  }

  /** The row's own cells, then those of its joins to one. */
  entries(): readonly (readonly [column: string, cell: Cell])[] {
    const entries = [...this.#own.entries()];
    const own = new Set(entries.map(([column]) => column));
    for (const [join, { row, columns }] of this.#ones) {
      const cells = row?.entries() ?? columns.map((column) => [column, null] as const);
      for (const [column, cell] of cells)
        if (!own.has(`${join}.${column}`)) entries.push([`${join}.${column}`, cell]);
    }
    return entries;
  }

  list(name: string): readonly ListedRow[] | undefined {
    const joined = this.#lists.get(name);
    if (joined !== undefined) return joined;
    const [one, rest] = this.#through(name);
    if (one?.row === null && one.lists.includes(rest)) return [];
    return one?.row?.list(rest) ?? this.#own.list?.(name);
  }

  #through(column: string): readonly [one: JoinedOne | undefined, rest: string] {
    const dot = column.indexOf('.');
    return [dot === -1 ? undefined : this.#ones.get(column.slice(0, dot)), column.slice(dot + 1)];
  }
}

/** A row of the main table with what belongs to it. */
export function joinedMainRow(line: number, joined: JoinedRow): Row {
  return {
    kind: 'row',
    line,
    cell: (column) => joined.cell(column),
    entries: () => joined.entries(),
    list: (name) => joined.list(name),
  };
}
