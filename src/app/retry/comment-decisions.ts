import { type Hint, hint } from '../../model/command.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { parseRowLine } from '../../model/row-place.ts';
import {
  type AnswerListFormat,
  type AnswerListLine,
  type LineErrorFactory,
  readAnswerList,
  yesNoAnswerWords,
} from '../run/filled-list.ts';
import { createUncertainCommentId } from '../run/uncertain-comment.ts';

/** A decision about a comment that may have been sent. */
export interface CommentDecision {
  /** True to send the comment again; false if it is in the workspace. */
  readonly resend: boolean;
  /** The text of the comment, as the filled-in list has it. */
  readonly text: string;
  /** Returns the error to throw if the decision cannot be recorded; names the line. */
  readonly refuse: LineErrorFactory;
}

/** The decisions in an uncertain.csv that was filled in. */
export interface CommentDecisionFile {
  /** The absolute path of the file. */
  readonly file: string;
  /** The SHA-256 of the file's bytes, hexadecimal. */
  readonly fingerprint: string;
  /** The decisions by the id that `createUncertainCommentId` returns; lines without a decision are left out. */
  readonly decided: ReadonlyMap<string, CommentDecision>;
}

/** The list of comments that may have been sent, and how a user fills it in. */
export const uncertainCommentListFormat: AnswerListFormat = {
  name: 'uncertain.csv',
  mark: 'resend',
  needed: ['_run', '_line', 'contactId', 'step', 'text'],
  answers: yesNoAnswerWords,
  howToMark:
    'Write yes to send the comment again, no if it is in the workspace, or leave the cell empty: then it stays uncertain.',
};

/** The advice for a line that does not match its list. */
export const mismatchedLineHint = `Take the line from the ${uncertainCommentListFormat.name} of the run again.`;

/**
 * Reads the decisions about the uncertain comments of a run. Throws a FatalError (usage) if a line is invalid or
 * belongs to another run, if two lines decide about one comment, or if no line has a decision. `retry` returns the
 * command that retries the other run.
 */
export async function readCommentDecisions(
  path: string,
  run: string,
  retry: (other: string) => Hint,
): Promise<CommentDecisionFile> {
  const decided = new Map<string, CommentDecision>();
  const lines = new Map<string, number>();
  const { file, fingerprint } = await readAnswerList(path, uncertainCommentListFormat, (line, refuse) => {
    if (line.answer === undefined) return;
    const { cells, at } = line;
    const other = (cells._run ?? '').trim();
    if (other !== run)
      throw refuse(
        `this comment is of run ${JSON.stringify(other)} ("_run"), and not of run ${run}.`,
        other === '' ? mismatchedLineHint : hint`Decide about it in a retry of its own run: ${retry(other)}`,
      );
    const id = idOf(line, refuse);
    const before = lines.get(id);
    if (before !== undefined)
      throw refuse(
        `line ${before} already decides about "${cells.step}" of line ${cells._line} of the input.`,
        'Leave one of the two lines out.',
      );
    lines.set(id, at);
    decided.set(id, { resend: line.answer === 'yes', text: cells.text ?? '', refuse });
  });
  if (decided.size > 0) return { file, fingerprint, decided };
  throw new FatalError('usage', 'nothing is decided: no line has yes or no under "resend".', {
    place: { file },
    next: 'Write yes under "resend" to send a comment again, or no if it is in the workspace, and save the file as CSV UTF-8.',
  });
}

function idOf({ cells, columns, tooMany }: AnswerListLine, refuse: LineErrorFactory): string {
  if (tooMany !== undefined)
    throw refuse(`this line has ${tooMany} cells, and the first line names ${columns}.`, mismatchedLineHint);
  const number = (column: string) => {
    const text = (cells[column] ?? '').trim();
    if (text === '') return null;
    const read = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isSafeInteger(read)) return read;
    throw refuse(
      `"${text}" under "${column}" is not a whole number; a spreadsheet may have rewritten it.`,
      mismatchedLineHint,
    );
  };
  return createUncertainCommentId({
    sheet: cells._sheet || null,
    line: parseRowLine(cells._line ?? '') ?? number('_line'),
    contact: number('contactId'),
    step: (cells.step ?? '').trim(),
  });
}
