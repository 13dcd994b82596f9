import type { ExportColumn, ExportColumnType, ExportRecord } from '../model/export-record.ts';
import { FatalError } from '../model/fatal-error.ts';

/** Returns the value at a path; undefined for a missing one. */
export function readRecordValue(normal: ExportRecord['normal'], path: ExportColumn['path']): unknown {
  let value: unknown = normal;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

/**
 * Returns a value as the text of a cell: lists of plain values joined by `;`, other objects as JSON; null for a
 * missing value or an empty list.
 */
export function toCellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.length === 0) return null;
  if (Array.isArray(value) && value.every(isPlain)) return value.join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/**
 * Returns a value as the text of a cell: as JSON for a column of type `json`, else as `toCellText` does; null for a
 * missing value.
 */
export function toTypedCellText(value: unknown, type: ExportColumnType): string | null {
  return type === 'json' ? toCompactJson(value) : toCellText(value);
}

/** Returns a value as compact JSON; null for a missing value. */
export function toCompactJson(value: unknown): string | null {
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

/** Converts a number or a numeric text to a number; null for anything else. */
export function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && numeral.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Converts an integer or its text to a bigint of at most 64 bits; null for anything else. */
export function toInteger(value: unknown): bigint | null {
  const isWhole = typeof value === 'string' ? integral.test(value) : Number.isInteger(value);
  if (!isWhole || (typeof value !== 'string' && typeof value !== 'number')) return null;
  const integer = BigInt(typeof value === 'string' ? value.replace('+', '') : value);
  return integer <= largest && integer >= -largest - 1n ? integer : null;
}

/** Converts a boolean, or the text `true` or `false`, to a boolean; null for anything else. */
export function toBoolean(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : null;
}

/** Parses an ISO 8601 timestamp with a zone; null for anything else and for dates that do not exist. */
export function toTimestamp(value: unknown): Date | null {
  const written = typeof value === 'string' ? instant.exec(value) : null;
  if (written === null || toDate(written[1]) === null) return null;
  const moment = new Date(written[0]);
  return Number.isNaN(moment.getTime()) ? null : moment;
}

/** Parses a date (yyyy-mm-dd) to midnight in UTC; null for anything else. */
export function toDate(value: unknown): Date | null {
  if (typeof value !== 'string' || !day.test(value)) return null;
  const date = new Date(`${value}T00:00:00Z`);
  // Date would read 31 February as 2 March.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value) ? date : null;
}

/** Returns a value if it is a list of texts; null for anything else. */
export function toTextList(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.filter((each) => typeof each === 'string');
  return texts.length === value.length ? texts : null;
}

/** Parses the JSON object of a record; throws a FatalError('input') if it is not one. */
export function parseStoredObject(
  text: string,
  file: string,
  line: number,
): Readonly<Record<string, unknown>> {
  const value = parsed(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value));
  }
  throw createChangedRecordError(file, line, 'is not a JSON object');
}

/** Returns the FatalError('input') for a record that was changed after its export. */
export function createChangedRecordError(file: string, line: number, what: string): FatalError {
  return new FatalError('input', `${file} was changed since it was exported: record ${line} ${what}`, {
    place: { file, line },
    next: 'Restore the file, or make a new export.',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Makes names unique, ignoring case as databases do: the second `Plan`, or one that is in `taken`, becomes `Plan_2`.
 */
export function makeNamesUnique(names: readonly string[], taken: readonly string[] = []): readonly string[] {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return names.map((name) => {
    let unique = name;
    for (let number = 2; used.has(unique.toLowerCase()); number += 1) unique = `${name}_${number}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}
