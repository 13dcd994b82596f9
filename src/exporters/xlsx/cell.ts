import type { ExportColumnType } from '../../model/export-record.ts';
import { escapeSheetFormula } from '../../model/spreadsheet-guard.ts';
import { toBoolean, toDate, toNumber, toTimestamp, toTypedCellText } from '../value.ts';

/** Characters that XML cannot hold, and the carriage return, which XML parsers convert. */
const unwritable = /[^\P{Cc}\t\n\u007F-\u009F]|[\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** An underscore that begins an escape in a workbook. */
const escapeLike = /_(?=x[0-9A-Fa-f]{4}_)/g;

const entities = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** Escapes text for a workbook's XML: characters that XML cannot hold become `_xHHHH_`. */
export function escapeXmlText(text: string): string {
  return text
    .replace(escapeLike, '_x005F_')
    .replace(
      unwritable,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    )
    .replace(/[&<>"]/g, (mark) => entities.get(mark) ?? mark);
}

/** The indexes of the cell formats in the style sheet. */
export const xlsxCellStyles = { plain: 0, heading: 1, text: 2, date: 3, moment: 4 } as const;

/** The style sheet: a bold heading, texts that stay texts when edited, dates and timestamps. */
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

/** The longest text of a cell, in UTF-16 units; spreadsheet programs reject longer ones. */
const longestText = 32_767;
/** The number of significant digits that a workbook keeps; a number with more is written as text. */
const mostDigits = 15;
const largestNumber = 9.999_999_999_999_99e307;

const dayMs = 86_400_000;
const firstDay = Date.UTC(1899, 11, 30);
/** Earlier serial numbers are off by one: they count 29 February 1900, which did not exist. */
const firstExactDay = 61;
const lastDay = 2_958_466;

/** Returns the XML of a cell, as text if the value does not fit its type; '' for an empty cell. */
export function formatCellXml(reference: string, value: unknown, type: ExportColumnType): string {
  const text = toTypedCellText(value, type);
  if (text === null) return '';
  return (
    typedXml(reference, value, type) ??
    formatTextCellXml(reference, escapeSheetFormula(text), xlsxCellStyles.text)
  );
}

/** Returns the XML of a text cell, cut at the limit; `styled` is an index of `xlsxCellStyles`. */
export function formatTextCellXml(reference: string, text: string, styled: number): string {
  return `<c r="${reference}" s="${styled}" t="inlineStr"><is><t xml:space="preserve">${escapeXmlText(truncated(text))}</t></is></c>`;
}

function typedXml(reference: string, value: unknown, type: ExportColumnType): string | null {
  if (type === 'number' || type === 'integer') return numberXml(reference, value);
  if (type === 'boolean') {
    const known = toBoolean(value);
    return known === null ? null : `<c r="${reference}" t="b"><v>${known ? 1 : 0}</v></c>`;
  }
  if (type === 'moment') return dayXml(reference, toTimestamp(value), xlsxCellStyles.moment);
  return type === 'date' ? dayXml(reference, toDate(value), xlsxCellStyles.date) : null;
}

function numberXml(reference: string, value: unknown): string | null {
  const number = toNumber(value);
  if (number === null || Math.abs(number) > largestNumber || digitsOf(String(value)) > mostDigits)
    return null;
  return `<c r="${reference}"><v>${number}</v></c>`;
}

/** Counts the significant digits. */
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
