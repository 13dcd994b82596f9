import type { Source } from '../../../model/row.ts';
import { misfits } from '../profile/misfits.ts';
import { profileTable, type TableProfile } from '../profile/table-profile.ts';
import type { FoundInput } from './found-input.ts';

/** Rows with other than the header's number of cells. */
export interface RaggedRows {
  readonly rows: number;
  /** How many of them are totals. */
  readonly totals: number;
  /** Columns in which filled-up rows have values of another type: those rows lack a cell before their end. */
  readonly shifted: readonly string[];
}

/** What the rows of an input show, ragged ones included. */
export interface ReadInput {
  readonly table: TableProfile;
  readonly ragged: RaggedRows;
}

/** Reads all rows of an input. */
export async function readInput(
  { facts, source, padded }: Pick<FoundInput, 'facts' | 'source' | 'padded'>,
  signal: AbortSignal,
): Promise<ReadInput> {
  const read = async (each: Source) => await profileTable(facts, each.read(0, signal));
  const fitting = await read(source);
  const rows = fitting.broken.get('row.ragged') ?? 0;
  // Of other formats it is "where" that leaves rows out.
  if (padded === null)
    return { table: { ...fitting, blank: 0 }, ragged: { rows: 0, totals: 0, shifted: [] } };
  if (rows === 0) return { table: fitting, ragged: { rows, totals: 0, shifted: [] } };
  const all = await read(padded);
  const shifted = misfits(fitting, all);
  // Shifted values would blur what the columns are.
  const table = shifted.length > 0 ? fitting : all;
  const { totals } = all;
  return {
    table: { ...table, totals },
    ragged: { rows, totals: totals.length - fitting.totals.length, shifted },
  };
}
