import { FatalError } from '../../model/fatal-error.ts';
import type { Row, Source } from '../../model/row.ts';
import { openSourceByFormat } from '../draft/input/found-input.ts';
import { getPartialReadMode, type OpenedInput, type PreviewInput } from './given-input.ts';
import { type PreviewRow, toPreviewRow } from './shown-row.ts';

/** Returns `places` positions in a file, each in [0, 1). */
export type PositionGenerator = (places: number) => readonly number[];

const goldenRatio = 0.618_033_988_749_895;

/** Returns a function whose positions are spread evenly for any seed in [0, 1), and differ with the seed. */
export function createSeededPositionGenerator(seed: number): PositionGenerator {
  return (places) => Array.from({ length: places }, (_, n) => (seed + n * goldenRatio) % 1);
}

const windowBytes = 32 * 1024;

/** Returns rows from all over a large file of lines, in order; null if its format cannot be read from the middle. */
export async function sampleRowsAcrossFile(
  { path, format, options, facts }: OpenedInput,
  { spoolDir }: PreviewInput,
  columns: readonly string[],
  { rows, spread }: { readonly rows: number; readonly spread: PositionGenerator },
  signal: AbortSignal,
): Promise<readonly PreviewRow[] | null> {
  if (getPartialReadMode(format) !== 'lines') return null;
  const hasHeader = facts.columns !== null && facts.detected?.header !== undefined;
  const stated = { ...facts.detected, ...options, ...(hasHeader && { header: columns }) };
  const found: PreviewRow[] = [];
  for (const place of spread(rows).toSorted((a, b) => a - b)) {
    // A multiple of 4 keeps the code units of UTF-16 and UTF-32 whole.
    const from = Math.floor((place * facts.bytes) / 4) * 4;
    const part = { from, to: Math.min(facts.bytes, from + windowBytes) };
    const row = await firstRow(openSourceByFormat(format, stated, { path, spoolDir, part }), signal);
    if (row !== null) found.push(toPreviewRow(row, columns, from / facts.bytes));
  }
  return found;
}

/**
 * Returns the first record that is a row; null if there is none. A part may begin or end within a record, so broken
 * records are skipped.
 */
async function firstRow(source: Source, signal: AbortSignal): Promise<Row | null> {
  try {
    for await (const items of source.read(0, signal)) {
      const row = items.find((item) => item.kind === 'row');
      if (row !== undefined) return row;
    }
  } catch (error) {
    // A part may end within quotes although the file does not.
    if (!(error instanceof FatalError) || error.reason !== 'input') throw error;
  }
  return null;
}
