import type { ColumnType } from '../../model/export-record.ts';
import { guardCell } from '../../model/spreadsheet-guard.ts';
import { booleanOf, cellText, dateOf, numberOf, timestampOf } from '../value.ts';

/** What XML cannot hold, and a carriage return, which its readers make a line feed of. */
const unwritable = /[^\P{Cc}\t\n\u007F-\u009F]|[\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** An underscore that a workbook would take for the beginning of an escape. */
const escapeLike = /_(?=x[0-9A-Fa-f]{4}_)/g;

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** A text as XML of a workbook has it: what XML cannot hold is written `_x0000_`. */
export function xmlText(text: string): string {
  return text
    .replace(escapeLike, '_x005F_')
    .replace(
      unwritable,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>"]/g, (mark) => entities.get(mark) ?? mark);
}

/** Which format of the style sheet a cell refers to. */
export const style = { plain: 0, heading: 1, text: 2, date: 3, moment: 4 } as const;

/** The style sheet: a bold heading, texts that stay texts when they are edited, days and moments. */
export const stylesXml =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '</cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
  '</styleSheet>';

/** In UTF-16 units; a workbook with a longer text is called broken. */
const longestText = 32_767;
/** A workbook keeps 15 digits of a number, and the rest would be zeros. */
const mostDigits = 15;
const largestNumber = 9.999_999_999_999_99e307;

const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);
/** Before it the count of days is off by one: the 29th of February 1900 is counted, and never was. */
const firstExactDay = 61;
const lastDay = 2_958_466;

/** The XML of a cell; nothing at all where it is empty. */
export function cellXml(reference: string, value: unknown, type: ColumnType): string {
  const text = cellText(value, type);
  if (text === null) return '';
  return typedXml(reference, value, type) ?? textXml(reference, guardCell(text), style.text);
}

/** The XML of a cell of text. */
export function textXml(reference: string, text: string, styled: number): string {
  return `<c r="${reference}" s="${styled}" t="inlineStr"><is><t xml:space="preserve">${xmlText(truncated(text))}</t></is></c>`;
}

function typedXml(reference: string, value: unknown, type: ColumnType): string | null {
  if (type === 'number' || type === 'integer') return numberXml(reference, value);
  if (type === 'boolean') {
    const known = booleanOf(value);
    return known === null ? null : `<c r="${reference}" t="b"><v>${known ? 1 : 0}</v></c>`;
  }
  if (type === 'moment') return dayXml(reference, timestampOf(value), style.moment);
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
  if (days < firstExactDay || days >= lastDay) return null;
  return `<c r="${reference}" s="${styled}"><v>${days}</v></c>`;
}

function truncated(text: string): string {
  if (text.length <= longestText) return text;
  const note = ` … [cut by Longshore: a cell cannot hold all ${text.length} characters; csv, ndjson and sqlite can]`;
  return `${text.slice(0, longestText - note.length).replace(/[\uD800-\uDBFF]$/, '')}${note}`;
}
