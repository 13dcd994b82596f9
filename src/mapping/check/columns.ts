import type { InputFacts, NestedListFacts } from '../../model/row.ts';
import { type ColumnUse, findColumnUses, findListUses } from '../columns.ts';
import { splitListColumn } from '../compile/read-column.ts';
import type { YamlMistake } from '../document/mistake.ts';
import type { LoadedMapping } from '../load.ts';
import type { Mapping } from '../schema.ts';
import { formatNameSuggestion } from './names.ts';

/**
 * Returns a mistake, with its place and the nearest name, for each column or list that the mapping reads and the
 * input lacks, unless `optional` allows that; columns of the joins in `absent` count as present.
 */
export function checkColumns(
  mapping: LoadedMapping,
  columns: readonly string[],
  lists: readonly NestedListFacts[] = [],
  absent: readonly string[] = [],
): readonly YamlMistake[] {
  const input = new InputColumns(columns, lists, absent);
  const missing = neededIn(mapping.mapping, input);
  const unknownLists = missing.lists.map(({ list, path }) => {
    const names = lists.map(({ name }) => name);
    const instead =
      names.length > 0
        ? formatNameSuggestion(list, names)
        : '; a list is a join with "many: true", or a column with a JSON array';
    return mapping.mistake(path, `the input has no list ${JSON.stringify(list)}${instead}`);
  });
  const unknownColumns = missing.columns.map(({ column, path, list }) => {
    const instead = formatNameSuggestion(column, [...input.columnsOf(list), ...columns]);
    const where = list === undefined ? 'the input has' : `neither ${list} nor the input has a`;
    const text = list === undefined ? 'no column' : 'column';
    return mapping.mistake(path, `${where} ${text} ${JSON.stringify(column)}${instead}`);
  });
  return [...unknownLists, ...unknownColumns].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Returns the names of the columns and lists for which `checkColumns` returns a mistake. */
export function findMissingColumns(
  { mapping }: LoadedMapping,
  { columns, lists = [], absent = [] }: Pick<InputFacts, 'columns' | 'lists' | 'absent'>,
): readonly string[] {
  if (columns === null) return [];
  const missing = neededIn(mapping, new InputColumns(columns, lists, absent));
  return [
    ...new Set([...missing.lists.map(({ list }) => list), ...missing.columns.map(({ column }) => column)]),
  ];
}

/** Returns the columns and lists that the mapping reads and the input lacks, where `optional` allows that. */
export function findMissingOptionalColumns(
  { mapping }: LoadedMapping,
  columns: readonly string[],
  lists: readonly NestedListFacts[] = [],
  absent: readonly string[] = [],
): readonly string[] {
  const missing = missingIn(mapping, new InputColumns(columns, lists, absent));
  const names = [...missing.lists.map(({ list }) => list), ...missing.columns.map(({ column }) => column)];
  return [...new Set(names.filter((name) => mayLack(mapping, name)))];
}

/**
 * Returns the columns that the mapping reads from the row itself, without names with `.` or `[`, which may be of joins
 * and lists; `needed` are those that `optional` does not allow to be missing.
 */
export function collectMappedColumns({ mapping }: LoadedMapping): {
  readonly needed: readonly string[];
  readonly read: readonly string[];
} {
  const uses = findColumnUses(mapping).filter(({ list }) => list === undefined);
  const read = [...new Set(uses.map(({ column }) => column))].filter((column) => !/[.[]/.test(column));
  return { read, needed: read.filter((column) => !mayLack(mapping, column)) };
}

function missingIn(mapping: Mapping, input: InputColumns) {
  return {
    lists: findListUses(mapping).filter(({ list }) => !input.hasList(list)),
    columns: findColumnUses(mapping).filter(
      (use) => (use.list === undefined || input.hasList(use.list)) && !input.has(use),
    ),
  };
}

/** Returns the missing columns and lists that `optional` does not allow to be missing. */
function neededIn(mapping: Mapping, input: InputColumns) {
  const { lists, columns } = missingIn(mapping, input);
  return {
    lists: lists.filter(({ list }) => !mayLack(mapping, list)),
    columns: columns.filter((use) => !mayLack(mapping, use.column) || isNeeded(mapping, use, input)),
  };
}

function mayLack({ optional }: Mapping, name: string): boolean {
  return optional === 'all' || (optional?.includes(name) ?? false);
}

/**
 * Returns true for a column that the input must have although `optional` is `all`: the key, by which a later run
 * recognises a row, and the column of an identifier if the input has no column for any identifier.
 */
function isNeeded(mapping: Mapping, { path }: ColumnUse, input: InputColumns): boolean {
  if (mapping.optional !== 'all') return false;
  if (path[0] === 'key') return true;
  const identifies = (use: ColumnUse): boolean =>
    use.path[0] === 'contact' && mapping.identify.some((name) => name === use.path[1]);
  if (!identifies({ column: '', path })) return false;
  return !findColumnUses(mapping).some(
    (use) => identifies(use) && use.path[2] !== 'country' && input.has(use),
  );
}

class InputColumns {
  readonly #columns: ReadonlySet<string>;
  readonly #lists: ReadonlyMap<string, NestedListFacts>;

  readonly #absent: readonly string[];

  constructor(columns: readonly string[], lists: readonly NestedListFacts[], absent: readonly string[]) {
    this.#absent = absent;
    this.#columns = new Set(columns);
    this.#lists = new Map(lists.map((list) => [list.name, list]));
  }

  has({ column, list }: ColumnUse): boolean {
    if (this.#columns.has(column) || this.#isAbsent(column)) return true;
    if (list !== undefined && (this.#hasListed(list, column) || this.#isAbsent(`${list}.${column}`)))
      return true;
    return splitListColumn(column).some((way) =>
      column.includes('[]') ? this.#hasListed(way.list, way.of) : this.#isJoined(way.list, way.of),
    );
  }

  hasList(name: string): boolean {
    return this.#lists.has(name) || this.#columns.has(name) || this.#isAbsent(name);
  }

  /** Returns true if a column belongs to an optional join whose table is missing: such columns count as empty. */
  #isAbsent(column: string): boolean {
    return this.#absent.some(
      (join) => column.startsWith(join) && /^(?:$|[.[])/.test(column.slice(join.length)),
    );
  }

  columnsOf(list: string | undefined): readonly string[] {
    return (list === undefined ? undefined : this.#lists.get(list)?.columns) ?? [];
  }

  /**
   * Returns true if a join has the column, or if `list` is a column of JSON arrays, whose content is unknown
   * beforehand.
   */
  #hasListed(list: string, column: string): boolean {
    return this.#isJoined(list, column) || this.#columns.has(list);
  }

  #isJoined(list: string, column: string): boolean {
    const found = this.#lists.get(list);
    return found !== undefined && (found.columns?.includes(column) ?? true);
  }
}
