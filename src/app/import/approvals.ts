import type { QuestionAnswer } from '../../journal/index.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { formatRowPlace, parseRowLine, type RowLine, type RowPlace } from '../../model/row-place.ts';
import {
  type AnswerListFormat,
  type AnswerListLine,
  hasAnswerListHeader,
  type LineErrorFactory,
  readAnswerList,
  yesNoAnswerWords,
} from '../run/filled-list.ts';

/** An approved line of merge-proposals.csv. */
export interface MergeApprovalLine {
  /** Its line in the file, from 1. */
  readonly at: number;
  /** The line of the row in the input. */
  readonly line: number;
  readonly key: string | null;
  readonly contacts: readonly [number, number];
  /** All cells of the line except `approve`, by column. */
  readonly cells: Readonly<Record<string, string>>;
}

/** An answer in same-person.csv: whether a row is the same person as another row, or as a contact. */
export interface SamePersonAnswerLine {
  /** Its line in the file, from 1. */
  readonly at: number;
  /** The line of the row in the input. */
  readonly line: number;
  /** The row's sheet; null unless the input has several sheets. */
  readonly sheet: string | null;
  readonly key: string | null;
  readonly other: RowPlace | { readonly contact: number };
  readonly answer: QuestionAnswer;
}

/** The decisions read from a filled-in merge-proposals.csv or same-person.csv. */
export interface AnswerListDecisions {
  /** Absolute path. */
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly fingerprint: string;
  readonly approved: readonly MergeApprovalLine[];
  readonly answered: readonly SamePersonAnswerLine[];
  /** The number of lines that are in neither list. */
  readonly left: number;
}

/** The required columns and accepted answers of merge-proposals.csv. */
export const mergeProposalListFormat: AnswerListFormat = {
  name: 'merge-proposals.csv',
  mark: 'approve',
  needed: ['_line', '_key', 'contact_1_id', 'contact_2_id'],
  answers: yesNoAnswerWords,
  howToMark: 'Write yes to approve the merge, or leave the cell empty.',
};

/** The required columns and accepted answers of same-person.csv. */
export const samePersonListFormat: AnswerListFormat<QuestionAnswer> = {
  name: 'same-person.csv',
  mark: 'answer',
  needed: ['_line', '_key', 'other', 'other_line', 'other_contact'],
  answers: { same: ['same'], different: ['different'] },
  howToMark: 'Write same or different, or leave the cell empty: then it is not decided.',
};

const again = `Take the line from the ${mergeProposalListFormat.name} of the run again.`;

/**
 * Reads a filled-in merge-proposals.csv or same-person.csv. Throws a FatalError (usage) if a filled-in line is invalid,
 * if two lines decide about the same pair, or if no line is approved or answered.
 */
export async function readAnswerListDecisions(path: string): Promise<AnswerListDecisions> {
  return (await hasAnswerListHeader(path, samePersonListFormat))
    ? await readAnswers(path)
    : await readMerges(path);
}

async function readMerges(path: string): Promise<AnswerListDecisions> {
  const approved: MergeApprovalLine[] = [];
  const marked = new Map<string, number>();
  let left = 0;
  const { file, fingerprint } = await readAnswerList(path, mergeProposalListFormat, (line, refuse) => {
    if (line.answer !== undefined) once(marked, line, refuse);
    if (line.answer === 'yes') approved.push(approvalOf(line, refuse));
    else left += 1;
  });
  if (approved.length > 0) return { file, fingerprint, approved, answered: [], left };
  throw new FatalError('usage', `nothing is approved: none of ${left} lines has yes under "approve".`, {
    place: { file },
    next: 'Write yes under "approve" in the lines whose two contacts are one person, and save the file as CSV UTF-8.',
  });
}

async function readAnswers(path: string): Promise<AnswerListDecisions> {
  const answered: SamePersonAnswerLine[] = [];
  const marked = new Map<string, number>();
  let left = 0;
  const { file, fingerprint } = await readAnswerList(path, samePersonListFormat, (line, refuse) => {
    if (line.answer === undefined) left += 1;
    else answered.push(answerOf(line, line.answer, marked, refuse));
  });
  if (answered.length > 0) return { file, fingerprint, approved: [], answered, left };
  throw new FatalError(
    'usage',
    `nothing is answered: none of ${left} lines has same or different under "answer".`,
    {
      place: { file },
      next: 'Write same or different under "answer", and save the file as CSV UTF-8.',
    },
  );
}

function answerOf(
  { at, cells, columns, tooMany }: AnswerListLine<QuestionAnswer>,
  answer: QuestionAnswer,
  marked: Map<string, number>,
  refuse: LineErrorFactory,
): SamePersonAnswerLine {
  const takeAgain = `Take the line from the ${samePersonListFormat.name} of the run again.`;
  if (tooMany !== undefined)
    throw refuse(`this line has ${tooMany} cells, and the first line names ${columns}.`, takeAgain);
  const number = (column: string) =>
    wholeNumber(cells[column] ?? '', column, refuse, samePersonListFormat.name);
  const lineIn = (column: string) => rowLine(cells[column] ?? '', column, refuse, samePersonListFormat.name);
  const kind = (cells.other ?? '').trim();
  if (kind !== 'row' && kind !== 'contact')
    throw refuse(`"${kind}" under "other" is neither row nor contact.`, takeAgain);
  const other =
    kind === 'row'
      ? { line: lineIn('other_line'), sheet: cells.other_sheet || null }
      : { contact: number('other_contact') };
  const place = { line: lineIn('_line'), sheet: cells._sheet || null };
  const name = JSON.stringify([place, other]);
  const before = marked.get(name);
  if (before !== undefined)
    throw refuse(
      `line ${before} already answers for ${formatRowPlace(place)} of the input.`,
      'Leave one of the two lines out.',
    );
  marked.set(name, at);
  return { at, ...place, key: cells._key || null, other, answer };
}

/** Returns a name that is unique for a proposal within its run; the order of the two contacts does not matter. */
export function createMergeProposalId(line: string, contacts: readonly string[]): string {
  return [line, ...[...contacts].sort()].join(' ');
}

/** Records the line that decides about a row and its pair of contacts; throws if an earlier line already does. */
function once(marked: Map<string, number>, { at, cells }: AnswerListLine, refuse: LineErrorFactory): void {
  const pair = [cells.contact_1_id, cells.contact_2_id].map((id) => (id ?? '').trim()).sort();
  const name = createMergeProposalId((cells._line ?? '').trim(), pair);
  const before = marked.get(name);
  if (before !== undefined) {
    const message = `line ${before} already decides about row ${cells._line} and the contacts ${pair.join(' and ')}.`;
    throw refuse(message, 'Leave one of the two lines out.');
  }
  marked.set(name, at);
}

function approvalOf(
  { at, cells: all, columns, tooMany }: AnswerListLine,
  refuse: LineErrorFactory,
): MergeApprovalLine {
  if (tooMany !== undefined)
    throw refuse(`this line has ${tooMany} cells, and the first line names ${columns}.`, again);
  const number = (column: string) => wholeNumber(all[column] ?? '', column, refuse);
  const contacts = [number('contact_1_id'), number('contact_2_id')] as const;
  if (contacts[0] === contacts[1])
    throw refuse(`both contacts are ${contacts[0]}: there is nothing to merge.`, again);
  const { approve: _, ...cells } = all;
  return { at, line: rowLine(all._line ?? '', '_line', refuse), key: cells._key || null, contacts, cells };
}

function rowLine(
  cell: string,
  column: string,
  refuse: LineErrorFactory,
  list = mergeProposalListFormat.name,
): RowLine {
  return parseRowLine(cell) ?? wholeNumber(cell, column, refuse, list);
}

function wholeNumber(
  cell: string,
  column: string,
  refuse: LineErrorFactory,
  list = mergeProposalListFormat.name,
): number {
  const text = cell.trim();
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  const message = `"${text}" under "${column}" is not a whole number; a spreadsheet may have rewritten it.`;
  throw refuse(message, `Take the number from the ${list} of the run again.`);
}
