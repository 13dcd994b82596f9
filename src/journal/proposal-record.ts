import * as z from 'zod';
import { jsonColumn, numberColumn, type TypedRow } from '../storage/columns.ts';
import { replaceRow, select } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';

/** One line of merge-proposals.csv: two contacts, the row, and the result of the merge. */
export interface ProposalRecord {
  readonly seq: number;
  /** The number of the pair within its row, from 0: a row that matches more than two contacts has several. */
  readonly pair: number;
  readonly contacts: readonly [older: number, newer: number];
  readonly cells: readonly (readonly [column: string, cell: string])[];
}

const proposalColumns = {
  seq: numberColumn,
  pair: numberColumn,
  older: numberColumn,
  newer: numberColumn,
  cells: jsonColumn(z.array(z.tuple([z.string(), z.string()]))),
};

/** Records a proposal, replacing an earlier one of that row and pair. */
export function writeProposal(file: JournalDatabase, run: number, proposal: ProposalRecord): void {
  const { seq, pair, contacts, cells } = proposal;
  const [older, newer] = contacts;
  replaceRow(file, 'proposal', { run, seq, pair, older, newer, cells: JSON.stringify(cells) });
}

/** Returns the proposals of a run after (seq, pair), in order, at most `limit`. */
export function listProposals(
  file: JournalDatabase,
  run: number,
  after: Pick<ProposalRecord, 'seq' | 'pair'>,
  limit: number,
): readonly ProposalRecord[] {
  const found = select(file, proposalColumns)`
    SELECT seq, pair, older, newer, cells FROM proposal
    WHERE run = ${run} AND (seq, pair) > (${after.seq}, ${after.pair}) ORDER BY seq, pair LIMIT ${limit}`;
  return found.map(read);
}

/** Returns the proposals about two contacts of a workspace, newest run first, at most `limit`. */
export function listProposalsAbout(
  file: JournalDatabase,
  workspace: number,
  [older, newer]: ProposalRecord['contacts'],
  limit: number,
): readonly ProposalRecord[] {
  const found = select(file, proposalColumns)`
    SELECT seq, pair, older, newer, cells FROM proposal
    WHERE older = ${older} AND newer = ${newer} AND run IN (SELECT number FROM run WHERE workspace = ${workspace})
    ORDER BY run DESC, seq LIMIT ${limit}`;
  return found.map(read);
}

function read({ older, newer, ...rest }: TypedRow<typeof proposalColumns>): ProposalRecord {
  return { ...rest, contacts: [older, newer] };
}
