import { findRun, type JournalFile, type RunRecord } from '../../../journal/index.ts';
import { csvText, styleOfInput } from '../../../report/csv-list.ts';
import { keptPages, type NotReverted } from '../not-reverted.ts';

/** The columns of undo-kept.csv. */
export const undoKeptColumns = [
  'kind',
  'contactId',
  'identifier',
  '_sheet',
  '_line',
  'what',
  'why',
  'todo',
] as const;

/** The text of undo-kept.csv chunk by chunk: a line for everything that an undo left as it is; `count` hears each. */
export function undoKeptCsv(
  file: JournalFile,
  undo: RunRecord,
  count: (kept: NotReverted) => void,
): AsyncIterable<string> {
  const cells = (kept: NotReverted) => [
    kept.kind,
    kept.contact === null ? '' : String(kept.contact),
    kept.identifier ?? '',
    kept.sheet ?? '',
    kept.line === null ? '' : String(kept.line),
    kept.what,
    kept.why,
    kept.todo,
  ];
  // An undo has no input of its own: people know that of the run that it takes back.
  const undone = undo.undo && findRun(file, undo.undo.run);
  return csvText(undoKeptColumns, counted(keptPages(file, undo), count), cells, styleOfInput(undone ?? undo));
}

async function* counted(
  pages: AsyncIterable<readonly NotReverted[]>,
  count: (kept: NotReverted) => void,
): AsyncIterable<readonly NotReverted[]> {
  for await (const page of pages) {
    for (const kept of page) count(kept);
    yield page;
  }
}
