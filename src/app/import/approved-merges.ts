import { type JournalDatabase, listProposalsAbout } from '../../journal/index.ts';
import type { CustomField } from '../../model/custom-field.ts';
import type { FieldValues } from '../../model/draft.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatRowLine } from '../../model/row-place.ts';
import type { AnswerListDecisions, MergeApprovalLine } from './approvals.ts';
import { parseEditedResult } from './edited-result.ts';

/** An approved merge with the values that its proposal showed. */
export interface ApprovedMerge {
  readonly line: number;
  readonly key: string | null;
  readonly contacts: readonly [number, number];
  /** The values that were shown for approval, by column. */
  readonly shown: Readonly<Record<string, string>>;
  /** The values of the proposed result that were edited before approval. */
  readonly edited: FieldValues;
}

/** Returns the approved merges of a row of the input. */
export type FindRowApprovals = (row: {
  readonly line: number;
  readonly key: string | null;
}) => readonly ApprovedMerge[];

/** The maximum number of proposals about one pair of contacts that are searched for the approved line. */
const mostLookedAt = 50;

/** The workspace whose merges were approved. */
export interface ApprovalWorkspace {
  /** Its number in the journal. */
  readonly number: number;
  readonly customFields: readonly CustomField[];
}

const nothing: FieldValues = { contact: {}, customFields: {} };

/**
 * Returns a function that finds a row's approved merges. Spreadsheets rewrite cells (007 becomes 7, a phone loses its
 * plus), so the values shown are read from the journal, and keys are compared by `toComparableSpreadsheetCell`. Throws
 * a FatalError (usage) if an edited result is not valid for its field.
 */
export function createApprovalFinder(
  file: JournalDatabase,
  place: ApprovalWorkspace,
  approvals: AnswerListDecisions,
): FindRowApprovals {
  return createDecisionFinder(
    approvals.approved.map((approval) => approvedMerge(file, place, approvals, approval)),
  );
}

/**
 * Returns a function that finds a list's decisions about a row: by the row's key, else by its line and the part of its
 * key that no spreadsheet changes.
 */
export function createDecisionFinder<D extends { readonly line: number; readonly key: string | null }>(
  decided: readonly D[],
) {
  const byKey = new Map<string, D[]>();
  const byLine = new Map<number, D[]>();
  for (const each of decided) {
    add(byLine, each.line, each);
    if (each.key !== null) add(byKey, each.key, each);
  }
  return ({ line, key }: { readonly line: number; readonly key: string | null }): readonly D[] => {
    const exact = key === null ? undefined : byKey.get(key);
    if (exact !== undefined) return exact;
    return (byLine.get(line) ?? []).filter(
      (each) => toComparableSpreadsheetCell(each.key ?? '') === toComparableSpreadsheetCell(key ?? ''),
    );
  };
}

function approvedMerge(
  file: JournalDatabase,
  { number, customFields }: ApprovalWorkspace,
  { file: path }: AnswerListDecisions,
  approval: MergeApprovalLine,
): ApprovedMerge {
  const { at, line, contacts, cells } = approval;
  const proposed = findLatestProposal(file, number, approval);
  if (proposed === undefined) return { line, key: approval.key, contacts, shown: cells, edited: nothing };
  const edited = parseEditedResult(proposed, cells, customFields, (column, message, next) => {
    return new FatalError('usage', message, { place: { file: path, line: at, key: column }, next });
  });
  return { line, key: proposed._key || null, contacts, shown: proposed, edited };
}

/**
 * Returns the cells of the latest proposal for a line of the input, among the last 50 about the two contacts; undefined
 * where none is found.
 */
export function findLatestProposal(
  file: JournalDatabase,
  workspace: number,
  { line, contacts }: Pick<MergeApprovalLine, 'line' | 'contacts'>,
): Readonly<Record<string, string>> | undefined {
  return listProposalsAbout(file, workspace, contacts, mostLookedAt)
    .map(({ cells }): Readonly<Record<string, string>> => Object.fromEntries(cells))
    .find((shown) => shown._line === formatRowLine(line));
}

/**
 * Returns the part of a cell that stays the same however a spreadsheet rewrites it: its letters and digits in lower
 * case. If all of these are digits, zeros are dropped and the rest is sorted.
 */
export function toComparableSpreadsheetCell(cell: string): string {
  const signs = [
    ...cell
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  ];
  const isNumeric = signs.every((sign) => sign >= '0' && sign <= '9');
  return (isNumeric ? signs.filter((sign) => sign !== '0').sort() : signs).join('');
}

function add<K, D>(map: Map<K, D[]>, name: K, decided: D): void {
  const there = map.get(name);
  if (there === undefined) map.set(name, [decided]);
  else there.push(decided);
}
