import { goneAfter, type JournalFile, type Known, type RunRecord } from '../journal/index.ts';
import type { RowCounts } from '../model/outcome.ts';
import { csvText, pagesOf } from './csv-list.ts';

/** The columns of gone.csv. */
export const goneColumns = ['_key', 'contactId', 'identifier', 'lastLine'];

/** Whether the run has seen its whole input, so that a key which it did not meet is surely not there. */
export function sawWholeInput(run: RunRecord, { notReached }: RowCounts): boolean {
  return run.state === 'finished' && run.selection.kind === 'all' && notReached === 0;
}

/** The text of gone.csv piece by piece: the keys that earlier runs knew and this run's input has no more. */
export function goneCsv(file: JournalFile, run: RunRecord): AsyncIterable<string> {
  const scope = { workspace: run.workspace, mapping: run.mappingName };
  const pages = pagesOf<Known>((after, limit) => goneAfter(file, scope, run.number, after?.key ?? '', limit));
  return csvText(goneColumns, pages, ({ key, contact, identifiers, line }) => {
    const ofSource = /^key:(.*)$/s.exec(key)?.[1];
    const byContact = contact === null ? undefined : `id:${contact}`;
    return [
      ofSource ?? '',
      contact === null ? '' : String(contact),
      // Without a key of its own a row is remembered by its identity, which then is all that can be said of it.
      ofSource === undefined ? key : (identifiers[0] ?? byContact ?? ''),
      String(line),
    ];
  });
}

/** How many lines gone.csv has. */
export function countGone(file: JournalFile, run: RunRecord): number {
  const counted = file
    .prepare<[number, string, number], { n: number }>(
      'SELECT count(*) AS n FROM known WHERE workspace = ? AND mapping = ? AND run < ?',
    )
    .get(run.workspace, run.mappingName, run.number);
  return counted?.n ?? 0;
}
