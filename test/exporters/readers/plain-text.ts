import { guardCell } from '../../../src/model/spreadsheet-guard.ts';
import { utf8 } from '../records.ts';

/** A value as one text, safe for spreadsheets. */
export function plainText(value: unknown): string | null {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return null;
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return guardCell(value.join(';'));
  return guardCell(typeof value === 'object' ? JSON.stringify(value) : utf8(String(value)));
}
