import type { RoleName } from '../columns/header-names.ts';
import { namedFor, wordsOf } from '../columns/header-words.ts';
import type { ColumnProfile } from '../profile/column-profile.ts';
import { typeOf } from '../profile/column-type.ts';
import { aboutTable, type Condition, mainOne, notDeleted } from './conditions.ts';
import type { Join, JoinPlan, ListedComments } from './join-plan.ts';
import { listedComments } from './listed-comments.ts';
import { isFirms, isStaff } from './people-table.ts';
import { isOpen, keyOf, type Reference, referencesBetween } from './references.ts';
import type { SampledTable } from './sampled-table.ts';
import { referenceStem } from './table-words.ts';

/** How the tables of a dump hang together, seen from the table with the people. */
export function likelyJoins(main: SampledTable, tables: readonly SampledTable[]): Found {
  return new Planning(main, referencesBetween(tables)).plan();
}

type Found = Omit<JoinPlan, 'files' | 'unread'>;

/** A table that belongs to the people: directly, or through a link table. */
interface Child {
  readonly table: SampledTable;
  readonly join: Join;
  readonly pick: Condition | undefined;
}

class Planning {
  readonly #main: SampledTable;
  readonly #references: readonly Reference[];
  readonly #joins: { [name: string]: Join } = {};
  readonly #roles = new Map<string, RoleName | undefined>();
  readonly #tags: string[] = [];
  readonly #comments: ListedComments[] = [];

  constructor(main: SampledTable, references: readonly Reference[]) {
    this.#main = main;
    this.#references = references;
  }

  plan(): Found {
    for (const reference of this.#references) if (reference.from === this.#main) this.#parent(reference);
    return this.belongings();
  }

  /** Without the records that the rows themselves name. */
  belongings(): Found {
    for (const child of this.#children()) this.#child(child);
    return {
      table: this.#main.name,
      where: notDeleted(this.#main.columns),
      joins: this.#joins,
      roles: this.#roles,
      tags: this.#tags,
      comments: this.#comments,
    };
  }

  /** A record that a row names: its owner, its company, what else it has the id of. */
  #parent({ column, to, key, named }: Reference): void {
    if (!named || to === this.#main || isHistory(column)) return;
    const join = { table: to.name, on: { [column]: key } };
    if (isStaff(to)) {
      if (namedFor(column)?.role === 'owner' && !('owner' in this.#joins)) this.#owner(to, join);
    } else if (isFirms(to)) {
      const name = nameColumn(to);
      if (name === undefined || 'company' in this.#joins) return;
      this.#joins.company = join;
      this.#roles.set(`company.${name}`, 'company');
    } else {
      const name = nameColumn(to);
      const called = referenceStem(column) ?? to.stem;
      if (name === undefined || called in this.#joins || !isWord(called)) return;
      this.#joins[called] = join;
      this.#roles.set(`${called}.${name}`, namedFor(called)?.role);
    }
  }

  /** The owner's e-mail address stands in their own row, or in a table of addresses as those of people do. */
  #owner(staff: SampledTable, join: Join): void {
    const [email] = staff.contact.emails;
    const beyond = email === undefined ? new Planning(staff, this.#references).belongings() : undefined;
    const nested = beyond?.joins.email;
    const column = [...(beyond?.roles.keys() ?? [])].find((name) => name.startsWith('email.'));
    this.#joins.owner = nested === undefined ? join : { ...join, join: { email: nested } };
    const found = email?.profile.name ?? column;
    if (found !== undefined) this.#roles.set(`owner.${found}`, 'owner');
  }

  /** Tables whose rows refer to people, and those that a link table leads to. */
  *#children(): Generator<Child> {
    const key = keyOf(this.#main);
    if (key === undefined) return;
    for (const reference of this.#references) {
      const { from, column, to } = reference;
      if (to === this.#main && from !== this.#main && !isHistory(column)) yield this.#childBy(reference, key);
    }
  }

  #childBy({ from, column }: Reference, key: string): Child {
    const about = isOpen(referenceStem(column) ?? '') ? aboutTable(from, this.#main) : {};
    const where = conditions({ ...about, ...notDeleted(from.columns) });
    const linked = this.#linked(from, column);
    if (linked === undefined) {
      const join = { table: from.name, on: { [key]: column }, ...where };
      return { table: from, join, pick: mainOne(from.columns) };
    }
    const { to: table } = linked;
    const via = { table: from.name, on: { [key]: column }, to: { [linked.column]: linked.key }, ...where };
    const join = { table: table.name, via, ...conditions(notDeleted(table.columns)) };
    return { table, join, pick: mainOne(from.columns) ?? mainOne(table.columns) };
  }

  /** Where a link table leads to beside the people. */
  #linked(link: SampledTable, column: string): Reference | undefined {
    if (!isLink(link)) return undefined;
    return this.#references.find(
      (other) =>
        other.from === link && other.column !== column && other.to !== this.#main && !isHistory(other.column),
    );
  }

  #child({ table, join, pick }: Child): void {
    const email = table.columns.find((column) => column.share('email') >= 0.8 && isOwn(column.name));
    const phone = phoneColumn(table);
    const one = pick === undefined ? join : { ...join, pick };
    if (this.#extension(table, join)) return;
    if (email !== undefined && !isPeople(table)) this.#value('email', 'email', email.name, one);
    else if (phone !== undefined && !isPeople(table)) this.#value('phone', 'phone', phone.name, one);
    else if (isFirms(table) && nameColumn(table) !== undefined)
      this.#value('company', 'company', nameColumn(table) ?? '', one);
    else if (this.#isTags(table)) this.#tagList(table, join);
    else this.#notes(table, join);
  }

  /** A table with further columns of the same people, one row for each. */
  #extension(table: SampledTable, join: Join): boolean {
    const [column] = Object.values(join.on ?? {});
    const key = table.columns.find(({ name }) => name === column);
    const same = table.stem.startsWith(this.#main.stem) || this.#main.stem.startsWith(table.stem);
    if (key === undefined || key.repeated > 0 || !same || isStaff(table)) return false;
    const name = table.words.length > 1 ? (table.words.at(-1) ?? 'more') : 'more';
    if (name in this.#joins || !isWord(name)) return false;
    this.#joins[name] = join;
    for (const each of table.columns) {
      if (each.name !== column) this.#roles.set(`${name}.${each.name}`, namedFor(each.name)?.role);
    }
    return true;
  }

  #value(name: string, role: RoleName, column: string, join: Join): void {
    if (name in this.#joins) return;
    this.#joins[name] = join;
    this.#roles.set(`${name}.${column}`, role);
  }

  #isTags({ words }: SampledTable): boolean {
    return words.some((word) => namedFor(word)?.role === 'tags');
  }

  #tagList(table: SampledTable, join: Join): void {
    const column =
      nameColumn(table) ?? table.columns.find(({ name }) => namedFor(name)?.role === 'tags')?.name;
    if (column === undefined || 'tags' in this.#joins) return;
    this.#joins.tags = { ...join, many: true };
    this.#tags.push(`tags.${column}`);
  }

  #notes(table: SampledTable, join: Join): void {
    const found = listedComments(table, this.#references);
    const name = `${table.words.at(-1) ?? ''}s`;
    if (found === undefined || name in this.#joins || !isWord(name)) return;
    this.#joins[name] = { ...join, many: true, ...(isEmpty(found.join) ? {} : { join: found.join }) };
    this.#comments.push({ each: name, ...found.comments });
  }
}

function conditions(where: Condition): { readonly where?: Condition } {
  return isEmpty(where) ? {} : { where };
}

/** Whether the rows have first and last names of their own. */
function isPeople({ contact: { names } }: SampledTable): boolean {
  return names?.kind === 'parts' && names.last !== undefined;
}

/** What stands under another record's key, as `author.email`, is that one's. */
function isOwn(column: string): boolean {
  return !column.includes('.') || namedFor(column)?.role === 'email';
}

function isEmpty(map: object): boolean {
  return Object.keys(map).length === 0;
}

/** Who made or changed a record, and what it was merged into, say nothing of the person. */
function isHistory(column: string): boolean {
  return wordsOf(column).some((word) =>
    [
      'created',
      'author',
      'modified',
      'updated',
      'creator',
      'changed',
      'master',
      'merged',
      'reports',
      'createdby',
      'lastmodified',
      'converted',
    ].includes(word),
  );
}

const tieWords = new Set(['type', 'module', 'kind', 'role', 'slot', 'relation', 'reason', 'id']);

/** A table that only ties others together: ids, flags, dates and kinds, and no text of its own. */
function isLink({ columns, contact }: SampledTable): boolean {
  if (contact.names !== undefined || contact.emails.length > 0) return false;
  return columns.every((column) => {
    if (referenceStem(column.name) !== null || tieWords.has(wordsOf(column.name).at(-1) ?? '')) return true;
    return ['empty', 'checkbox', 'date', 'number'].includes(typeOf(column).kind);
  });
}

/** The column with the name of a record: of a company, a tag, a status. */
function nameColumn({ columns }: SampledTable): string | undefined {
  const by = (...names: readonly string[]): ColumnProfile | undefined =>
    columns.find(({ name, filled }) => filled > 0 && names.includes(wordsOf(name).join('')));
  return (by('name', 'title', 'label') ?? by('companyname', 'accountname', 'organizationname', 'displayname'))
    ?.name;
}

function phoneColumn({ columns, words }: SampledTable): ColumnProfile | undefined {
  const phones = words.some((word) => ['phone', 'mobile'].includes(namedFor(word)?.role ?? ''));
  return phones
    ? columns.find(
        (column) =>
          column.share('phoneShaped') >= 0.5 &&
          referenceStem(column.name) === null &&
          !/^id$/i.test(column.name),
      )
    : undefined;
}

function isWord(name: string): boolean {
  return /^[^.[\]]+$/.test(name);
}
