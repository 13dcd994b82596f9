import { createHash } from 'node:crypto';
import { isTodoPlaceholder } from '../../../model/todo.ts';
import {
  type ContactColumns,
  isMappableColumnName,
  maxDraftedFieldTextLength,
} from '../columns/contact-columns.ts';
import { findColumnMeaning, splitColumnName } from '../columns/header-words.ts';
import type { JoinedListField, JoinPlan } from '../joins/join-plan.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { findColumnType, plainTextType } from '../profile/column-type.ts';
import type { TableProfile } from '../profile/table-profile.ts';
import { formatWholePercent, type YamlEntry, type YamlValue } from '../yaml/entry.ts';
import { decodingOf, formatRowCount, unguardingOf } from './column-words.ts';

const longestName = 60;
const longestSlug = 40;

/** Creates unique names and slugs for custom fields from the names of their columns. */
class FieldNames {
  readonly #names = new Set<string>();
  readonly #slugs = new Set<string>();

  /** Returns a name that no other field has, without regard to case. */
  name(column: string): string {
    const plain = column
      .replace(/__c$/i, '')
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
      .trim()
      .slice(0, longestName)
      .trim();
    const base = plain === '' || plain === '__proto__' || isTodoPlaceholder(plain) ? 'Field' : plain;
    return unused(base, this.#names, ' ');
  }

  slug(name: string): string {
    return unused(slugOf(name), this.#slugs, '_');
  }
}

/**
 * Returns the slug of a field's name. A slug has only Latin letters: a name with others gets a short checksum, so that
 * the fields of several drafts do not share a slug.
 */
function slugOf(name: string): string {
  const folded = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
  const plain = folded
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, longestSlug);
  if (plain !== '' && !/[^a-z0-9\P{L}]/u.test(folded)) return plain;
  const checksum = createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest('hex').slice(0, 8);
  return `${/[a-z]/.test(plain) ? plain : 'field'}_${checksum}`;
}

function unused(base: string, taken: Set<string>, separator: string): string {
  let own = base;
  for (let number = 2; taken.has(own.toLowerCase()); number += 1) own = `${base}${separator}${number}`;
  taken.add(own.toLowerCase());
  return own;
}

/** A column that the mapping does not read, with the reason. */
export interface UnmappedColumn {
  readonly column: string;
  readonly why: string;
}

export interface DraftedCustomFields {
  readonly entries: readonly YamlEntry[];
  readonly leftOut: readonly UnmappedColumn[];
}

const mostFields = 50;
const fewRows = 3;
const half = 0.5;

/**
 * Returns a custom field for each column with values that is not used elsewhere, at most 50; those of further phones
 * and e-mails; and the columns left out.
 */
export function buildCustomFieldEntries(
  columns: ContactColumns,
  used: ReadonlySet<string>,
  table: TableProfile,
  { where, further: lists }: Pick<JoinPlan, 'where' | 'further'>,
): DraftedCustomFields {
  const names = new FieldNames();
  const further = furtherEntries(furtherOf(columns, table), lists, table, names);
  const entries: YamlEntry[] = [];
  const leftOut: UnmappedColumn[] = [];
  const company = companyOf(table, used);
  const open = table.columns.filter(({ name }) => !used.has(name));
  const inOrder = company === undefined ? open : [company, ...open.filter((column) => column !== company)];
  for (const column of inOrder) {
    const why =
      (Object.hasOwn(where, column.name) ? 'decides which rows are left out' : undefined) ??
      whyLeftOut(column, table, columns) ??
      (entries.length === mostFields ? `more than ${mostFields} fields` : undefined);
    if (why === undefined)
      entries.push(entryOf(column, table, names, column === company ? 'Company' : column.name));
    else leftOut.push({ column: column.name, why });
  }
  return { entries: [...further, ...entries], leftOut };
}

/**
 * Returns the further phone and e-mail columns, each with the text of its comment: the columns that differ from an
 * earlier column of the same kind in some row, or that were not compared with it, and those with several in a cell.
 */
function furtherOf({ emails, phones }: ContactColumns, { contacts }: TableProfile) {
  const found = new Map<ColumnProfile, string>();
  for (const [kind, columns] of [['e-mail', emails] as const, ['phone', phones] as const]) {
    for (const [at, { profile }] of columns.entries()) {
      const several = profile.share(kind === 'phone' ? 'severalPhones' : 'severalEmails');
      // An element of a JSON array is kept with the whole array.
      if (several > 0 && !/\[\d+\]/.test(profile.name))
        found.set(profile, `some cells have several ${kind}s`);
      const before = columns.slice(0, at);
      const rows = before.map((earlier) => contacts.differing(earlier.profile.name, profile.name));
      // Columns that were not compared may differ.
      if (rows.some((each) => each === undefined)) found.set(profile, `another ${kind}`);
      const most = Math.max(0, ...rows.map((each) => each ?? 0));
      if (most > 0)
        found.set(profile, `${formatRowCount(most)} ${most === 1 ? 'has' : 'have'} another ${kind} besides`);
    }
  }
  return found;
}

/**
 * Returns a custom field for each further column, and one for each list that keeps all values: joined lists, and lists
 * whose elements are columns, such as `phones[1]`.
 */
function furtherEntries(
  further: ReadonlyMap<ColumnProfile, string>,
  joined: readonly JoinedListField[],
  table: TableProfile,
  names: FieldNames,
): readonly YamlEntry[] {
  const entries: YamlEntry[] = [];
  const lists = new Map(joined.map((list) => [list.from, list]));
  for (const [column, words] of further) {
    const [, list, rest = ''] = /^(.+?)\[\d+\](.*)$/.exec(column.name) ?? [];
    if (list === undefined) entries.push(besideEntry(column, table, names, words));
    else lists.set(`${list}[]${rest}`, { name: `All ${list}`, from: `${list}[]${rest}` });
  }
  const listed = [...lists.values()].map(({ name: called, from }): YamlEntry => {
    const name = names.name(called);
    const value = { from, type: 'text', join: ', ', create: true, slug: names.slug(name) };
    return { key: name, value: { plain: value }, comment: 'some people have several' };
  });
  return [...entries, ...listed];
}

/**
 * Returns the field of a further column: a text, which keeps any value, or an e-mail if all its values were checked and
 * are addresses.
 */
function besideEntry(
  column: ColumnProfile,
  table: TableProfile,
  names: FieldNames,
  words: string,
): YamlEntry {
  const name = names.name(column.name);
  const seen = findColumnType(column);
  const isEmail = seen.type === 'email' && seen.others === 0 && column.looked === column.filled;
  const type = isEmail ? 'email' : 'text';
  return {
    key: name,
    value: {
      plain: { from: column.name, ...unguardingOf(column), type, create: true, slug: names.slug(name) },
    },
    comment: `${formatWholePercent(column.filled, table.rows)} filled, ${type}; ${words}`,
  };
}

function companyOf(table: TableProfile, used: ReadonlySet<string>): ColumnProfile | undefined {
  return table.columns.find((column) => {
    const { name, filled } = column;
    const isNamed = isMappableColumnName(name) && findColumnMeaning(name)?.role === 'company';
    // A column such as is_company says what the row is.
    return filled > 0 && !used.has(name) && isNamed && findColumnType(column).kind !== 'checkbox';
  });
}

function entryOf(column: ColumnProfile, table: TableProfile, names: FieldNames, called: string): YamlEntry {
  const name = names.name(called);
  const { type, options, words, others } = called === 'Company' ? plainTextType : findColumnType(column);
  const checked = column.looked < column.filled ? ` of the ${column.looked} checked` : '';
  const none =
    others === 0
      ? ''
      : `; ${formatWholePercent(others, 1)}${checked} invalid: left out, and listed in dropped.csv`;
  const value: { [key: string]: YamlValue } = {
    from: column.name,
    ...unguardingOf(column),
    type,
    ...options,
    ...(type === 'text' && decodingOf(column)),
    ...(others > 0 && { onInvalid: 'drop' }),
    create: true,
    slug: names.slug(name),
  };
  return {
    key: name,
    value: { plain: value },
    comment: `${formatWholePercent(column.filled, table.rows)} filled, ${words}${none}${doubtOf(column)}`,
  };
}

/** Returns a warning for a column that is named for phones or e-mails although fewer than half of its cells have one. */
function doubtOf(column: ColumnProfile): string {
  const { role } = column;
  if (role === 'email' && column.share('emails') < half)
    return '; its name says e-mail, but most cells have none: please verify';
  return (role === 'phone' || role === 'mobile') && column.share('phones') < half
    ? '; its name says phone, but most cells have none: please verify'
    : '';
}

/** Ids that the contact itself has in another system, such as the number that the owner of a Zendesk gave it. */
const ownIds = /^(?:contact|user|person|customer|client)?(?:external|legacy|import)id$/;

function whyLeftOut(column: ColumnProfile, table: TableProfile, columns: ContactColumns): string | undefined {
  const { name, filled, distinct, longest } = column;
  if (filled === 0) return 'empty';
  if (!isMappableColumnName(name)) return 'cannot be used in a mapping';
  if (isPartOfAnother(name, table)) return 'part of another column';
  if (column.share('objects') > 0) return 'a list of records';
  if (isReadByElement(name, columns)) return 'a list, of which the elements are read';
  const role = findColumnMeaning(name)?.role;
  if (distinct?.size === 1 && filled === table.rows && filled >= fewRows && role !== 'optOut')
    return 'the same in every row';
  if (longest > maxDraftedFieldTextLength)
    return `texts of up to ${longest.toLocaleString('en-US')} characters`;
  const words = splitColumnName(name);
  const id = /^(?:id|ids|guid|uuid)$/.test(words.at(-1) ?? '') || /__id$|_id$/i.test(name);
  // Some systems write the names of other records in such columns: `country_id: Germany`.
  const isId = id && column.share('digits') >= half;
  if (isId && columns.key?.profile !== column && !ownIds.test(words.join(''))) return 'ids of other records';
  return undefined;
}

/** Returns true for a JSON array of e-mails or phones, whose elements are columns that the mapping reads. */
function isReadByElement(name: string, { emails, phones }: ContactColumns): boolean {
  return [...emails, ...phones].some(({ profile }) => profile.name.startsWith(`${name}[`));
}

/** Returns true for an element of a JSON array (`tags[0]`) if the table has a column of the whole array. */
function isPartOfAnother(name: string, table: TableProfile): boolean {
  const base = /^(.*?)\[\d+\]/.exec(name)?.[1];
  return base !== undefined && table.columns.some((other) => other.name === base);
}
