import { type JournalFile, type RunRecord, rowSpan } from '../journal/index.ts';

const windowSize = 5_000;

/** Reads the items of a run window by window, so that neither memory nor the event loop feels how many there are. */
export async function* rowWindows<T>(
  file: JournalFile,
  run: RunRecord,
  read: (from: number, to: number) => readonly T[],
): AsyncIterable<readonly T[]> {
  // The rows of a selection lie scattered over the whole input.
  const { least, greatest } = rowSpan(file, run.number);
  for (let from = least ?? 0; from <= (greatest ?? -1); from += windowSize) {
    const rows = read(from, from + windowSize);
    if (rows.length > 0) yield rows;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
