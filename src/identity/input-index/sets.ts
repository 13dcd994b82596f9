import { change, select, selectCount, selectOne } from '../../storage/sql.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import { comparablePhone } from '../comparable.ts';

/** Which identities people of the input had when they were last imported, and have no more. */
export interface MovedIdentities {
  /** Notes that the row's person had an identity (a hash) that its row does not name any more. */
  addMoved(identity: string, seq: number): void;
  /** The last row whose person had this identity before. */
  movedFrom(identity: string): number | undefined;
}

export function movedIdentities(file: SqliteFile): MovedIdentities {
  return {
    addMoved: (identity, seq) =>
      change(file)`REPLACE INTO moved (identity, seq) VALUES (${identity}, ${seq})`,
    movedFrom: (identity) =>
      selectOne<{ seq: number }>(file)`SELECT seq FROM moved WHERE identity = ${identity}`?.seq,
  };
}

/** The rows that a run is about where it is not about all; empty whenever the index is opened. */
export interface Selection {
  select(seq: number): void;
  selectedBetween(from: number, to: number): Set<number>;
  selectedCount(): number;
}

export function selection(file: SqliteFile): Selection {
  return {
    select: (seq) => change(file)`INSERT OR IGNORE INTO scratch.selected (seq) VALUES (${seq})`,
    selectedBetween: (from, to) =>
      numbers(file)`SELECT seq FROM scratch.selected WHERE seq >= ${from} AND seq < ${to} ORDER BY seq`,
    selectedCount: () => selectCount(file)`SELECT count(*) AS n FROM scratch.selected`,
  };
}

/** What rows that are sent need in the workspace, and which rows will not be sent. */
export interface RowNeeds {
  /** Notes that a row has values for these custom fields; in the input's order. */
  addFields(names: readonly string[], seq: number): void;
  /** The custom fields that rows before `end` have values for. */
  fieldsBefore(end: number): ReadonlySet<string>;
  /** Notes that the mapping rejects a row, or that the row cannot be read. */
  addRejected(seq: number): void;
  /** Which of the rows from `from` on, before `to`, are rejected. */
  rejectedBetween(from: number, to: number): ReadonlySet<number>;
}

export function rowNeeds(file: SqliteFile): RowNeeds {
  // A mapping has a few custom fields, and a file millions of rows.
  const known = new Set<string>();
  return {
    addFields(names, seq) {
      for (const name of names) {
        if (known.has(name)) continue;
        known.add(name);
        change(file)`INSERT OR IGNORE INTO field (name, seq) VALUES (${name}, ${seq})`;
      }
    },
    fieldsBefore(end) {
      const fields = select<{ name: string }>(file)`SELECT name FROM field WHERE seq < ${end}`;
      return new Set(fields.map(({ name }) => name));
    },
    addRejected: (seq) => change(file)`INSERT OR IGNORE INTO rejected (seq) VALUES (${seq})`,
    rejectedBetween: (from, to) =>
      numbers(file)`SELECT seq FROM rejected WHERE seq >= ${from} AND seq < ${to}`,
  };
}

/** The numbers of the rows that a query gives. */
function numbers(file: SqliteFile) {
  return (...query: Parameters<ReturnType<typeof select>>): Set<number> =>
    new Set(select<{ seq: number }>(file)(...query).map(({ seq }) => seq));
}

/** Spellings that are not asked about twice in a row; the table knows the others. */
const mostRecent = 1_000;

/** The distinct tag names of the input, without regard to case. */
export interface TagNames {
  /** Collects the tag names of a row, in the input's order; the first spelling stays. */
  addTags(names: readonly string[], seq: number): void;
  /** Those of the rows before `end`, each in its first spelling, in the order of the input. */
  tagNames(end?: number): Iterable<string>;
  /** How the input first spells a tag; the name itself where it never came. */
  tagSpelling(name: string): string;
}

export function tagNames(file: SqliteFile): TagNames {
  const recent = new Set<string>();
  return {
    addTags(names, seq) {
      for (const name of names) {
        if (recent.has(name)) continue;
        if (recent.size >= mostRecent) recent.clear();
        recent.add(name);
        change(file)`INSERT OR IGNORE INTO tag (folded, name, seq) VALUES (${folded(name)}, ${name}, ${seq})`;
      }
    },
    tagSpelling: (name) =>
      selectOne<{ name: string }>(file)`SELECT name FROM tag WHERE folded = ${folded(name)}`?.name ?? name,
    *tagNames(end = Number.MAX_SAFE_INTEGER) {
      // By pages: an open statement would keep everybody else from the file between two names.
      for (let done = 0; ; ) {
        const page = select<{ number: number; name: string }>(file)`
          SELECT number, name FROM tag WHERE number > ${done} AND seq < ${end} ORDER BY number LIMIT 500`;
        for (const { name } of page) yield name;
        const last = page.at(-1);
        if (last === undefined) return;
        done = last.number;
      }
    },
  };
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Phones that too many people of the input share to say who somebody is. */
export interface WeakPhones {
  isWeakPhone(phone: string): boolean;
  /** Takes a phone for weak that the input alone would not show to be; as `weakPhones` gives it. */
  addWeakPhone(phone: string): void;
  /** All of them, as they are compared, in order. */
  weakPhones(): Iterable<string>;
}

export function weakPhones(file: SqliteFile): WeakPhones {
  return {
    isWeakPhone(phone) {
      const digits = comparablePhone(phone);
      return digits !== null && selectOne(file)`SELECT 1 FROM weak WHERE phone = ${digits}` !== undefined;
    },
    addWeakPhone: (phone) => change(file)`INSERT OR IGNORE INTO weak (phone) VALUES (${phone})`,
    *weakPhones() {
      for (let last = ''; ; ) {
        const page = select<{ phone: string }>(file)`
          SELECT phone FROM weak WHERE phone > ${last} ORDER BY phone LIMIT 500`;
        for (const { phone } of page) yield phone;
        const end = page.at(-1);
        if (end === undefined) return;
        last = end.phone;
      }
    },
  };
}
