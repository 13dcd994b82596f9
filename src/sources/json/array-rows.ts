import type { Cell, ListedRow } from '../../model/row.ts';
import { flattened, stringEnd, textOf } from './flatten.ts';

/**
 * The elements of an array that a cell holds as JSON text, in order: the cells of an object by their paths, a plain element
 * in the column ''; undefined for any other cell. Numbers stay as they are written.
 */
export function arrayRows(cell: Cell | undefined): readonly ListedRow[] | undefined {
  if (cell === null || cell === undefined) return undefined;
  const json = cell.trim();
  if (!json.startsWith('[') || !isValid(json)) return undefined;
  return elementsOf(json).map((element) => listedRow(cellsOf(element)));
}

/** A row of a list by its cells. */
export function listedRow(cells: ReadonlyMap<string, Cell>): ListedRow {
  return { cell: (column) => cells.get(column), entries: () => [...cells] };
}

function cellsOf(element: string): ReadonlyMap<string, Cell> {
  if (element.startsWith('"')) return new Map([['', textOf(element)]]);
  if (!element.startsWith('{')) return new Map([['', element === 'null' ? null : element]]);
  const cells = flattened(element);
  return typeof cells === 'string' ? new Map() : cells;
}

function isValid(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** The elements of a valid array, each as it is written. */
function elementsOf(json: string): readonly string[] {
  const elements: string[] = [];
  let depth = 0;
  let from = 1;
  let at = 0;
  const end = (): void => {
    const element = json.slice(from, at).trim();
    if (element !== '') elements.push(element);
    from = at + 1;
  };
  while (at < json.length) {
    const character = json[at];
    if (character === '"') {
      at = stringEnd(json, at);
      continue;
    }
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if ((character === ',' && depth === 1) || depth === 0) end();
    at += 1;
  }
  return elements;
}
