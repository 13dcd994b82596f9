import * as z from 'zod';
import { jsonOf, number, type RowOf } from '../storage/columns.ts';
import { put, select } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';

/** One line of merge-proposals.csv: two contacts, the row, and the result of the merge. */
export interface ProposalRecord {
  readonly seq: number;
  /** From 0, where a row matches more than two contacts. */
  readonly pair: number;
  readonly contacts: readonly [older: number, newer: number];
  readonly cells: readonly (readonly [column: string, cell: string])[];
}

const proposalColumns = {
  seq: number,
  pair: number,
  older: number,
  newer: number,
  cells: jsonOf(z.array(z.tuple([z.string(), z.string()]))),
};

/** Records a proposal, replacing an earlier one of that row and pair. */
export function writeProposal(file: JournalFile, run: number, proposal: ProposalRecord): void {
  const { seq, pair, contacts, cells } = proposal;
  const [older, newer] = contacts;
  put(file, 'proposal', { run, seq, pair, older, newer, cells: JSON.stringify(cells) });
}

/** Returns proposals after (seq, pair), in order, at most `limit`. */
export function proposalsAfter(
  file: JournalFile,
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
export function proposalsAbout(
  file: JournalFile,
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

function read({ older, newer, ...rest }: RowOf<typeof proposalColumns>): ProposalRecord {
  return { ...rest, contacts: [older, newer] };
}
