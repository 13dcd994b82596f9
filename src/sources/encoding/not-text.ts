import { refused } from '../plain-file.ts';

const exportAgain = 'Use the exported file, or set the right "format".';
const saveAs = 'Open it in a spreadsheet program and save it as .xlsx, without a password.';

/** How files begin that people mistake for text, in the characters of latin-1. */
const others: readonly (readonly [begins: string, what: string, next: string])[] = [
  ['\x89PNG\r\n', 'is a PNG image, not text', exportAgain],
  ['\xff\xd8\xff', 'is a JPEG image, not text', exportAgain],
  ['GIF89a', 'is a GIF image, not text', exportAgain],
  ['%PDF-', 'is a PDF, not text', 'Export the rows themselves, for example as CSV.'],
  ['\x7fELF', 'is a program, not text', exportAgain],
  ['PAR1\x15', 'is a Parquet file, not text', 'Export it again, for example as CSV.'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'is an old workbook (.xls), or one with a password', saveAs],
  ['SQLite format 3\0', 'is a SQLite file, not text', 'Set "format: sqlite".'],
  [
    'PGDMP',
    "is in pg_dump's custom format, not text",
    'Convert it to plain text: pg_restore --file=dump.sql <file>.',
  ],
];
const webPage = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b/i;

/** So many bytes of a file show that it is no text. */
export const notTextBytes = 4096;

const mostStrangeKinds = 7;

/** Throws a FatalError('input') where a file begins as one of another kind does. */
export function assertNoOtherKind(head: Buffer, name: string): void {
  const characters = head.toString('latin1');
  const found = others.find(([begins]) => characters.startsWith(begins));
  if (found !== undefined) throw refused(name, found[1], found[2]);
  if (!webPage.test(characters)) return;
  const next =
    'Download or export it again; if a spreadsheet program opens it, save it there as .xlsx and set "format: xlsx".';
  throw refused(name, 'is a web page (HTML)', next);
}

/** Throws a FatalError('input') where the beginning of a file is no text in this encoding. */
export function assertText(head: Buffer, encoding: string, name: string): void {
  // There, any byte may be half a character.
  if (/^utf-(?:16|32)/.test(encoding)) return;
  const found = head.filter(isStrange);
  if (new Set(found).size <= mostStrangeKinds || found.length * 100 < head.length) return;
  throw refused(name, 'is binary, not text', exportAgain);
}

/** Whether a byte is a control character that no text has: not a blank, not an escape, none that exports part cells with. */
function isStrange(byte: number): boolean {
  return byte > 1 && byte < 0x1b && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x14;
}
