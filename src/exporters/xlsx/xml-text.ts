/** What XML cannot hold, and a carriage return, which its readers make a line feed of. */
const unwritable = /[^\P{Cc}\t\n\u007F-\u009F]|[\uFFFE\uFFFF]|\p{Surrogate}/gu;

/** An underscore that a workbook would take for the beginning of an escape. */
const misleading = /_(?=x[0-9A-Fa-f]{4}_)/g;

const marks = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
]);

/** A text as XML of a workbook has it: what XML cannot hold is written `_x0000_`. */
export function xmlText(text: string): string {
  return text
    .replace(misleading, '_x005F_')
    .replace(unwritable, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replace(/[&<>"]/g, (mark) => marks.get(mark) ?? mark);
}
