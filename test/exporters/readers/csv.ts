import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { escapeCsvFormula } from '../../../src/model/spreadsheet-guard.ts';
import { plainText } from './plain-text.ts';
import type { Reader } from './reader.ts';

export const csvReader: Reader = {
  shown: ({ value }, type) => plainText(value, type, escapeCsvFormula),
  async read(folder, { kind }) {
    const text = readFileSync(join(folder, `${nameOf(kind)}.csv`), 'utf8');
    const rows: unknown[][] = parse(text, {
      record_delimiter: '\n',
      cast: (cell, { quoting }) => (cell === '' && !quoting ? null : cell),
    });
    return { headings: (rows[0] ?? []).map(String), rows: rows.slice(1) };
  },
};

/** `closingNotes` are in `closing-notes.csv`. */
export function nameOf(kind: string): string {
  return kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
