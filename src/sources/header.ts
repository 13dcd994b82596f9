import { listed, shortened } from '../model/listed.ts';
import type { Cell, ListedRow, Row } from '../model/row.ts';
import { refused } from './input-file.ts';
import { arrayRows } from './json/array-rows.ts';

/** The columns of a file: their names in order and where each stands; any text is a legal name. */
export class Header {
  readonly names: readonly string[];
  readonly #places: ReadonlyMap<string, number>;

  constructor(names: readonly string[]) {
    this.names = names;
    this.#places = new Map(names.map((name, index) => [name, index]));
  }

  place(column: string): number | undefined {
    return this.#places.get(column);
  }
}

/**
 * The header that a record's cells make: without the blanks and NULs around names. Throws a FatalError('input') for two
 * columns of one name unless they are to be numbered; nameless columns are numbered always, for nobody can mean one.
 */
export function headerOf(
  cells: readonly string[],
  duplicates: 'error' | 'number',
  file: string,
  line: number,
): Header {
  const seen = new Map<string, number[]>();
  const taken = new Set<string>();
  const names = cells.map((cell, index) => {
    const name = cell.replaceAll('\0', '').trim();
    const places = seen.get(name) ?? [];
    places.push(index + 1);
    seen.set(name, places);
    let own = name;
    for (let number = places.length; taken.has(own); number += 1) own = `${name}.${number}`;
    taken.add(own);
    return own;
  });
  const doubled = [...seen].filter(([name, places]) => name !== '' && places.length > 1);
  if (duplicates === 'number' || doubled.length === 0) return new Header(names);
  const list = listed(
    doubled.map(([name, places]) => `"${shortened(name, 60)}" (columns ${listed(places.map(String), 4)})`),
  );
  throw refused(
    file,
    `has columns with the same name: ${list}`,
    'Rename them, or set "duplicateHeaders: number" to call the second "Name.2".',
    line,
  );
}

/** A record of a CSV file as a row. */
export class CsvRow implements Row {
  readonly kind = 'row';
  readonly line: number;
  readonly #header: Header;
  readonly #cells: readonly Cell[];

  constructor(line: number, header: Header, cells: readonly Cell[]) {
    this.line = line;
    this.#header = header;
    this.#cells = cells;
  }

  cell(column: string): Cell | undefined {
    const place = this.#header.place(column);
    return place === undefined ? undefined : this.#cells[place];
  }

  entries(): readonly (readonly [column: string, cell: Cell])[] {
    return this.#header.names.map((name, index) => [name, this.#cells[index] ?? null] as const);
  }

  list(name: string): readonly ListedRow[] | undefined {
    return arrayRows(this.cell(name));
  }
}
