import { type JournalFile, proposalsAbout } from '../../journal/index.ts';
import type { Approval, Approvals } from './approvals.ts';

/** An approved merge with what its proposal showed. */
export interface ApprovedMerge {
  readonly line: number;
  readonly key: string | null;
  readonly contacts: readonly [number, number];
  /** What the person saw who approved it, by column. */
  readonly shown: Readonly<Record<string, string>>;
  /** Columns of the result in which the file says something else than the proposal did. */
  readonly edited: readonly string[];
}

/** Finds the approved merges of a row of the input. */
export type ApprovalsOf = (row: {
  readonly line: number;
  readonly key: string | null;
}) => readonly ApprovedMerge[];

/** How many proposals about one pair of contacts are looked through for the line that was approved. */
const mostLookedAt = 50;

/**
 * Approved merges by row. Spreadsheets rewrite cells (007 becomes 7, a phone loses its plus), so what was shown is taken
 * from the journal, and a key is compared by what a spreadsheet leaves of it where the line is the same.
 */
export function approvedMerges(file: JournalFile, workspace: number, approvals: Approvals): ApprovalsOf {
  const byKey = new Map<string, ApprovedMerge[]>();
  const byLine = new Map<number, ApprovedMerge[]>();
  for (const approval of approvals.approved) {
    const merge = approvedMerge(file, workspace, approval);
    add(byLine, merge.line, merge);
    if (merge.key !== null) add(byKey, merge.key, merge);
  }
  return ({ line, key }) => {
    const exact = key === null ? undefined : byKey.get(key);
    if (exact !== undefined) return exact;
    return (byLine.get(line) ?? []).filter((merge) => remains(merge.key ?? '') === remains(key ?? ''));
  };
}

function approvedMerge(file: JournalFile, workspace: number, approval: Approval): ApprovedMerge {
  const { line, contacts, cells } = approval;
  const proposed = proposalsAbout(file, workspace, contacts, mostLookedAt)
    .map((proposal): Readonly<Record<string, string>> => Object.fromEntries(proposal.cells))
    .find((shown) => shown._line === String(line));
  if (proposed === undefined) return { line, key: approval.key, contacts, shown: cells, edited: [] };
  const edited = Object.keys(proposed).filter(
    (column) =>
      column.startsWith('result.') && remains(proposed[column] ?? '') !== remains(cells[column] ?? ''),
  );
  return { line, key: proposed._key || null, contacts, shown: proposed, edited };
}

/** What is left of a cell whatever a spreadsheet does to its signs, zeros, and the order of a date's numbers. */
function remains(cell: string): string {
  const signs = [
    ...cell
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, ''),
  ];
  const isNumeric = signs.every((sign) => sign >= '0' && sign <= '9');
  return (isNumeric ? signs.filter((sign) => sign !== '0').sort() : signs).join('');
}

function add<K>(map: Map<K, ApprovedMerge[]>, name: K, merge: ApprovedMerge): void {
  const there = map.get(name);
  if (there === undefined) map.set(name, [merge]);
  else there.push(merge);
}
