import { type ColumnRole, columnNoiseWords } from '../columns/header-names.ts';
import { findColumnMeaning, isOwnerColumn, isValueLabel, splitColumnName } from '../columns/header-words.ts';
import { isCompanyTable, isStaffTable } from '../joins/people-table.ts';
import { splitTableName } from '../joins/table-words.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';

/** A list of records, in the cells of a JSON source, whose elements each have a name and an e-mail or a phone. */
export interface PeopleList {
  /** The keys that lead to it, as the source's `at` takes them: `deals.contacts`. */
  readonly path: string;
  /** Whether its elements are contacts, as far as the name of the list says: not companies, addresses or colleagues. */
  readonly kind: 'contacts' | 'staff' | 'addresses' | 'companies';
}

const nameRoles: ReadonlySet<ColumnRole | undefined> = new Set<ColumnRole>([
  ...(['firstName', 'lastName', 'fullName', 'name'] as const),
]);
const half = 0.5;

/** Matches a column of a list's element without a further list in it: the list, and the rest of the path. */
const elementColumn = /^(.+)\[\d+\]\.([^[\]]+)$/;

/**
 * Returns the lists whose elements look like people. Different elements are different people, so a contact must not
 * take its e-mail from one of them and its phone from another.
 */
export function findPeopleLists(columns: readonly ColumnProfile[]): readonly PeopleList[] {
  const named = columns.flatMap((column) => {
    const [, list = '', own = ''] = elementColumn.exec(column.name) ?? [];
    return list !== '' && isPersonName(own, column) ? [withoutIndexes(list)] : [];
  });
  return [...new Set(named)]
    .filter((list) => !isOfOneKind(list) && columns.some((column) => isReachedBy(column, list)))
    .map((list) => ({ path: list.replaceAll('[]', ''), kind: kindOf(list) }));
}

/** Returns true for a column of an element of the list. */
export function isInList(column: string, { path }: PeopleList): boolean {
  const plain = withoutIndexes(column);
  return plain.includes('[]') && plain.replaceAll('[]', '').startsWith(`${path}.`);
}

function withoutIndexes(column: string): string {
  return column.replace(/\[\d+\]/g, '[]');
}

function isPersonName(own: string, column: ColumnProfile): boolean {
  if (!nameRoles.has(findColumnMeaning(own)?.role) || column.filled === 0) return false;
  if (column.share('email') >= half || column.share('phoneShaped') >= half) return false;
  return column.distinct === null || ![...column.distinct.keys()].every(isLabel);
}

/** Returns true for a word such as Work or Mobile, which names a value and not a person. */
function isLabel(value: string): boolean {
  return (
    findColumnMeaning(value) !== undefined ||
    isValueLabel(value) ||
    splitColumnName(value).every((word) => columnNoiseWords.has(word))
  );
}

/** Returns true for a list of e-mails or phones, each with a name: they all belong to the record. */
function isOfOneKind(list: string): boolean {
  const role = findColumnMeaning(lastKey(list))?.role;
  return role !== undefined && ['email', 'phone', 'mobile', 'fax'].includes(role);
}

function lastKey(list: string): string {
  return list.split(/\.|\[\]/).findLast((key) => key !== '') ?? '';
}

/** Returns true for a column of e-mails or phones in an element of the list. */
function isReachedBy(column: ColumnProfile, list: string): boolean {
  const plain = withoutIndexes(column.name);
  if (!plain.startsWith(`${list}[].`)) return false;
  const role = findColumnMeaning(plain.slice(list.length + 3))?.role;
  if (role === 'email') return column.share('email') >= half;
  return (role === 'phone' || role === 'mobile') && column.share('phones') >= half;
}

function kindOf(list: string): PeopleList['kind'] {
  const key = lastKey(list);
  const words = splitTableName(key);
  if (words.some((word) => /^(?:address|addresse|adresse|shipping|billing)$/.test(word))) return 'addresses';
  if (isCompanyTable({ words })) return 'companies';
  return isStaffTable({ words }) || isOwnerColumn(key) ? 'staff' : 'contacts';
}
