import type { JournalFile, RunRecord } from '../journal/index.ts';
import { type Kept, keptPages } from '../runs/undo/kept.ts';
import { csvText } from './csv-list.ts';

/** The columns of undo-kept.csv. */
export const undoKeptColumns = ['kind', 'contactId', 'identifier', '_line', 'what', 'why', 'todo'] as const;

/** The text of undo-kept.csv chunk by chunk: a line for everything that an undo left as it is; `count` hears each. */
export function undoKeptCsv(
  file: JournalFile,
  undo: RunRecord,
  count: (kept: Kept) => void,
): AsyncIterable<string> {
  return csvText(undoKeptColumns, counted(keptPages(file, undo), count), (kept) => [
    kept.kind,
    kept.contact === null ? '' : String(kept.contact),
    kept.identifier ?? '',
    kept.line === null ? '' : String(kept.line),
    kept.what,
    kept.why,
    kept.todo,
  ]);
}

async function* counted(
  pages: AsyncIterable<readonly Kept[]>,
  count: (kept: Kept) => void,
): AsyncIterable<readonly Kept[]> {
  for await (const page of pages) {
    for (const kept of page) count(kept);
    yield page;
  }
}
