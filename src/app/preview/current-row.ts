import {
  compileRowTracer,
  createMappingExample,
  type JsonValue,
  type RowTrace,
} from '../../mapping/index.ts';
import { hiddenCell } from '../../model/hidden-cell.ts';
import type { Cell, Row, SourceItem } from '../../model/row.ts';
import { compareRowLines, type RowLine } from '../../model/row-place.ts';
import { createLazyRow } from '../../sources/rows.ts';
import { isSecretColumn } from '../draft/columns/secret-columns.ts';
import { openWholeInput, type PreviewInput } from './given-input.ts';
import { parseUnsavedMapping, type UnsavedMapping } from './mapping-text.ts';

/**
 * A row of the input by its number (from 0), the first row at or after a place, or a row that is not read but given by
 * its cells.
 */
export type PreviewRowSelector =
  | { readonly number: number }
  | { readonly atLine: RowLine }
  | { readonly line: RowLine; readonly cells: readonly (readonly [column: string, cell: Cell])[] };

/** The result of a mapping for one row. */
export interface TracedRow {
  /** Its number in the input, from 0; null for given cells. */
  readonly number: number | null;
  readonly cells: readonly (readonly [column: string, cell: Cell])[];
  readonly trace: RowTrace;
  /** The entry of `tests:` that expects this result. */
  readonly example: { readonly [key: string]: JsonValue };
  readonly asked: readonly string[];
}

/** Returns the trace of a mapping for one row; null if the input has no such row, or if the record is not a row. */
export async function traceSelectedRow(
  given: PreviewInput,
  mapping: UnsavedMapping,
  wanted: PreviewRowSelector,
  signal: AbortSignal,
): Promise<TracedRow | null> {
  const { loaded, asked } = parseUnsavedMapping(mapping);
  const found = await rowOf(given, wanted, signal);
  if (found === null) return null;
  const { row, number } = found;
  const trace = compileRowTracer(loaded)(row);
  const cells = row
    .entries()
    .map(([column, cell]) => [column, cell && isSecretColumn(column) ? hiddenCell : cell] as const);
  return { number, cells, trace, example: createMappingExample(loaded, row), asked };
}

interface FoundRow {
  readonly row: Row;
  readonly number: number | null;
}

async function rowOf(
  given: PreviewInput,
  wanted: PreviewRowSelector,
  signal: AbortSignal,
): Promise<FoundRow | null> {
  if ('cells' in wanted)
    return { row: createLazyRow(wanted.line, () => new Map(wanted.cells)), number: null };
  const { source } = await openWholeInput(given, signal);
  const [from, isWanted] =
    'number' in wanted
      ? [wanted.number, () => true]
      : [0, ({ line, kind }: SourceItem) => kind === 'row' && compareRowLines(line, wanted.atLine) >= 0];
  let number = from;
  for await (const items of source.read(from, signal))
    for (const item of items) {
      if (isWanted(item)) return item.kind === 'row' ? { row: item, number } : null;
      number += 1;
    }
  return null;
}
