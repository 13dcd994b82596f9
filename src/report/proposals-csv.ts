import { type JournalFile, type ProposalRecord, proposalsAfter } from '../journal/index.ts';
import { csvText, pagesOf } from './csv-list.ts';

/** The text of merge-proposals.csv piece by piece: a line for every two contacts, with a place for a person's yes. */
export async function* proposalsCsv(file: JournalFile, run: number): AsyncIterable<string> {
  const columns = await columnsOf(file, run);
  yield* csvText(['approve', ...columns], proposalPages(file, run), ({ cells }) => {
    const byColumn = new Map(cells);
    return ['', ...columns.map((column) => byColumn.get(column) ?? '')];
  });
}

// A header comes first, and lines may have different columns: so one pass for the columns.
async function columnsOf(file: JournalFile, run: number): Promise<readonly string[]> {
  const columns = new Set<string>();
  for await (const page of proposalPages(file, run)) {
    for (const { cells } of page) for (const [column] of cells) columns.add(column);
  }
  return [...columns];
}

function proposalPages(file: JournalFile, run: number): AsyncIterable<readonly ProposalRecord[]> {
  return pagesOf((after, limit) => proposalsAfter(file, run, after ?? { seq: -1, pair: -1 }, limit));
}

/** How many lines merge-proposals.csv has. */
export function countProposals(file: JournalFile, run: number): number {
  const counted = file
    .prepare<[number], { n: number }>('SELECT count(*) AS n FROM proposal WHERE run = ?')
    .get(run);
  return counted?.n ?? 0;
}
