import type { encodingShares } from './shares.ts';

export type Encoding = keyof typeof encodingShares;

/** The characters of windows-1252 that are not those of Latin-1, from 0x80 on; a blank is none. */
const windows1252 = new Map(
  [...'€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'].flatMap((sign, at) =>
    sign === ' ' ? [] : [[sign, 0x80 + at] as const],
  ),
);

/** The bytes of a text; undefined where the encoding does not have one of its characters. */
export function encoded(text: string, encoding: Encoding): Buffer | undefined {
  if (encoding === 'utf8') return Buffer.from(text);
  if (encoding === 'utf8Bom') return Buffer.from(`\ufeff${text}`);
  if (encoding === 'utf16') return Buffer.from(`\ufeff${text}`, 'utf16le');
  const bytes: number[] = [];
  for (const sign of text) {
    const code = sign.codePointAt(0) ?? 0;
    const byte = code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : windows1252.get(sign);
    if (byte === undefined) return undefined;
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}

/** The lines of a list of cells, and the line at which each of them begins. */
export function delimited(
  rows: readonly (readonly string[])[],
  delimiter: string,
  lineEnd: string,
): { readonly text: string; readonly lines: readonly number[] } {
  const lines: number[] = [];
  let line = 1;
  const written = rows.map((row) => {
    lines.push(line);
    const text = row.map((cell) => quoted(cell, delimiter)).join(delimiter);
    line += text.split(/\r\n|\n/).length;
    return text;
  });
  return { text: `${written.join(lineEnd)}${lineEnd}`, lines };
}

function quoted(cell: string, delimiter: string): string {
  const needed = cell.includes(delimiter) || /["\n\r]|^\s|\s$/.test(cell);
  return needed ? `"${cell.replaceAll('"', '""')}"` : cell;
}
