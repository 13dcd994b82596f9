import type { ColumnProfile } from './column-profile.ts';
import type { TableProfile } from './table-profile.ts';

const nearlyAll = 0.95;

/** Of the cells that were looked at, how many are of a kind. */
const counts: readonly ((column: ColumnProfile) => number)[] = [
  (column) => column.share('email') * column.looked,
  (column) => column.share('phoneShaped') * column.looked,
  (column) => column.share('url') * column.looked,
  ({ looked, dates }) => looked - dates.others,
  ({ looked, numbers }) => looked - numbers.others,
];

/** The columns of one kind in a table that have values of another kind in the same table with more rows. */
export function misfits(table: TableProfile, withMore: TableProfile): readonly string[] {
  return table.columns.flatMap((column) => {
    const same = withMore.columns.find(({ name }) => name === column.name);
    return same !== undefined && counts.some((count) => isMixed(count, column, same)) ? [column.name] : [];
  });
}

/** Nearly all values were of the kind and some of the further ones are not, or none was and some are. */
function isMixed(
  count: (column: ColumnProfile) => number,
  one: ColumnProfile,
  other: ColumnProfile,
): boolean {
  if (one.looked === 0) return false;
  const [before, after] = [count(one), count(other)].map(Math.round);
  if (before === undefined || after === undefined) return false;
  if (before === 0) return after > 0;
  return before >= one.looked * nearlyAll && other.looked - after > one.looked - before;
}
