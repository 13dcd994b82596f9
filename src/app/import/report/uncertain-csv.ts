import {
  type JournalFile,
  type RunRecord,
  type UncertainStep,
  uncertainAfter,
} from '../../../journal/index.ts';
import { byId, identifierText } from '../../../model/identifier.ts';
import { csvText, pagesOf, styleOfInput } from '../../../report/csv-list.ts';
import { commentId, type UncertainComment, uncertainComment } from '../../retry/uncertain-comment.ts';
import { listColumns } from './lists.ts';

/** A comment that may have been sent, with what it is decided by. */
export interface ListedComment extends UncertainComment {
  /** The same in every reading of the run. */
  readonly id: string;
  /** Where the next page begins. */
  readonly at: Pick<UncertainStep, 'seq' | 'name' | 'item'>;
}

/** What a person says of a comment: send it again, it is in the workspace, or nothing yet. */
export type CommentAnswer = 'yes' | 'no' | '';

/** Before all steps, those of the run itself included. */
const start = { seq: Number.MIN_SAFE_INTEGER, name: '', item: '' };

/** The uncertain comments of a run after one of them, in order, at most `limit`. */
export function uncertainPage(
  file: JournalFile,
  run: RunRecord,
  after: ListedComment['at'] | undefined,
  limit: number,
): readonly ListedComment[] {
  return uncertainAfter(file, run.number, after ?? start, limit).map((step) => {
    const comment = uncertainComment(step);
    const { seq, name, item } = step;
    return { ...comment, id: commentId(comment), at: { seq, name, item } };
  });
}

/** The text of uncertain.csv chunk by chunk, with what a person has decided by the ids of the comments. */
export function uncertainCsv(
  file: JournalFile,
  run: RunRecord,
  answers: ReadonlyMap<string, CommentAnswer> = new Map(),
): AsyncIterable<string> {
  const pages = pagesOf<ListedComment>((after, limit) => uncertainPage(file, run, after?.at, limit));
  const cells = ({ id, sheet, line, key, contact, step, text, sentAt }: ListedComment) => [
    answers.get(id) ?? '',
    run.id,
    sheet ?? '',
    line === null ? '' : String(line),
    key ?? '',
    contact === null ? '' : String(contact),
    contact === null ? '' : identifierText(byId(contact)),
    step,
    text,
    sentAt === null ? '' : new Date(sentAt).toISOString(),
  ];
  return csvText(listColumns.uncertain, pages, cells, styleOfInput(run));
}
