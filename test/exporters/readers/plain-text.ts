import type { ColumnType } from '../../../src/model/export-record.ts';
import { guardCell } from '../../../src/model/spreadsheet-guard.ts';
import { utf8 } from '../records.ts';

/** A value as one text, safe for spreadsheets. */
export function plainText(value: unknown, type: ColumnType): string | null {
  if (
    value === null ||
    value === undefined ||
    (type !== 'json' && Array.isArray(value) && value.length === 0)
  )
    return null;
  if (type === 'json') return JSON.stringify(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return guardCell(value.join(';'));
  return guardCell(typeof value === 'object' ? JSON.stringify(value) : utf8(String(value)));
}
