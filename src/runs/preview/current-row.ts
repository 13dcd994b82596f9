import { compileTrace, exampleOf, type Plain, type RowTrace } from '../../mapping/index.ts';
import type { Cell, Row, SourceItem } from '../../model/row.ts';
import { mapRow } from '../../sources/rows.ts';
import { type GivenInput, openWhole } from './given-input.ts';
import { type MappingText, parseUnsaved } from './mapping-text.ts';

/** A row by its number in the input (0 is the first), or by cells that somebody has in hand. */
export type WantedRow =
  | { readonly number: number }
  | { readonly line: number; readonly cells: readonly (readonly [column: string, cell: Cell])[] };

/** What a mapping makes of one row. */
export interface CurrentRow {
  readonly cells: readonly (readonly [column: string, cell: Cell])[];
  readonly trace: RowTrace;
  /** The entry of `tests:` that holds the mapping to this. */
  readonly example: { readonly [key: string]: Plain };
  readonly asked: readonly string[];
}

/** Shows how a mapping makes what it makes of a row; null where the input has no such row, or it cannot be read. */
export async function currentRow(
  given: GivenInput,
  mapping: MappingText,
  wanted: WantedRow,
  signal: AbortSignal,
): Promise<CurrentRow | null> {
  const { loaded, asked } = parseUnsaved(mapping);
  const row = await rowOf(given, wanted, signal);
  if (row === null) return null;
  const trace = compileTrace(loaded)(row);
  return { cells: row.entries(), trace, example: exampleOf(loaded, row), asked };
}

async function rowOf(given: GivenInput, wanted: WantedRow, signal: AbortSignal): Promise<Row | null> {
  if ('cells' in wanted) return mapRow(wanted.line, () => new Map(wanted.cells));
  const { source } = await openWhole(given, signal);
  for await (const [item] of source.read(wanted.number, signal)) if (item !== undefined) return asRow(item);
  return null;
}

function asRow(item: SourceItem): Row | null {
  return item.kind === 'row' ? item : null;
}
