import { hash } from 'node:crypto';
import type { SourceItem } from '../../model/row.ts';

/**
 * Hashes the content of a row: its filled cells with their columns, or the raw text of a row that could not be read.
 * Empty cells and the order of the columns make no difference. Returns null for a filtered row.
 */
export function hashRowContent(item: SourceItem): string | null {
  switch (item.kind) {
    case 'filtered':
      return null;
    case 'broken':
      return digest(['raw', item.raw]);
    case 'row': {
      const filled = item.entries().filter(([, cell]) => cell !== null && cell !== '');
      return digest(filled.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    }
  }
}

/** Parses the `_row` of a rejects.csv, `<run>:<hash>`; undefined for any other text. */
export function parseRowOrigin(text: string): { readonly run: string; readonly hash: string } | undefined {
  const [, run = '', hash = ''] = /^(.+):([\w-]+)$/.exec(text) ?? [];
  return hash === '' ? undefined : { run, hash };
}

/** Returns a hash of 96 bits: in practice no two of five million different rows have the same one. */
function digest(content: unknown): string {
  return hash('sha256', JSON.stringify(content), 'base64url').slice(0, 16);
}
