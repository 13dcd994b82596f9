import { placeOf, type RowPlace } from '../../model/row-place.ts';
import { nullable, number, text } from '../../storage/columns.ts';
import { pageSize, pagesOf } from '../../storage/pages.ts';
import { change, exists, select, selectCount, selectOne } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import { comparablePhone } from '../comparable.ts';

/** Which identities people of the input had when they were last imported, and have no more. */
export function movedIdentities(file: SqliteFile) {
  let isEmpty: boolean | undefined;
  return {
    /** Notes that the row's person had an identity (a hash) that its row does not name any more. */
    addMoved: (identity: string, seq: number): void =>
      change(file)`REPLACE INTO moved (identity, seq) VALUES (${identity}, ${seq})`,
    /** The last row whose person had this identity before. */
    movedFrom(identity: string): number | undefined {
      isEmpty ??= !exists(file)`SELECT 1 FROM moved LIMIT 1`;
      if (isEmpty) return undefined;
      return selectOne(file, { seq: number })`SELECT seq FROM moved WHERE identity = ${identity}`?.seq;
    },
  };
}

/** The rows that a run is about where it is not about all; empty whenever the index is opened. */
export function selection(file: SqliteFile) {
  return {
    select: (seq: number): void => change(file)`INSERT OR IGNORE INTO scratch.selected (seq) VALUES (${seq})`,
    selectedBetween: (from: number, to: number): Set<number> =>
      numbers(file)`SELECT seq FROM scratch.selected WHERE seq >= ${from} AND seq < ${to} ORDER BY seq`,
    selectedCount: (): number => selectCount(file)`SELECT count(*) AS n FROM scratch.selected`,
  };
}

const rejected = { seq: number, line: number, sheet: nullable(text) };

/** What rows that are sent need in the workspace, and which rows will not be sent. */
export function rowNeeds(file: SqliteFile) {
  // A mapping has a few custom fields, and a file millions of rows.
  const known = new Set<string>();
  return {
    /** Notes that a row has values for these custom fields; in the input's order. */
    addFields(names: readonly string[], seq: number): void {
      for (const name of names) {
        if (known.has(name)) continue;
        known.add(name);
        change(file)`INSERT OR IGNORE INTO field (name, seq) VALUES (${name}, ${seq})`;
      }
    },
    /** The custom fields that rows before `end` have values for. */
    fieldsBefore(end: number): ReadonlySet<string> {
      const fields = select(file, { name: text })`SELECT name FROM field WHERE seq < ${end}`;
      return new Set(fields.map(({ name }) => name));
    },
    /** Notes that the mapping rejects a row, or that the row cannot be read. */
    addRejected: (seq: number, { line, sheet = null }: RowPlace): void =>
      change(file)`INSERT OR IGNORE INTO rejected (seq, line, sheet) VALUES (${seq}, ${line}, ${sheet})`,
    /** The places of the rows from `from` on, before `to`, that are rejected, by row. */
    rejectedBetween: (from: number, to: number): ReadonlyMap<number, RowPlace> =>
      new Map(
        select(file, rejected)`
          SELECT seq, line, sheet FROM rejected WHERE seq >= ${from} AND seq < ${to}`.map(
          ({ seq, ...row }) => [seq, placeOf(row)],
        ),
      ),
  };
}

/** The numbers of the rows that a query gives. */
function numbers(file: SqliteFile) {
  return (...query: Parameters<ReturnType<typeof select>>): Set<number> =>
    new Set(select(file, { seq: number })(...query).map(({ seq }) => seq));
}

/** Spellings that are not asked about twice in a row; the table knows the others. */
const mostRecent = 1_000;

/** The distinct tag names of the input, without regard to case. */
export function tagNames(file: SqliteFile) {
  const recent = new Set<string>();
  return {
    /** Collects the tag names of a row, in the input's order; the first spelling stays. */
    addTags(names: readonly string[], seq: number): void {
      for (const name of names) {
        if (recent.has(name)) continue;
        if (recent.size >= mostRecent) recent.clear();
        recent.add(name);
        change(file)`INSERT OR IGNORE INTO tag (folded, name, seq) VALUES (${folded(name)}, ${name}, ${seq})`;
      }
    },
    /** How the input first spells a tag; the name itself where it never came. */
    tagSpelling: (name: string): string =>
      selectOne(file, { name: text })`SELECT name FROM tag WHERE folded = ${folded(name)}`?.name ?? name,
    /** Those of the rows before `end`, each in its first spelling, in the order of the input. */
    *tagNames(end = Number.MAX_SAFE_INTEGER): Generator<string> {
      const pages = pagesOf(
        (last?: { number: number; name: string }) => select(file, { number, name: text })`
          SELECT number, name FROM tag WHERE number > ${last?.number ?? 0} AND seq < ${end}
          ORDER BY number LIMIT ${pageSize}`,
      );
      for (const page of pages) for (const { name } of page) yield name;
    },
  };
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Phones that too many people of the input share to say who somebody is. */
export function weakPhones(file: SqliteFile) {
  let isEmpty: boolean | undefined;
  return {
    isWeakPhone(phone: string): boolean {
      isEmpty ??= !exists(file)`SELECT 1 FROM weak LIMIT 1`;
      if (isEmpty) return false;
      const digits = comparablePhone(phone);
      return digits !== null && exists(file)`SELECT 1 FROM weak WHERE phone = ${digits}`;
    },
    /** Takes a phone for weak that the input alone would not show to be; as `weakPhones` gives it. */
    addWeakPhone: (phone: string): void => change(file)`INSERT OR IGNORE INTO weak (phone) VALUES (${phone})`,
    /** All of them, as they are compared, in order. */
    *weakPhones(): Generator<string> {
      const pages = pagesOf(
        (last?: { phone: string }) => select(file, { phone: text })`
          SELECT phone FROM weak WHERE phone > ${last?.phone ?? ''} ORDER BY phone LIMIT ${pageSize}`,
      );
      for (const page of pages) for (const { phone } of page) yield phone;
    },
  };
}
