import type { JournalFile } from './open.ts';

/** One line of merge-proposals.csv: two contacts, the row, and what the merge would give. */
export interface ProposalRecord {
  readonly seq: number;
  /** From 0, where a row leads to more than two contacts. */
  readonly pair: number;
  readonly cells: readonly (readonly [column: string, cell: string])[];
}

/** Returns the write that records a proposal; it takes the place of an earlier one of that row and pair. */
export function proposalWriter(file: JournalFile, run: number): (proposal: ProposalRecord) => void {
  const insert = file.prepare('INSERT OR REPLACE INTO proposal (run, seq, pair, cells) VALUES (?, ?, ?, ?)');
  return ({ seq, pair, cells }) => void insert.run(run, seq, pair, JSON.stringify(cells));
}

/** Proposals after (seq, pair), in order, at most `limit`. */
export function proposalsAfter(
  file: JournalFile,
  run: number,
  after: Pick<ProposalRecord, 'seq' | 'pair'>,
  limit: number,
): readonly ProposalRecord[] {
  return file
    .prepare<[number, number, number, number], { seq: number; pair: number; cells: string }>(
      'SELECT seq, pair, cells FROM proposal WHERE run = ? AND (seq, pair) > (?, ?) ORDER BY seq, pair LIMIT ?',
    )
    .all(run, after.seq, after.pair, limit)
    .map((stored) => ({ ...stored, cells: JSON.parse(stored.cells) }));
}
