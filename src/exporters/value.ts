import type { ColumnType, ExportColumn, ExportRecord } from '../model/export-record.ts';

/** What stands at a column's path; undefined where nothing does. */
export function valueAt(normal: ExportRecord['normal'], path: ExportColumn['path']): unknown {
  let value: unknown = normal;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/** A value as one text, as a cell shows it: a list of plain values joined by `;`, other objects as JSON; null where there is nothing. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length === 0) return null;
  if (Array.isArray(value) && value.every(isPlain)) return value.join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The same for a column of that type: one of JSON has JSON in every cell. */
export function cellText(value: unknown, type: ColumnType): string | null {
  return type === 'json' ? jsonOf(value) : textOf(value);
}

/** A value as compact JSON; null where there is nothing. */
export function jsonOf(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
