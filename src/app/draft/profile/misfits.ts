import type { ColumnProfile } from './column-profile.ts';
import type { TableProfile } from './table-profile.ts';

const nearlyAll = 0.95;

const kinds = ['email', 'phoneShaped', 'link', 'date', 'number'] as const;

/** The columns of one kind in a table that have values of another kind in the same table with more rows. */
export function misfits(table: TableProfile, withMore: TableProfile): readonly string[] {
  return table.columns.flatMap((column) => {
    const same = withMore.columns.find(({ name }) => name === column.name);
    return same !== undefined && kinds.some((kind) => isMixed(kind, column, same)) ? [column.name] : [];
  });
}

/** Nearly all values were of the kind and some of the further ones are not, or none was and some are. */
function isMixed(kind: (typeof kinds)[number], one: ColumnProfile, other: ColumnProfile): boolean {
  if (one.looked === 0) return false;
  const before = Math.round(one.share(kind) * one.looked);
  const after = Math.round(other.share(kind) * other.looked);
  if (before === 0) return after > 0;
  return before >= one.looked * nearlyAll && other.looked - after > one.looked - before;
}
