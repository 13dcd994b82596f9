import type { Cell, NestedRow } from '../../model/row.ts';
import { findJsonStringEnd, flattenJsonObject, parseJsonString } from './flatten.ts';

/**
 * Parses a cell that is a JSON array into rows, one for each element. An object becomes its cells by path (none if it
 * cannot be flattened); any other element becomes the cell of the column ''. Numbers stay as written. Undefined for a
 * cell that is not a JSON array.
 */
export function parseJsonArrayRows(cell: Cell | undefined): readonly NestedRow[] | undefined {
  if (cell === null || cell === undefined) return undefined;
  const json = cell.trim();
  if (!json.startsWith('[') || !isValid(json)) return undefined;
  return elementsOf(json).map((element) => createNestedRow(cellsOf(element)));
}

/** Creates a row of a list from its cells. */
export function createNestedRow(cells: ReadonlyMap<string, Cell>): NestedRow {
  return { cell: (column) => cells.get(column), entries: () => [...cells] };
}

function cellsOf(element: string): ReadonlyMap<string, Cell> {
  if (element.startsWith('"')) return new Map([['', parseJsonString(element)]]);
  if (!element.startsWith('{')) return new Map([['', element === 'null' ? null : element]]);
  const cells = flattenJsonObject(element);
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

/** Splits a valid JSON array into its elements, each as written. */
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
      at = findJsonStringEnd(json, at);
      continue;
    }
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if ((character === ',' && depth === 1) || depth === 0) end();
    at += 1;
  }
  return elements;
}
