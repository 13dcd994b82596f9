import * as z from 'zod';
import { jsonColumn, numberColumn, type TypedRow } from '../storage/columns.ts';
import { replaceRow, select, selectCount } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';

/** One line of merge-proposals.csv: two contacts, the row, and the result of the merge. */
export interface ProposalRecord {
  readonly seq: number;
  /** The number of the pair within its row, from 0: a row that matches more than two contacts has several. */
  readonly pair: number;
  readonly contacts: readonly [older: number, newer: number];
  readonly cells: readonly (readonly [column: string, cell: string])[];
}

/** The numbers of a run's proposals. */
export interface ProposalCounts {
  /** All proposals of the run. */
  readonly proposed: number;
  /** Those that no later run has settled by a merge, and that are not refused. */
  readonly open: number;
  /** Those that are answered with no, and that no later run has settled by a merge. */
  readonly refused: number;
}

/** A proposal by the line of its row in the input, as merge-proposals.csv has it, and its two contacts. */
export interface ProposalIdentity extends Pick<ProposalRecord, 'contacts'> {
  readonly line: string;
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

/**
 * Returns the numbers of a run's proposals, of which some are settled: a later run has merged one of the two contacts
 * into another. `isRefused` is undefined where none is answered with no.
 */
export function countProposals(
  file: JournalDatabase,
  run: number,
  isRefused: ((proposal: ProposalIdentity) => boolean) | undefined,
): ProposalCounts {
  const proposed = selectCount(file)`SELECT count(*) AS n FROM proposal WHERE run = ${run}`;
  if (proposed === 0) return { proposed, open: 0, refused: 0 };
  const unsettled = select(file, { older: numberColumn, newer: numberColumn, cells: proposalColumns.cells })`
    WITH merged AS (
      SELECT step.intent ->> '$.contactIds[1]' AS id FROM run JOIN step_json AS step ON step.run = run.number
      WHERE run.number > ${run} AND run.workspace = (SELECT workspace FROM run WHERE number = ${run})
        AND json_extract(run.selection, '$.kind') = 'approve' AND step.name = 'merge' AND step.state = 'acked'
    )
    SELECT older, newer, iif(${isRefused === undefined ? 0 : 1}, cells, '[]') AS cells FROM proposal
    WHERE run = ${run} AND older NOT IN (SELECT id FROM merged) AND newer NOT IN (SELECT id FROM merged)`;
  const refused = unsettled.filter(({ older, newer, cells }) =>
    isRefused?.({ line: new Map(cells).get('_line') ?? '', contacts: [older, newer] }),
  ).length;
  return { proposed, open: unsettled.length - refused, refused };
}

function read({ older, newer, ...rest }: TypedRow<typeof proposalColumns>): ProposalRecord {
  return { ...rest, contacts: [older, newer] };
}
