import type { ReadColumn } from '../columns/contact-columns.ts';
import { namedFor } from '../columns/header-words.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { typeOf } from '../profile/column-type.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { type Entry, shownName, todo } from '../yaml/entry.ts';

const nearlyAll = 0.99;
const longestKey = 64;
const mostOffered = 5;
const half = 0.5;

/** The key of a mapping: found, stated, or asked for, because reruns and retries recognise a row by it. */
export function keyEntry(
  column: ReadColumn | undefined,
  table: TableProfile,
  stated: string | false | undefined,
): Entry {
  if (column !== undefined) {
    const { name, repeated } = column.profile;
    return { key: 'key', value: { plain: name }, comment: keyWords(repeated) };
  }
  if (stated === false) return { key: 'key', value: { plain: false }, comment: 'no column identifies a row' };
  const able = table.columns.filter((each) => isAble(each, table));
  const offer =
    able.length === 0
      ? 'no column is filled and different in every row'
      : `filled and different in every row: ${able
          .slice(0, mostOffered)
          .map(({ name }) => shownName(name))
          .join(', ')}`;
  const question = `which column identifies a row in the old system and never changes? Give its name, or false if there is none (${offer})`;
  return { key: 'key', value: { plain: todo(question) } };
}

/** Numbers, codes and addresses; names, days and phones say less of who somebody is than they seem to. */
function isAble(column: ColumnProfile, { rows }: TableProfile): boolean {
  const { name, filled, repeated, longest } = column;
  if (filled === 0 || filled < rows * nearlyAll || repeated > 0 || longest > longestKey) return false;
  const { kind } = typeOf(column);
  const role = namedFor(name)?.role;
  if (kind === 'email') return true;
  if (role !== undefined && role !== 'key') return false;
  return (
    (kind === 'number' || kind === 'text') &&
    column.share('nameLike') < half &&
    column.share('severalWords') < half &&
    (column.share('phoneShaped') < half || kind === 'number')
  );
}

function keyWords(repeated: number): string {
  return repeated === 0
    ? 'filled, and different in every row checked'
    : `filled; ${repeated} of the rows checked repeat the key of another`;
}
