import type { SourceItem } from '../../model/row.ts';
import type { WholeInput } from './given-input.ts';

/** The progress of reading all rows. */
export interface ReadingProgress {
  readonly rows: number;
  /** From 0 to 1. */
  readonly share: number;
  readonly done: boolean;
}

const first = 1_000;
const step = 25_000;

/**
 * Passes each item of an input to `take`, and the progress to `tell`: after 1,000 rows, then at growing steps of up to
 * 25,000, and at the end.
 */
export async function visitAllRows(
  input: WholeInput,
  take: (item: SourceItem, seq: number) => void,
  tell: (progress: ReadingProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  let rows = 0;
  let next = first;
  for await (const items of input.source.read(0, signal)) {
    for (const item of items) {
      take(item, rows);
      rows += 1;
    }
    signal.throwIfAborted();
    if (rows < next) continue;
    next = rows + Math.min(rows, step);
    tell({ rows, share: input.share(rows), done: false });
  }
  tell({ rows, share: 1, done: true });
}
