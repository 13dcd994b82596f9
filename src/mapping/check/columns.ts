import type { ListFacts } from '../../model/row.ts';
import { type ColumnUse, columnUses, listUses } from '../columns.ts';
import { listColumns } from '../compile/read-column.ts';
import type { Mistake } from '../document/mistake.ts';
import type { LoadedMapping } from '../load.ts';
import { insteadOf } from './listed.ts';

/** What the mapping reads and the input does not have, each with its place and the nearest column. */
export function checkColumns(
  mapping: LoadedMapping,
  columns: readonly string[],
  lists: readonly ListFacts[] = [],
): readonly Mistake[] {
  const input = new InputColumns(columns, lists);
  const unknownLists = listUses(mapping.mapping)
    .filter(({ list }) => !input.hasList(list))
    .map(({ list, path }) => {
      const names = lists.map(({ name }) => name);
      const instead =
        names.length > 0
          ? insteadOf(list, names)
          : '; a list is a join with "many: true", or a column with a JSON array';
      return mapping.mistake(path, `the input has no list ${JSON.stringify(list)}${instead}`);
    });
  const unknownColumns = columnUses(mapping.mapping)
    .filter((use) => (use.list === undefined || input.hasList(use.list)) && !input.has(use))
    .map(({ column, path, list }) => {
      const instead = insteadOf(column, [...input.columnsOf(list), ...columns]);
      const where = list === undefined ? 'the input has' : `neither ${list} nor the input has a`;
      const text = list === undefined ? 'no column' : 'column';
      return mapping.mistake(path, `${where} ${text} ${JSON.stringify(column)}${instead}`);
    });
  return [...unknownLists, ...unknownColumns].sort((a, b) => a.line - b.line || a.column - b.column);
}

class InputColumns {
  readonly #columns: ReadonlySet<string>;
  readonly #lists: ReadonlyMap<string, ListFacts>;

  constructor(columns: readonly string[], lists: readonly ListFacts[]) {
    this.#columns = new Set(columns);
    this.#lists = new Map(lists.map((list) => [list.name, list]));
  }

  has({ column, list }: ColumnUse): boolean {
    if (this.#columns.has(column)) return true;
    if (list !== undefined && this.#hasListed(list, column)) return true;
    return listColumns(column).some((way) =>
      column.includes('[]') ? this.#hasListed(way.list, way.of) : this.#isJoined(way.list, way.of),
    );
  }

  hasList(name: string): boolean {
    return this.#lists.has(name) || this.#columns.has(name);
  }

  columnsOf(list: string | undefined): readonly string[] {
    return (list === undefined ? undefined : this.#lists.get(list)?.columns) ?? [];
  }

  /** What the arrays in a column hold is not known beforehand. */
  #hasListed(list: string, column: string): boolean {
    return this.#isJoined(list, column) || this.#columns.has(list);
  }

  #isJoined(list: string, column: string): boolean {
    const found = this.#lists.get(list);
    return found !== undefined && (found.columns?.includes(column) ?? true);
  }
}
