import type { ExportColumnType } from '../../../src/model/export-record.ts';
import { escapeSheetFormula } from '../../../src/model/spreadsheet-guard.ts';
import { utf8 } from '../records.ts';

/** A value as one text, safe for spreadsheets; `guard` is that of the format. */
export function plainText(value: unknown, type: ExportColumnType, guard = escapeSheetFormula): string | null {
  if (
    value === null ||
    value === undefined ||
    (type !== 'json' && Array.isArray(value) && value.length === 0)
  )
    return null;
  // No JSON begins with what a spreadsheet runs.
  if (type === 'json') return guard(JSON.stringify(value));
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return guard(value.join(';'));
  return guard(typeof value === 'object' ? JSON.stringify(value) : utf8(String(value)));
}
