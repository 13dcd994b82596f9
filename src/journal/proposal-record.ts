import type { JournalFile } from './open.ts';

/** One line of merge-proposals.csv: two contacts, the row, and what the merge would give. */
export interface ProposalRecord {
  readonly seq: number;
  /** From 0, where a row leads to more than two contacts. */
  readonly pair: number;
  readonly contacts: readonly [older: number, newer: number];
  readonly cells: readonly (readonly [column: string, cell: string])[];
}

/** Returns the write that records a proposal; it takes the place of an earlier one of that row and pair. */
export function proposalWriter(file: JournalFile, run: number): (proposal: ProposalRecord) => void {
  const insert = file.prepare(
    'INSERT OR REPLACE INTO proposal (run, seq, pair, older, newer, cells) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return ({ seq, pair, contacts: [older, newer], cells }) =>
    void insert.run(run, seq, pair, older, newer, JSON.stringify(cells));
}

/** Proposals after (seq, pair), in order, at most `limit`. */
export function proposalsAfter(
  file: JournalFile,
  run: number,
  after: Pick<ProposalRecord, 'seq' | 'pair'>,
  limit: number,
): readonly ProposalRecord[] {
  return file
    .prepare<[number, number, number, number], StoredProposal>(
      'SELECT seq, pair, older, newer, cells FROM proposal WHERE run = ? AND (seq, pair) > (?, ?) ORDER BY seq, pair LIMIT ?',
    )
    .all(run, after.seq, after.pair, limit)
    .map(read);
}

/** What was last proposed about two contacts in this workspace, newest run first, at most `limit`. */
export function proposalsAbout(
  file: JournalFile,
  workspace: number,
  [older, newer]: ProposalRecord['contacts'],
  limit: number,
): readonly ProposalRecord[] {
  return file
    .prepare<[number, number, number, number], StoredProposal>(
      `SELECT seq, pair, older, newer, cells FROM proposal
       WHERE older = ? AND newer = ? AND run IN (SELECT number FROM run WHERE workspace = ?)
       ORDER BY run DESC, seq LIMIT ?`,
    )
    .all(older, newer, workspace, limit)
    .map(read);
}

interface StoredProposal {
  seq: number;
  pair: number;
  older: number;
  newer: number;
  cells: string;
}

function read({ seq, pair, older, newer, cells }: StoredProposal): ProposalRecord {
  return { seq, pair, contacts: [older, newer], cells: JSON.parse(cells) };
}
