import type { ColumnRole } from '../columns/header-names.ts';
import { findColumnMeaning, splitColumnName } from '../columns/header-words.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { findColumnType } from '../profile/column-type.ts';
import {
  buildMainRowCondition,
  buildNotDeletedCondition,
  buildReferenceCondition,
  type RowCondition,
} from './conditions.ts';
import type { JoinedListCommentRule, JoinedListField, JoinPlan, TableJoin } from './join-plan.ts';
import { buildCommentRuleFromRecords, buildCommentRuleFromTable } from './listed-comments.ts';
import { isCompanyTable, isStaffTable, isTechnicalTable } from './people-table.ts';
import { findKeyColumn, findTableReferences, isOwnerColumn, type TableReference } from './references.ts';
import type { SampledTable } from './sampled-table.ts';
import { findReferencedTableName } from './table-words.ts';

type Found = Omit<JoinPlan, 'files' | 'tables' | 'unread' | 'morePeople'>;

/**
 * A proposed join to the table of people, with the joined columns that the mapping reads. If two proposals have the
 * same name, the first one is used.
 */
interface Proposal {
  readonly name: string;
  readonly join: TableJoin;
  /** The columns to read, with their roles. */
  readonly roles?: readonly (readonly [column: string, role: ColumnRole | undefined])[];
  /** The column with tags. */
  readonly tags?: string;
  readonly comments?: Omit<JoinedListCommentRule, 'each'>;
  /** The column with the e-mail or phone, for a join that lists all that a person has. */
  readonly all?: string;
}

/** Returns the joins of a dump's tables to the table of people, with the columns that the mapping reads. */
export function findLikelyJoins(main: SampledTable, tables: readonly SampledTable[]): Found {
  const references = findTableReferences(tables);
  const parents = references.flatMap((reference) =>
    reference.from === main ? (parentOf(reference, references) ?? []) : [],
  );
  return planOf(main, [...parents, ...childrenOf(main, references)]);
}

function planOf(main: SampledTable, proposals: readonly Proposal[]): Found {
  const joins: { [name: string]: TableJoin } = {};
  const roles = new Map<string, ColumnRole | undefined>();
  const listed: string[] = [];
  const written: JoinedListCommentRule[] = [];
  const further: JoinedListField[] = [];
  for (const { name, join, roles: read = [], tags, comments, all } of proposals) {
    if (name in joins || !/^[^.[\]]+$/.test(name)) continue;
    joins[name] = join;
    for (const [column, role] of read) roles.set(`${name}.${column}`, role);
    if (tags !== undefined) listed.push(`${name}.${tags}`);
    if (comments !== undefined) written.push({ each: name, ...comments });
    if (all !== undefined) further.push({ name: `All ${name}`, from: `${name}.${all}` });
  }
  const where = buildNotDeletedCondition(main.columns);
  return { table: main.name, where, joins, roles, tags: listed, comments: written, further };
}

/** Returns the join to the record that a row refers to: its owner, its company, or another record by its id. */
function parentOf(
  { from, column, to, key, named, split }: TableReference,
  references: readonly TableReference[],
): Proposal | undefined {
  if (!named || to === from || isHistory(column)) return undefined;
  const join = { table: to.name, on: { [column]: key }, ...splitBy(split) };
  if (isStaffTable(to)) return isOwnerColumn(column) ? ownerOf(to, join, references) : undefined;
  const holder = nameColumn(to);
  const name = isCompanyTable(to) ? 'company' : (findReferencedTableName(column) ?? to.stem);
  return holder === undefined ? undefined : { name, join, roles: [[holder, findColumnMeaning(name)?.role]] };
}

/** Returns the join of a row's owner, with the e-mail of the owner's row or of a table that refers to it. */
function ownerOf(staff: SampledTable, join: TableJoin, references: readonly TableReference[]): Proposal {
  const [email] = staff.contact.emails;
  if (email !== undefined) return { name: 'owner', join, roles: [[email.profile.name, 'owner']] };
  const { joins, roles } = planOf(staff, childrenOf(staff, references));
  const column = [...roles.keys()].find((name) => name.startsWith('email.'));
  if (joins.email === undefined || column === undefined) return { name: 'owner', join };
  return { name: 'owner', join: { ...join, join: { email: joins.email } }, roles: [[column, 'owner']] };
}

/** Returns the joins of tables whose rows refer to the people, including those through a link table. */
function childrenOf(main: SampledTable, references: readonly TableReference[]): readonly Proposal[] {
  const key = findKeyColumn(main);
  if (key === undefined) return [];
  const children = references.filter(
    ({ from, column, to }) => to === main && from !== main && !isHistory(column),
  );
  const namedFirst = [...children.filter(({ named }) => named), ...children.filter(({ named }) => !named)];
  return namedFirst.flatMap((reference) => {
    const direct = children.find(({ from, named }) => from === reference.from && named);
    return direct === undefined || reference.named
      ? childOf(reference, key, references)
      : filedChildOf(reference, direct.column, key, references);
  });
}

/**
 * Returns the join of notes that a column such as `parent_id` files under a person, where another column (`direct`)
 * names the person of a note. If both are filled, the person that is named counts, so that no note is written twice.
 */
function filedChildOf(
  reference: TableReference,
  direct: string,
  key: string,
  references: readonly TableReference[],
): readonly Proposal[] {
  return childOf(reference, key, references).flatMap(({ name, join, comments }) =>
    comments === undefined || join.via !== undefined
      ? []
      : [{ name: `filed_${name}`, join: { ...join, where: { ...join.where, [direct]: null } }, comments }],
  );
}

function childOf(
  reference: TableReference,
  key: string,
  references: readonly TableReference[],
): readonly Proposal[] {
  const { from, column, to } = reference;
  const about = buildReferenceCondition(reference, references);
  if (about === undefined) return [];
  const where = conditions({ ...about, ...buildNotDeletedCondition(from.columns) });
  const on = { [key]: column };
  const linked = isLink(from)
    ? references.find(
        (other) =>
          other.from === from && other.column !== column && other.to !== to && !isHistory(other.column),
      )
    : undefined;
  if (linked === undefined) {
    const join = { table: from.name, on, ...splitBy(reference.split), ...where };
    const found =
      extension(from, column, to, join) ??
      contentOf(from, join, buildMainRowCondition(from.columns), references) ??
      (reference.named ? recordsOf(from, join) : undefined);
    return withAll(found, from, column);
  }
  // A link table holds one id in a cell.
  if (reference.split !== undefined || linked.split !== undefined) return [];
  const via = { table: from.name, on, to: { [linked.column]: linked.key }, ...where };
  const join = { table: linked.to.name, via, ...conditions(buildNotDeletedCondition(linked.to.columns)) };
  const pick = buildMainRowCondition(from.columns) ?? buildMainRowCondition(linked.to.columns);
  return withAll(contentOf(linked.to, join, pick, references), from, column);
}

/** Returns the proposal and, where people have several e-mails or phones, a second one with the list of all of them. */
function withAll(found: Proposal | undefined, from: SampledTable, column: string): readonly Proposal[] {
  if (found === undefined) return [];
  const { name, join, roles } = found;
  const value = roles?.[0]?.[0];
  const isOne = name === 'email' || name === 'phone';
  const areSeveral = from.columns.some((each) => each.name === column && each.repeated > 0);
  if (!isOne || !areSeveral || value === undefined) return [found];
  const { pick: _pick, ...every } = join;
  return [found, { name: `${name}s`, join: { ...every, many: true }, all: value }];
}

/**
 * Returns the join of a table with further columns of the same people, one row for each person; undefined for any other
 * table.
 */
function extension(
  table: SampledTable,
  column: string,
  main: SampledTable,
  join: TableJoin,
): Proposal | undefined {
  const key = table.columns.find(({ name }) => name === column);
  const isSame = table.stem.startsWith(main.stem) || main.stem.startsWith(table.stem);
  if (key === undefined || key.repeated > 0 || !isSame || isStaffTable(table)) return undefined;
  const name = table.words.length > 1 ? (table.words.at(-1) ?? 'more') : 'more';
  const others = table.columns.filter((each) => each !== key);
  return { name, join, roles: others.map((each) => [each.name, each.role]) };
}

/**
 * Returns the join of a table with an e-mail, phone, company, tags or notes of the people; undefined for any
 * other.
 */
function contentOf(
  table: SampledTable,
  join: TableJoin,
  pick: RowCondition | undefined,
  references: readonly TableReference[],
): Proposal | undefined {
  const one = (name: 'email' | 'phone' | 'company', column: string): Proposal => ({
    name,
    join: pick === undefined ? join : { ...join, pick },
    roles: [[column, name]],
  });
  const email = table.columns.find((column) => column.share('email') >= 0.8 && isOwn(column));
  if (email !== undefined && !isPeople(table)) return one('email', email.name);
  const phone = phoneColumn(table);
  if (phone !== undefined && !isPeople(table)) return one('phone', phone.name);
  const name = nameColumn(table);
  if (isCompanyTable(table) && name !== undefined) return one('company', name);
  if (table.words.some((word) => findColumnMeaning(word)?.role === 'tags')) {
    const tags = name ?? table.columns.find(({ role }) => role === 'tags')?.name;
    return tags === undefined ? undefined : { name: 'tags', join: { ...join, many: true }, tags };
  }
  const found = buildCommentRuleFromTable(table, references);
  if (found === undefined) return undefined;
  return { name: listName(table), join: { ...join, many: true, ...found.join }, comments: found.comments };
}

/** Returns the join of records of a person that are nothing else, such as deals; undefined for a table without any. */
function recordsOf(table: SampledTable, join: TableJoin): Proposal | undefined {
  if (isStaffTable(table) || isTechnicalTable(table) || isPeople(table)) return undefined;
  const comments = buildCommentRuleFromRecords(table);
  return comments === undefined
    ? undefined
    : { name: listName(table), join: { ...join, many: true }, comments };
}

/** Returns the name of a joined list: the last word of the table's name, in the plural. */
function listName({ words }: SampledTable): string {
  const word = words.at(-1) ?? '';
  return word.endsWith('en') ? word : `${word}s`;
}

function splitBy(split: string | undefined): { readonly split?: string } {
  return split === undefined ? {} : { split };
}

function conditions(where: RowCondition): { readonly where?: RowCondition } {
  return Object.keys(where).length === 0 ? {} : { where };
}

/** Returns true if the rows have their own first and last names. */
function isPeople({ contact: { names } }: SampledTable): boolean {
  return names?.kind === 'parts' && names.last !== undefined;
}

/** Returns true if an e-mail column is the record's own, not another record's, such as `author.email`. */
function isOwn({ name, role }: ColumnProfile): boolean {
  return !name.includes('.') || role === 'email';
}

/**
 * Returns true for a column that refers to the record's author or merge target, or to a superior, and not to the
 * person.
 */
function isHistory(column: string): boolean {
  return splitColumnName(column).some((word) => historyWords.has(word));
}

const historyWords = new Set(
  'created author modified updated creator changed master merged reports createdby lastmodified converted'.split(
    ' ',
  ),
);

const tieWords = new Set(['type', 'module', 'kind', 'role', 'slot', 'relation', 'reason', 'id']);

/** Returns true for a table that only links others: ids, flags, dates and kinds, and no text of its own. */
function isLink({ columns, contact }: SampledTable): boolean {
  if (contact.names !== undefined || contact.emails.length > 0) return false;
  return columns.every((column) => {
    if (findReferencedTableName(column.name) !== null || tieWords.has(column.words.at(-1) ?? '')) return true;
    return ['empty', 'checkbox', 'date', 'number'].includes(findColumnType(column).kind);
  });
}

/** Returns the column with the name of a record: of a company, a tag, a status. */
function nameColumn({ columns }: SampledTable): string | undefined {
  const by = (...names: readonly string[]): ColumnProfile | undefined =>
    columns.find(({ words, filled }) => filled > 0 && names.includes(words.join('')));
  return (
    by('name', 'title', 'label', 'bezeichnung', 'titel', 'nombre', 'nom', 'nome', 'libelle') ??
    by('companyname', 'accountname', 'organizationname', 'displayname')
  )?.name;
}

function phoneColumn({ columns, words }: SampledTable): ColumnProfile | undefined {
  const phones = words.some((word) => ['phone', 'mobile'].includes(findColumnMeaning(word)?.role ?? ''));
  return phones
    ? columns.find(
        (column) =>
          column.share('phoneShaped') >= 0.5 &&
          findReferencedTableName(column.name) === null &&
          !/^id$/i.test(column.name),
      )
    : undefined;
}
