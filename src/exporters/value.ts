import type { ColumnType, ExportColumn, ExportRecord } from '../model/export-record.ts';
import { FatalError } from '../model/fatal-error.ts';

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

const numeral = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const integral = /^[+-]?\d+$/;
const instant = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const largest = 2n ** 63n - 1n;

/** A number, also where it is written as a text; null for anything else. */
export function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && numeral.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** A whole number of 64 bits, also where it is written as a text; null for anything else. */
export function integerOf(value: unknown): bigint | null {
  const isWhole = typeof value === 'string' ? integral.test(value) : Number.isInteger(value);
  if (!isWhole || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const integer = BigInt(typeof value === 'string' ? value.replace('+', '') : value);
  return integer <= largest && integer >= -largest - 1n ? integer : null;
}

/** True or false, also where it is written as a text; null for anything else. */
export function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : null;
}

/** A moment of ISO 8601 with its zone; null for anything else, and for a day that no calendar has. */
export function timestampOf(value: unknown): Date | null {
  const written = typeof value === 'string' ? instant.exec(value) : null;
  if (written === null || dateOf(written[1]) === null) return null;
  const moment = new Date(written[0]);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** A day, as midnight in UTC; null for anything else. */
export function dateOf(value: unknown): Date | null {
  if (typeof value !== 'string' || !day.test(value)) return null;
  const date = new Date(`${value}T00:00:00Z`);
  // A 31st of February would become a 2nd of March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? date : null;
}

/** A list of texts; null for anything else. */
export function textsOf(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((each) => typeof each === 'string');
  return texts.length === value.length ? texts : null;
}

/** The object that a JSON text of an export holds. Throws a FatalError('input') where it holds none. */
export function storedObject(text: string, file: string, line: number): Readonly<Record<string, unknown>> {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw new FatalError(
    'input',
    `${file} was changed since it was exported: record ${line} is not a JSON object`,
    {
      place: { file, line },
      next: 'Restore the file, or make a new export.',
    },
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Names that differ also where capitals do not count, as databases want their columns: the second `Plan` becomes `Plan_2`. */
export function uniqueNames(names: readonly string[], taken: readonly string[] = []): readonly string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return names.map((name) => {
    let unique = name;
    for (let number = 2; used.has(unique.toLowerCase()); number += 1) unique = `${name}_${number}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}
