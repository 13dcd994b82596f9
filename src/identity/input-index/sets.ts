import type { Identifier } from '../../model/identifier.ts';
import { normaliseRowPlace, type RowPlace } from '../../model/row-place.ts';
import { nullableColumn, numberColumn, textColumn } from '../../storage/columns.ts';
import { iteratePages, queryPageSize } from '../../storage/pages.ts';
import { hasRow, runSql, select, selectCount, selectOne } from '../../storage/sql.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { toComparableFurther, toComparablePhone } from '../comparable.ts';

/**
 * Creates the store of former identities: those that people of the input had at their last import and have lost since.
 */
export function createFormerIdentityStore(file: SqliteConnection) {
  let isEmpty: boolean | undefined;
  return {
    /** Records a former identity (a hash) of the person of a row. */
    addMoved: (identity: string, seq: number): void =>
      runSql(file)`REPLACE INTO moved (identity, seq) VALUES (${identity}, ${seq})`,
    /** Returns the last row whose person had this identity before; undefined if there is none. */
    movedFrom(identity: string): number | undefined {
      isEmpty ??= !hasRow(file)`SELECT 1 FROM moved LIMIT 1`;
      if (isEmpty) return undefined;
      return selectOne(file, { seq: numberColumn })`SELECT seq FROM moved WHERE identity = ${identity}`?.seq;
    },
  };
}

/** Creates the store of the rows that a run is limited to; it is empty whenever the index is opened. */
export function createRowSelectionStore(file: SqliteConnection) {
  return {
    select: (seq: number): void => runSql(file)`INSERT OR IGNORE INTO scratch.selected (seq) VALUES (${seq})`,
    selectedBetween: (from: number, to: number): Set<number> =>
      numbers(file)`SELECT seq FROM scratch.selected WHERE seq >= ${from} AND seq < ${to} ORDER BY seq`,
    selectedCount: (): number => selectCount(file)`SELECT count(*) AS n FROM scratch.selected`,
  };
}

const rejected = { seq: numberColumn, line: numberColumn, sheet: nullableColumn(textColumn) };

/** Creates the store of the custom fields that rows have values for, and of the rejected rows. */
export function createFieldAndRejectedRowStore(file: SqliteConnection) {
  // Saves a statement per row: a mapping has a few custom fields, and a file millions of rows.
  const known = new Set<string>();
  return {
    /** Records that a row has values for these custom fields; call it in the input's order. */
    addFields(names: readonly string[], seq: number): void {
      for (const name of names) {
        if (known.has(name)) continue;
        known.add(name);
        runSql(file)`INSERT OR IGNORE INTO field (name, seq) VALUES (${name}, ${seq})`;
      }
    },
    /** Returns the custom fields that rows before `end` have values for. */
    fieldsBefore(end: number): ReadonlySet<string> {
      const fields = select(file, { name: textColumn })`SELECT name FROM field WHERE seq < ${end}`;
      return new Set(fields.map(({ name }) => name));
    },
    /** Records that the mapping rejects a row, or that the row cannot be read. */
    addRejected: (seq: number, { line, sheet = null }: RowPlace): void =>
      runSql(file)`INSERT OR IGNORE INTO rejected (seq, line, sheet) VALUES (${seq}, ${line}, ${sheet})`,
    /** Returns the places of the rejected rows among the rows [from, to), by row. */
    rejectedBetween: (from: number, to: number): ReadonlyMap<number, RowPlace> =>
      new Map(
        select(file, rejected)`
          SELECT seq, line, sheet FROM rejected WHERE seq >= ${from} AND seq < ${to}`.map(
          ({ seq, ...row }) => [seq, normaliseRowPlace(row)],
        ),
      ),
  };
}

/** Returns a query function whose result is the set of row numbers. */
function numbers(file: SqliteConnection) {
  return (...query: Parameters<ReturnType<typeof select>>): Set<number> =>
    new Set(select(file, { seq: numberColumn })(...query).map(({ seq }) => seq));
}

/** The most spellings kept in memory to save statements; the table has all of them. */
const mostRecent = 1_000;

/** Creates the store of the distinct tag names of the input, without regard to case. */
export function createTagNameStore(file: SqliteConnection) {
  const recent = new Set<string>();
  return {
    /** Adds the tag names of a row; call it in the input's order: the first spelling is kept. */
    addTags(names: readonly string[], seq: number): void {
      for (const name of names) {
        if (recent.has(name)) continue;
        if (recent.size >= mostRecent) recent.clear();
        recent.add(name);
        runSql(file)`INSERT OR IGNORE INTO tag (folded, name, seq) VALUES (${folded(name)}, ${name}, ${seq})`;
      }
    },
    /** Returns the first spelling of a tag in the input; the name itself if the input does not have it. */
    tagSpelling: (name: string): string =>
      selectOne(file, { name: textColumn })`SELECT name FROM tag WHERE folded = ${folded(name)}`?.name ??
      name,
    /** Yields the tag names of the rows before `end`, each in its first spelling, in the order of the input. */
    *tagNames(end = Number.MAX_SAFE_INTEGER): Generator<string> {
      const pages = iteratePages(
        (last?: { number: number; name: string }) => select(file, { number: numberColumn, name: textColumn })`
          SELECT number, name FROM tag WHERE number > ${last?.number ?? 0} AND seq < ${end}
          ORDER BY number LIMIT ${queryPageSize}`,
      );
      for (const page of pages) for (const { name } of page) yield name;
    },
  };
}

function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** Creates the reader of further e-mails and phones that too many people have for them to identify one. */
export function createCrowdedValueReader(file: SqliteConnection) {
  let isEmpty: boolean | undefined;
  return (further: Identifier): boolean => {
    isEmpty ??= !hasRow(file)`SELECT 1 FROM crowded LIMIT 1`;
    if (isEmpty) return false;
    const [value] = toComparableFurther([further]);
    return value !== undefined && hasRow(file)`SELECT 1 FROM crowded WHERE value = ${value}`;
  };
}

/** Creates the store of weak phones: too many people share such a phone for it to identify one of them. */
export function createWeakPhoneStore(file: SqliteConnection) {
  let isEmpty: boolean | undefined;
  return {
    isWeakPhone(phone: string): boolean {
      isEmpty ??= !hasRow(file)`SELECT 1 FROM weak LIMIT 1`;
      if (isEmpty) return false;
      const digits = toComparablePhone(phone);
      return digits !== null && hasRow(file)`SELECT 1 FROM weak WHERE phone = ${digits}`;
    },
    /**
     * Adds a phone, in comparable form, that is weak according to earlier runs: the file of a retry may have too few
     * rows to show it.
     */
    addWeakPhone: (phone: string): void => runSql(file)`INSERT OR IGNORE INTO weak (phone) VALUES (${phone})`,
    /** Yields all weak phones in comparable form, in ascending order. */
    *weakPhones(): Generator<string> {
      const pages = iteratePages(
        (last?: { phone: string }) => select(file, { phone: textColumn })`
          SELECT phone FROM weak WHERE phone > ${last?.phone ?? ''} ORDER BY phone LIMIT ${queryPageSize}`,
      );
      for (const page of pages) for (const { phone } of page) yield phone;
    },
  };
}
