import { isDeepStrictEqual } from 'node:util';
import type { ExportColumnType, ExportRecord, ExportTable } from '../../model/export-record.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import { readRecordValue, toBoolean, toCellText, toCompactJson, toInteger, toNumber } from '../value.ts';

/** A value as stored in SQLite. */
type SqlValue = string | number | bigint | null;

/** A row as read from the database. */
export type DatabaseRow = Readonly<Record<string, unknown>>;

/** A column of a table, with the path of its value in the normal form. */
export interface SqlColumn {
  readonly name: string;
  readonly path: readonly string[];
  readonly type: ExportColumnType;
}

/** The table of one kind of records: its name, how it is created, and how its rows are restored. */
export interface RecordTableLayout {
  readonly table: string;
  create(database: SqliteConnection, table: ExportTable): RecordTableWriter;
  /** Restores the normal form of a row without `normal`, from its columns and related tables. */
  restore(database: SqliteConnection): (row: DatabaseRow) => DatabaseRow;
}

/** Writes the records of one kind, in the caller's transaction. */
export interface RecordTableWriter {
  insert(record: ExportRecord): void;
  /** Creates the indexes and views, after the last record. */
  complete(): void;
}

/** The SQL type of a column, and the conversion of its values to and from it. */
interface ColumnStorage {
  readonly declared: string;
  store(value: unknown): SqlValue;
  restore(value: unknown): unknown;
}

const text: ColumnStorage = {
  declared: 'TEXT',
  store(value) {
    const known = toCellText(value);
    return known === null ? null : replaceLoneSurrogates(known);
  },
  restore: (value) => value,
};

const json: ColumnStorage = {
  declared: 'TEXT',
  store: toCompactJson,
  restore: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
};

const storage: { readonly [T in ExportColumnType]: ColumnStorage } = {
  text,
  moment: text,
  date: text,
  json,
  texts: json,
  number: { ...text, declared: 'REAL', store: toNumber },
  integer: {
    ...text,
    // Not INTEGER: an INTEGER key would take the place of the rowid, which records the order of the export.
    declared: 'INT',
    store(value) {
      const integer = toInteger(value);
      return integer === null || !Number.isSafeInteger(Number(integer)) ? integer : Number(integer);
    },
  },
  boolean: {
    declared: 'INT',
    store(value) {
      const known = toBoolean(value);
      return known === null ? null : Number(known);
    },
    restore: (value) => (typeof value === 'number' ? value === 1 : value),
  },
};

/**
 * Creates a table of records, and returns the function that inserts a record: its column values, its normal form as
 * JSON, and `given` as JSON. The normal form is stored as null if it equals `restorable`, the form that can be restored
 * from the columns. `otherwise` is the conflict clause of the INSERT.
 */
export function createTableWithInserter(
  database: SqliteConnection,
  table: string,
  columns: readonly SqlColumn[],
  key: string,
  otherwise = '',
): (values: readonly SqlValue[], record: ExportRecord, restorable?: unknown) => void {
  const names = [...columns.map(({ name }) => name), 'normal', 'given'].map(quoteSqlName);
  const declared = columns.map(({ type }, index) => `${names[index]} ${storage[type].declared}`);
  database.exec(
    `CREATE TABLE ${table} (${declared.join(', ')}, normal TEXT, given TEXT NOT NULL, PRIMARY KEY (${quoteSqlName(key)})) STRICT`,
  );
  const insert = database.prepare(
    `INSERT ${otherwise} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  return (values, { normal, given }, restorable) => {
    const whole = isDeepStrictEqual(restorable, normal) ? null : JSON.stringify(normal);
    insert.run(...values, whole, JSON.stringify(given));
  };
}

/** Returns the stored values of a record; null for a value that does not fit its column's type. */
export function toStoredValues(
  columns: readonly SqlColumn[],
  normal: ExportRecord['normal'],
): readonly SqlValue[] {
  return columns.map(({ path, type }) => storage[type].store(readRecordValue(normal, path)));
}

/** Restores the normal form from the stored values of the columns, in their order. */
export function restoreNormalForm(columns: readonly SqlColumn[], values: readonly unknown[]): DatabaseRow {
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

/** Replaces lone surrogates, which SQLite cannot store. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** Quotes a name for SQL. */
export function quoteSqlName(name: string): string {
  return `"${replaceLoneSurrogates(name).replaceAll('"', '""').replaceAll('\0', '\uFFFD')}"`;
}
