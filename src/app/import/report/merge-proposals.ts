import { readFileSync, statSync } from 'node:fs';
import { isSameContactFieldValue } from '../../../datatypes/index.ts';
import {
  type JournalDatabase,
  listProposals,
  type ProposalIdentity,
  type ProposalRecord,
  type RunRecord,
} from '../../../journal/index.ts';
import { contactFieldNames } from '../../../model/contact.ts';
import { parseRowLine } from '../../../model/row-place.ts';
import { chooseCsvListStyle, formatCsvList, iteratePagesAsync } from '../../../report/csv-list.ts';
import { parseAnswerList, readAnswerList } from '../../run/filled-list.ts';
import { createMergeProposalId, mergeProposalListFormat } from '../approvals.ts';
import { findLatestProposal } from '../approved-merges.ts';
import { findEditedCells } from '../edited-result.ts';

/** The comparison of the two contacts' values of a field. */
export type ValueComparison = 'equal' | 'differs' | 'onlyOlder' | 'onlyNewer' | 'neither';

/** A field of two contacts that may be one person, side by side. */
export interface ProposalField {
  /** The name of the field, such as `email` or `customFields.Plan`. */
  readonly field: string;
  readonly older: string;
  readonly newer: string;
  /** The row's value. */
  readonly row: string;
  /** The merged contact's value. */
  readonly result: string;
  readonly agreement: ValueComparison;
}

/** Two contacts that may be one person. */
export interface ProposedPair {
  /** An id that is the same at every read of the run. */
  readonly id: string;
  /** The position that the next page starts after. */
  readonly at: Pick<ProposalRecord, 'seq' | 'pair'>;
  /** The line of the row in the input. */
  readonly line: number;
  readonly key: string | null;
  readonly contacts: ProposalRecord['contacts'];
  readonly fields: readonly ProposalField[];
}

/** The decision about a pair. */
export interface ProposalDecision {
  readonly answer: 'yes' | 'no' | '';
  /** The edited values of the merged contact, by field. */
  readonly result?: Readonly<Record<string, string>>;
}

/** Returns at most `limit` of a run's proposals, in order, beginning after the proposal `after`. */
export function readProposalPage(
  file: JournalDatabase,
  run: RunRecord,
  after: ProposedPair['at'] | undefined,
  limit: number,
): readonly ProposedPair[] {
  return listProposals(file, run.number, after ?? { seq: -1, pair: -1 }, limit).map(pairOf);
}

function pairOf(proposal: ProposalRecord): ProposedPair {
  const { seq, pair, contacts, cells } = proposal;
  const byColumn = new Map(cells);
  const cell = (column: string) => byColumn.get(column) ?? '';
  const names = cells.flatMap(([column]) => /^result\.(.+)$/s.exec(column)?.[1] ?? []);
  const fields = names.map((field) => {
    const [older, newer] = [cell(`contact_1.${field}`), cell(`contact_2.${field}`)];
    const agreement = agreementOf(field, older, newer);
    return { field, older, newer, row: cell(`row.${field}`), result: cell(`result.${field}`), agreement };
  });
  const line = parseRowLine(cell('_line')) ?? 0;
  return { id: idOf(proposal), at: { seq, pair }, line, key: cell('_key') || null, contacts, fields };
}

function agreementOf(field: string, older: string, newer: string): ValueComparison {
  if (older === '' || newer === '')
    return older !== '' ? 'onlyOlder' : newer !== '' ? 'onlyNewer' : 'neither';
  const name = contactFieldNames.find((each) => each === field);
  const isSame = name === undefined ? older === newer : isSameContactFieldValue(name, older, newer);
  return isSame ? 'equal' : 'differs';
}

function idOf({ contacts, cells }: Pick<ProposalRecord, 'contacts' | 'cells'>): string {
  return createMergeProposalId(new Map(cells).get('_line') ?? '', contacts.map(String));
}

/** Yields the text of merge-proposals.csv in chunks, with the decisions by pair id. */
export async function* formatProposalsCsv(
  file: JournalDatabase,
  run: RunRecord,
  decisions: ReadonlyMap<string, ProposalDecision> = new Map(),
): AsyncIterable<string> {
  const columns = await columnsOf(file, run.number);
  const cells = (proposal: ProposalRecord) => {
    const { answer = '', result = {} } = decisions.get(idOf(proposal)) ?? {};
    const edited = Object.entries(result).map(([field, value]) => [`result.${field}`, value] as const);
    const byColumn = new Map([...proposal.cells, ...edited]);
    return [answer, ...columns.map((column) => byColumn.get(column) ?? '')];
  };
  const header = [mergeProposalListFormat.mark, ...columns];
  yield* formatCsvList(header, proposalPages(file, run.number), cells, chooseCsvListStyle(run));
}

// The header comes first, and lines may have different columns, so a first pass collects the columns.
async function columnsOf(file: JournalDatabase, run: number): Promise<readonly string[]> {
  const columns = new Set<string>();
  for await (const page of proposalPages(file, run)) {
    for (const { cells } of page) for (const [column] of cells) columns.add(column);
  }
  return [...columns];
}

function proposalPages(file: JournalDatabase, run: number): AsyncIterable<readonly ProposalRecord[]> {
  return iteratePagesAsync((after, limit) => listProposals(file, run, after ?? { seq: -1, pair: -1 }, limit));
}

/**
 * Returns the decisions in a merge-proposals.csv, by pair id; lines without an answer or an edit are left
 * out. Throws a FatalError (usage) if the file cannot be read.
 */
export async function readProposalDecisions(
  file: JournalDatabase,
  run: RunRecord,
  path: string,
): Promise<ReadonlyMap<string, ProposalDecision>> {
  const decisions = new Map<string, ProposalDecision>();
  await readAnswerList(path, mergeProposalListFormat, ({ answer: mark, cells }) => {
    const answer = mark ?? '';
    const { _line = '', contact_1_id = '', contact_2_id = '' } = cells;
    const contacts = [Number(contact_1_id), Number(contact_2_id)] as const;
    const proposed = findLatestProposal(file, run.workspace, { line: parseRowLine(_line) ?? 0, contacts });
    const edited = proposed === undefined ? [] : findEditedCells(proposed, cells);
    if (answer === '' && edited.length === 0) return;
    const result = Object.fromEntries(edited.map(({ field, text }) => [field, text]));
    const id = createMergeProposalId(_line.trim(), [contact_1_id.trim(), contact_2_id.trim()]);
    decisions.set(id, edited.length === 0 ? { answer } : { answer, result });
  });
  return decisions;
}

/**
 * Returns a function that tells which of a run's proposals are answered with no in the list of its folder: that of the
 * studio, else the run's own; undefined where none is. A list that cannot be read has no answers: the command that
 * applies it says why.
 */
export function createRefusedProposalTest(files: {
  readonly approvedMerges?: string;
  readonly mergeProposals?: string;
}): ((proposal: ProposalIdentity) => boolean) | undefined {
  const path = files.approvedMerges ?? files.mergeProposals;
  const refused = path === undefined ? noProposals : listRefusedProposals(path);
  if (refused.size === 0) return undefined;
  return ({ line, contacts }) => refused.has(createMergeProposalId(line, contacts.map(String)));
}

const noProposals: ReadonlySet<string> = new Set();

/** The list that was read last, because the status of a run is read every second while it is watched. */
let latest = { version: '', refused: noProposals };

function listRefusedProposals(path: string): ReadonlySet<string> {
  try {
    const { mtimeMs, size } = statSync(path);
    const version = `${path} ${mtimeMs} ${size}`;
    if (latest.version !== version) latest = { version, refused: parseRefusedProposals(path) };
    return latest.refused;
  } catch {
    return noProposals;
  }
}

function parseRefusedProposals(path: string): ReadonlySet<string> {
  const lines = parseAnswerList(path, readFileSync(path), mergeProposalListFormat);
  return new Set(
    lines.flatMap(({ answer, cells }) => {
      const { _line = '', contact_1_id = '', contact_2_id = '' } = cells;
      if (answer !== 'no') return [];
      return [createMergeProposalId(_line.trim(), [contact_1_id.trim(), contact_2_id.trim()])];
    }),
  );
}
