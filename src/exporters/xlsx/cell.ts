import type { ColumnType } from '../../model/export-record.ts';
import { guardCell } from '../../model/spreadsheet-guard.ts';
import { booleanOf, dateOf, momentOf, numberOf } from '../typed-value.ts';
import { cellText } from '../value.ts';
import { style } from './styles.ts';
import { xmlText } from './xml-text.ts';

/** In UTF-16 units; a workbook with a longer text is called broken. */
const longestText = 32_767;
/** A workbook keeps 15 digits of a number, and the rest would be zeros. */
const mostDigits = 15;
const largestNumber = 9.999_999_999_999_99e307;

const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);
/** Before it the count of days is off by one: the 29th of February 1900 is counted, and never was. */
const firstSoundDay = 61;
const lastDay = 2_958_466;

/** The XML of a cell; nothing at all where it is empty. */
export function cellXml(reference: string, value: unknown, type: ColumnType): string {
  const text = cellText(value, type);
  if (text === null) return '';
  return typedXml(reference, value, type) ?? textXml(reference, guardCell(text), style.text);
}

/** The XML of a cell of text. */
export function textXml(reference: string, text: string, styled: number): string {
  return `<c r="${reference}" s="${styled}" t="inlineStr"><is><t xml:space="preserve">${xmlText(fitting(text))}</t></is></c>`;
}

function typedXml(reference: string, value: unknown, type: ColumnType): string | null {
  if (type === 'number' || type === 'integer') return numberXml(reference, value);
  if (type === 'boolean') {
    const known = booleanOf(value);
    return known === null ? null : `<c r="${reference}" t="b"><v>${known ? 1 : 0}</v></c>`;
  }
  if (type === 'moment') return dayXml(reference, momentOf(value), style.moment);
  return type === 'date' ? dayXml(reference, dateOf(value), style.date) : null;
}

function numberXml(reference: string, value: unknown): string | null {
  const number = numberOf(value);
  if (number === null || Math.abs(number) > largestNumber || digitsOf(String(value)) > mostDigits)
    return null;
  return `<c r="${reference}"><v>${number}</v></c>`;
}

/** Digits that count: without leading zeros, those at the end, the point and the exponent. */
function digitsOf(numeral: string): number {
  const [mantissa = ''] = numeral.split(/e/i);
  return mantissa.replace(/\D/g, '').replace(/^0+|0+$/g, '').length;
}

function dayXml(reference: string, moment: Date | null, styled: number): string | null {
  if (moment === null) return null;
  const days = (moment.getTime() - firstDay) / dayMs;
  if (days < firstSoundDay || days >= lastDay) return null;
  return `<c r="${reference}" s="${styled}"><v>${days}</v></c>`;
}

function fitting(text: string): string {
  if (text.length <= longestText) return text;
  const note = ` … [cut by Longshore: a cell cannot hold all ${text.length} characters; csv, ndjson and sqlite can]`;
  return `${text.slice(0, longestText - note.length).replace(/[\uD800-\uDBFF]$/, '')}${note}`;
}
