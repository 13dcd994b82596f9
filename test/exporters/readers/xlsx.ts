import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { fromBuffer } from 'yauzl';
import { utf8 } from '../records.ts';
import { nameOf } from './csv.ts';
import { plainText } from './plain-text.ts';
import type { Reader } from './reader.ts';

export const xlsxReader: Reader = {
  shown({ value, is, inSheets, textInSheets }, type) {
    if (inSheets !== undefined) return inSheets;
    const typed = ['number', 'integer', 'boolean', 'moment', 'date'].includes(type);
    if (typed && is !== null && textInSheets !== true) return typeof is === 'bigint' ? Number(is) : is;
    return typeof value === 'string' && type !== 'json' ? whole(value) : plainText(value, type);
  },
  async read(folder, { kind }) {
    const parts = await unpacked(join(folder, `${nameOf(kind)}.xlsx`));
    const rows = cellsOf(parts.get('xl/worksheets/sheet1.xml') ?? '', parts.get('xl/styles.xml') ?? '');
    return { headings: (rows[0] ?? []).map(String), rows: rows.slice(1) };
  },
};

/** A workbook escapes half characters and keeps them, where UTF-8 cannot. */
function whole(text: string): string {
  const guarded = plainText(text, 'text') ?? '';
  return guarded === utf8(text) ? text : `'${text}`;
}

/** The parts of a workbook, by their names, in the order in which they are packed. */
export async function unpacked(path: string): Promise<ReadonlyMap<string, string>> {
  const zip = await new Promise<import('yauzl').ZipFile>((resolve, reject) => {
    fromBuffer(readFileSync(path), { lazyEntries: true }, (error, file) =>
      error ? reject(error) : resolve(file),
    );
  });
  const parts = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    zip.on('error', reject).on('end', () => resolve());
    zip.on('entry', (entry) => {
      zip.openReadStream(entry, (error, stream) => {
        if (error) return reject(error);
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece)).on('error', reject);
        stream.on('end', () => {
          parts.set(entry.fileName, Buffer.concat(pieces).toString());
          zip.readEntry();
        });
      });
    });
    zip.readEntry();
  });
  return parts;
}

/** The cells of a sheet by row, null where there is none. */
export function cellsOf(sheet: string, styles: string): unknown[][] {
  const days = dayStyles(styles);
  const rows: unknown[][] = [];
  let widest = 0;
  let attributes: Readonly<Record<string, string>> = {};
  let text = '';
  let inText = false;
  const parser = new SaxesParser();
  parser.on('opentag', (tag) => {
    if (tag.name === 'row') rows.push([]);
    if (tag.name === 'c') [attributes, text] = [Object.fromEntries(Object.entries(tag.attributes)), ''];
    inText = tag.name === 't' || tag.name === 'v';
  });
  parser.on('text', (piece) => {
    if (inText) text += piece;
  });
  parser.on('closetag', ({ name }) => {
    inText = false;
    if (name !== 'c') return;
    const at = columnOf(attributes.r ?? '');
    widest = Math.max(widest, at + 1);
    const row = rows.at(-1) ?? [];
    row[at] = cellValue(text, attributes, days);
  });
  parser.write(sheet).close();
  return rows.map((row) => Array.from({ length: widest }, (_, index) => row[index] ?? null));
}

function cellValue(
  text: string,
  { t, s }: Readonly<Record<string, string>>,
  days: ReadonlySet<string>,
): unknown {
  if (t === 'inlineStr') {
    return text.replace(/_x([0-9A-F]{4})_/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }
  if (t === 'b') return text === '1';
  if (!days.has(s ?? '0')) return Number(text);
  return new Date(Math.round((Number(text) - 25_569) * 86_400_000));
}

/** Which styles show a number as a day. */
function dayStyles(styles: string): ReadonlySet<string> {
  const [, formats = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/.exec(styles) ?? [];
  const ids = [...formats.matchAll(/numFmtId="(\d+)"/g)].map(([, id]) => Number(id));
  return new Set(ids.flatMap((id, index) => (id >= 164 ? [String(index)] : [])));
}

function columnOf(reference: string): number {
  const letters = reference.replace(/\d/g, '');
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
