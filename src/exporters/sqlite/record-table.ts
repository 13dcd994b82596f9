import { isDeepStrictEqual } from 'node:util';
import type { ColumnType, ExportRecord, ExportTable } from '../../model/export-record.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import { booleanOf, integerOf, jsonOf, numberOf, textOf, valueAt } from '../value.ts';

/** What SQLite is given for a value. */
type SqlValue = string | number | bigint | null;

/** A row as it was read. */
export type Row = Readonly<Record<string, unknown>>;

/** A column of a table, and where its value stands in the normal form. */
export interface SqlColumn {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: ColumnType;
}

/** How one kind stands in the database. */
export interface TableLayout {
  readonly table: string;
  create(database: SqliteFile, table: ExportTable): RecordTable;
  /** The normal form out of a row whose `normal` is empty: what its columns, and the tables beside it, say. */
  restore(database: SqliteFile): (row: Row) => Row;
}

/** Writes the records of one kind, in the transaction of the caller. */
export interface RecordTable {
  insert(record: ExportRecord): void;
  /** Creates its indexes and views, when all is written. */
  complete(): void;
}

/** How values of a type stand in the database: as what, and how they get there and back. */
interface ColumnStorage {
  readonly declared: string;
  store(value: unknown): SqlValue;
  restore(value: unknown): unknown;
}

const text: ColumnStorage = {
  declared: 'TEXT',
  store(value) {
    const known = textOf(value);
    return known === null ? null : wellFormed(known);
  },
  restore: (value) => value,
};

const json: ColumnStorage = {
  declared: 'TEXT',
  store: jsonOf,
  restore: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
};

const storage: { readonly [T in ColumnType]: ColumnStorage } = {
  text,
  moment: text,
  date: text,
  json,
  texts: json,
  number: { ...text, declared: 'REAL', store: numberOf },
  integer: {
    ...text,
    // Not INTEGER: as a key that would be the order of the rows, and theirs is that of the export.
    declared: 'INT',
    store(value) {
      const integer = integerOf(value);
      return integer === null || !Number.isSafeInteger(Number(integer)) ? integer : Number(integer);
    },
  },
  boolean: {
    declared: 'INT',
    store(value) {
      const known = booleanOf(value);
      return known === null ? null : Number(known);
    },
    restore: (value) => (typeof value === 'number' ? value === 1 : value),
  },
};

/**
 * Creates a table of records, and gives what inserts one: its stored values, and its normal form as JSON where that cannot be
 * restored from them.
 */
export function recordTable(
  database: SqliteFile,
  table: string,
  columns: readonly SqlColumn[],
  key: string,
  otherwise = '',
): (values: readonly SqlValue[], record: ExportRecord, restorable?: unknown) => void {
  const names = [...columns.map(({ name }) => name), 'normal', 'given'].map(quoted);
  const declared = columns.map(({ type }, index) => `${names[index]} ${storage[type].declared}`);
  database.exec(
    `CREATE TABLE ${table} (${declared.join(', ')}, normal TEXT, given TEXT NOT NULL, PRIMARY KEY (${quoted(key)})) STRICT`,
  );
  const insert = database.prepare(
    `INSERT ${otherwise} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  return (values, { normal, given }, restorable) => {
    const whole = isDeepStrictEqual(restorable, normal) ? null : JSON.stringify(normal);
    insert.run(...values, whole, JSON.stringify(given));
  };
}

/** The values of a record for those columns; null where one is not of the column's type. */
export function storedValues(
  columns: readonly SqlColumn[],
  normal: ExportRecord['normal'],
): readonly SqlValue[] {
  return columns.map(({ path, type }) => storage[type].store(valueAt(normal, path)));
}

/** The normal form again, as far as those columns hold it. */
export function restored(columns: readonly SqlColumn[], values: readonly unknown[]): Row {
  const whole = new Map<string, unknown>();
  const parts = new Map<string, [string, unknown][]>();
  columns.forEach(({ path: [outer = '', inner], type }, index) => {
    const value = storage[type].restore(values[index]);
    if (inner === undefined) whole.set(outer, value);
    else parts.set(outer, [...(parts.get(outer) ?? []), [inner, value]]);
  });
  for (const [outer, entries] of parts) whole.set(outer, Object.fromEntries(entries));
  return Object.fromEntries(whole);
}

/** The text as SQLite can hold it: half a character becomes a replacement character. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** A name of a table or a column, as SQL has it. */
export function quoted(name: string): string {
  return `"${wellFormed(name).replaceAll('"', '""').replaceAll('\0', '\uFFFD')}"`;
}
