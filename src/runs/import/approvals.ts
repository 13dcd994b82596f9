import { FatalError } from '../../model/fatal-error.ts';
import { type FilledLine, type ListToFill, type Refuse, readFilledList } from './filled-list.ts';

/** A merge that a person has approved: a line of the file. */
export interface Approval {
  /** Where it is in the file, from 1. */
  readonly at: number;
  /** Where the row stands in the input. */
  readonly line: number;
  readonly key: string | null;
  readonly contacts: readonly [number, number];
  /** The whole line but its `approve`, by column. */
  readonly cells: Readonly<Record<string, string>>;
}

/** A merge-proposals.csv after a person has gone through it. */
export interface Approvals {
  /** Absolute. */
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly fingerprint: string;
  readonly approved: readonly Approval[];
  /** How many lines are not approved. */
  readonly left: number;
}

/** The list of proposals, as it is filled in. */
export const proposalList: ListToFill = {
  name: 'merge-proposals.csv',
  mark: 'approve',
  needed: ['_line', '_key', 'contact_1_id', 'contact_2_id'],
  howToMark: 'Write yes to approve the merge, or leave the cell empty.',
};

const again = `Take the line from the ${proposalList.name} of the run again.`;

/** Reads an approved merge-proposals.csv. Throws a FatalError (usage) where it does not say beyond doubt what is approved. */
export async function readApprovals(path: string): Promise<Approvals> {
  const approved: Approval[] = [];
  const marked = new Map<string, number>();
  let left = 0;
  const { file, fingerprint } = await readFilledList(path, proposalList, (line, refuse) => {
    if (line.answer !== undefined) once(marked, line, refuse);
    if (line.answer === 'yes') approved.push(approvalOf(line, refuse));
    else left += 1;
  });
  if (approved.length > 0) return { file, fingerprint, approved, left };
  throw new FatalError('usage', `nothing is approved: none of ${left} lines has yes under "approve".`, {
    place: { file },
    next: 'Write yes under "approve" in the lines whose two contacts are one person, and save the file as CSV.',
  });
}

/** What tells a proposal from the others of its run, whichever of the two contacts comes first. */
export function proposalOf(line: string, contacts: readonly string[]): string {
  return [line, ...[...contacts].sort()].join(' ');
}

/** Keeps the line of each row and pair that somebody has written something about. */
function once(marked: Map<string, number>, { at, cells }: FilledLine, refuse: Refuse): void {
  const pair = [cells.contact_1_id, cells.contact_2_id].map((id) => (id ?? '').trim()).sort();
  const name = proposalOf((cells._line ?? '').trim(), pair);
  const before = marked.get(name);
  if (before !== undefined) {
    const message = `line ${before} already decides about row ${cells._line} and the contacts ${pair.join(' and ')}.`;
    throw refuse(message, 'Leave one of the two lines out.');
  }
  marked.set(name, at);
}

function approvalOf({ at, cells: all, columns, tooMany }: FilledLine, refuse: Refuse): Approval {
  if (tooMany !== undefined)
    throw refuse(`this line has ${tooMany} cells, and the first line names ${columns}.`, again);
  const number = (column: string) => wholeNumber(all[column] ?? '', column, refuse);
  const contacts = [number('contact_1_id'), number('contact_2_id')] as const;
  if (contacts[0] === contacts[1])
    throw refuse(`both contacts are ${contacts[0]}: there is nothing to merge.`, again);
  const { approve: _, ...cells } = all;
  return { at, line: number('_line'), key: cells._key || null, contacts, cells };
}

function wholeNumber(cell: string, column: string, refuse: Refuse): number {
  const text = cell.trim();
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  const message = `"${text}" under "${column}" is not a whole number; a spreadsheet may have rewritten it.`;
  throw refuse(message, `Take the number from the ${proposalList.name} of the run again.`);
}
