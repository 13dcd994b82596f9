import type { ExportColumnType } from '../../../src/model/export-record.ts';
import { type Cell, utf8 } from '../../exporters/records.ts';

/** What is wanted of a value in a column of a type, in the words of the readers of files. */
export function wantedCell(value: unknown, type: ExportColumnType): Cell {
  if (value === null || value === undefined) return { value: null, is: null };
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  switch (type) {
    case 'text':
      return { value, is: utf8(text) };
    case 'integer':
      return { value, is: BigInt(text), ...(digitsOf(text) > 15 && inSheetsText) };
    case 'number':
      return { value, is: Number(text), ...(digitsOf(text) > 15 && inSheetsText) };
    case 'boolean':
      return { value, is: text === 'true' };
    case 'moment':
    case 'date':
      // The days of spreadsheets begin in March 1900: the one before is another's leap day.
      return { value, is: new Date(text), ...(text < '1900-03-01' && inSheetsText) };
    case 'texts':
      return { value, is: value };
    case 'json':
      return { value, is: utf8(text) };
  }
}

const inSheetsText = { textInSheets: true } as const;

/** How many digits a number takes to be exact. */
function digitsOf(number: string): number {
  const digits = (number.split('e')[0] ?? '').replace(/\D/g, '');
  return (number.includes('.') ? digits : digits.replace(/0+$/, '')).length;
}
