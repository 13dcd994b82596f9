import type { JournalFile, LeftRow } from '../journal/index.ts';
import { leftRowsAfter } from '../journal/index.ts';
import type { Problem } from '../model/problem.ts';
import { csvText, pagesOf } from './csv-list.ts';

/** The columns of the file. */
export const notTakenColumns = ['_why', '_run', '_line', '_now', '_key', '_outcome', '_code', '_reason'];

const whys: Readonly<Record<LeftRow['kind'], string>> = {
  taken: 'taken',
  changed: 'finished before, and changed since: a retry leaves it alone, an import takes it',
  missing: 'open, and no longer in the file',
  removed: 'open, and removed from the file: on purpose, or it was empty',
  gone: 'finished before, and no longer in the file as it was',
};

/** The text of not-taken.csv piece by piece: the rows of earlier runs that a retry did not find, or left alone. */
export function notTakenCsv(file: JournalFile, run: number): AsyncIterable<string> {
  const pages = pagesOf<LeftRow>((after, limit) => leftRowsAfter(file, run, after?.number ?? -1, limit));
  return csvText(notTakenColumns, pages, ({ kind, run: before, wasLine, line, key, outcome, problems }) => {
    const found: readonly Problem[] = problems === null ? [] : JSON.parse(problems);
    return [
      whys[kind],
      before,
      String(wasLine),
      line === null ? '' : String(line),
      key ?? '',
      outcome,
      found.map(({ code }) => code).join(' | '),
      found.map(({ reason }) => reason).join(' | '),
    ];
  });
}
