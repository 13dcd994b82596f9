import type { ColumnType, ExportRecord } from '../../model/export-record.ts';
import type { SqliteFile } from '../../storage/sqlite.ts';
import { booleanOf, integerOf, jsonOf, numberOf, textOf, valueAt } from '../value.ts';

export type SqlDatabase = SqliteFile;

/** What SQLite is given for a value. */
export type SqlValue = string | number | bigint | null;

/** A row as it was read. */
export type Row = Readonly<Record<string, unknown>>;

type StoredAs = 'integer' | 'real' | 'boolean' | 'text' | 'json';

/** A column of a table, and where its value stands in the normal form. */
export interface SqlColumn {
  readonly name: string;
  readonly path: readonly string[];
  readonly as: StoredAs;
}

const storedAs: { readonly [T in ColumnType]: StoredAs } = {
  text: 'text',
  integer: 'integer',
  number: 'real',
  boolean: 'boolean',
  moment: 'text',
  date: 'text',
  texts: 'json',
  json: 'json',
};

const declared: { readonly [S in StoredAs]: string } = {
  // Not INTEGER: as a key that would be the order of the rows, and theirs is that of the export.
  integer: 'INT',
  real: 'REAL',
  boolean: 'INT',
  text: 'TEXT',
  json: 'TEXT',
};

/** A column for values of a type. */
export function sqlColumn(name: string, path: readonly string[], type: ColumnType): SqlColumn {
  return { name, path, as: storedAs[type] };
}

/** The columns of a CREATE TABLE, with its key. */
export function declaredColumns(columns: readonly SqlColumn[], key: readonly string[]): string {
  const lines = columns.map(({ name, as }) => `${quoted(name)} ${declared[as]}`);
  return `${lines.join(', ')}, normal TEXT, given TEXT NOT NULL, PRIMARY KEY (${key.map(quoted).join(', ')})`;
}

/** The INSERT of a row with those columns, `normal` and `given`. */
export function insertInto(table: string, columns: readonly SqlColumn[], otherwise = ''): string {
  const names = [...columns.map(({ name }) => quoted(name)), 'normal', 'given'];
  return `INSERT ${otherwise} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
}

/** The values of a record for those columns; null where one is not of the column's type. */
export function storedValues(
  columns: readonly SqlColumn[],
  normal: ExportRecord['normal'],
): readonly SqlValue[] {
  return columns.map(({ path, as }) => stored(valueAt(normal, path), as));
}

/** The normal form again, as far as those columns hold it. */
export function restored(
  columns: readonly SqlColumn[],
  values: readonly unknown[],
): Readonly<Record<string, unknown>> {
  const whole = new Map<string, unknown>();
  const parts = new Map<string, [string, unknown][]>();
  columns.forEach(({ path: [outer = '', inner], as }, index) => {
    const value = restoredValue(values[index], as);
    if (inner === undefined) whole.set(outer, value);
    else parts.set(outer, [...(parts.get(outer) ?? []), [inner, value]]);
  });
  for (const [outer, entries] of parts) whole.set(outer, Object.fromEntries(entries));
  return Object.fromEntries(whole);
}

/** The text as SQLite can hold it: half a sign becomes a replacement sign. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** A name of a table or a column, as SQL has it. */
export function quoted(name: string): string {
  return `"${wellFormed(name).replaceAll('"', '""').replaceAll('\0', '\uFFFD')}"`;
}

function stored(value: unknown, as: StoredAs): SqlValue {
  if (value === null || value === undefined) return null;
  if (as === 'integer') {
    const integer = integerOf(value);
    return integer === null || !Number.isSafeInteger(Number(integer)) ? integer : Number(integer);
  }
  if (as === 'real') return numberOf(value);
  if (as === 'json') return jsonOf(value);
  if (as === 'boolean') {
    const known = booleanOf(value);
    return known === null ? null : Number(known);
  }
  const text = textOf(value);
  return text === null ? null : wellFormed(text);
}

function restoredValue(value: unknown, as: StoredAs): unknown {
  if (as === 'boolean' && typeof value === 'number') return value === 1;
  return as === 'json' && typeof value === 'string' ? JSON.parse(value) : value;
}
