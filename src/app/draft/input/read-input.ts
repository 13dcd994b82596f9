import type { Source } from '../../../model/row.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { profileTable, type TableProfile } from '../profile/table-profile.ts';
import type { InspectedInput } from './found-input.ts';

const nearlyAll = 0.95;

const kinds = ['email', 'phoneShaped', 'link', 'date', 'number'] as const;

/** Returns the names of the columns whose values become mixed in kind when more rows of the same table are included. */
function misfits(table: TableProfile, withMore: TableProfile): readonly string[] {
  return table.columns.flatMap((column) => {
    const same = withMore.columns.find(({ name }) => name === column.name);
    return same !== undefined && kinds.some((kind) => isMixed(kind, column, same)) ? [column.name] : [];
  });
}

/**
 * Returns true if the rows that only `other` includes make a column mixed: they have values of the kind although `one`
 * has none, or values of another kind although nearly all values in `one` are of the kind.
 */
function isMixed(kind: (typeof kinds)[number], one: ColumnProfile, other: ColumnProfile): boolean {
  if (one.looked === 0) return false;
  const before = Math.round(one.share(kind) * one.looked);
  const after = Math.round(other.share(kind) * other.looked);
  if (before === 0) return after > 0;
  return before >= one.looked * nearlyAll && other.looked - after > one.looked - before;
}

/** Rows whose number of cells differs from the header's. */
export interface RaggedRowStats {
  readonly rows: number;
  /** The number of these rows that are totals. */
  readonly totals: number;
  /**
   * Columns whose values have another type in rows that were padded at the end: these rows lack a cell in the middle,
   * so that later values are shifted.
   */
  readonly shifted: readonly string[];
}

/** The profile of an input's rows, including ragged ones. */
export interface InputProfile {
  readonly table: TableProfile;
  readonly ragged: RaggedRowStats;
  /** The number of rows, besides those of the profile, that "where" leaves out. */
  readonly filtered: number;
}

/**
 * Profiles all rows of an input. Ragged rows are padded and included, unless the padded rows turn out to have shifted
 * values.
 */
export async function profileInput(
  { facts, source, padded }: Pick<InspectedInput, 'facts' | 'source' | 'padded'>,
  signal: AbortSignal,
): Promise<InputProfile> {
  const read = async (each: Source) => await profileTable(facts, each.read(0, signal));
  const fitting = await read(source);
  const rows = fitting.broken.get('row.ragged') ?? 0;
  // Only CSV and TSV inputs have blank or ragged rows; in other formats, the rows counted as blank were left out by
  // "where".
  if (padded === null)
    return {
      table: { ...fitting, blank: 0 },
      ragged: { rows: 0, totals: 0, shifted: [] },
      filtered: fitting.blank,
    };
  if (rows === 0) return { table: fitting, ragged: { rows, totals: 0, shifted: [] }, filtered: 0 };
  const all = await read(padded);
  const shifted = misfits(fitting, all);
  // Shifted values would distort the column profiles.
  const table = shifted.length > 0 ? fitting : all;
  const { totals } = all;
  return {
    table: { ...table, totals },
    ragged: { rows, totals: totals.length - fitting.totals.length, shifted },
    filtered: 0,
  };
}
