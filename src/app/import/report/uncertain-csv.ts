import {
  type JournalDatabase,
  listUncertainSteps,
  type RunRecord,
  type UncertainStep,
} from '../../../journal/index.ts';
import { formatIdentifier, idToIdentifier } from '../../../model/identifier.ts';
import { formatRowLine } from '../../../model/row-place.ts';
import { chooseCsvListStyle, formatCsvList, iteratePagesAsync } from '../../../report/csv-list.ts';
import {
  createUncertainCommentId,
  toUncertainComment,
  type UncertainComment,
} from '../../run/uncertain-comment.ts';
import { columnsByList } from './lists.ts';

/** A comment that may have been sent, with the id for its decision. */
export interface ListedUncertainComment extends UncertainComment {
  /** An id that is the same at every read of the run. */
  readonly id: string;
  /** The position that the next page starts after. */
  readonly at: Pick<UncertainStep, 'seq' | 'name' | 'item'>;
}

/** The decision about a comment: `yes` sends it again, `no` means it is in the workspace, '' is undecided. */
export type ResendAnswer = 'yes' | 'no' | '';

/** A position before all steps, including those of the run itself. */
const start = { seq: Number.MIN_SAFE_INTEGER, name: '', item: '' };

/** Returns at most `limit` uncertain comments of a run after the given one, in order. */
export function readUncertainCommentsPage(
  file: JournalDatabase,
  run: RunRecord,
  after: ListedUncertainComment['at'] | undefined,
  limit: number,
): readonly ListedUncertainComment[] {
  return listUncertainSteps(file, run.number, after ?? start, limit).map((step) => {
    const comment = toUncertainComment(step);
    const { seq, name, item } = step;
    return { ...comment, id: createUncertainCommentId(comment), at: { seq, name, item } };
  });
}

/** Yields the text of uncertain.csv in chunks, with the decisions by comment id. */
export function formatUncertainCsv(
  file: JournalDatabase,
  run: RunRecord,
  answers: ReadonlyMap<string, ResendAnswer> = new Map(),
): AsyncIterable<string> {
  const pages = iteratePagesAsync<ListedUncertainComment>((after, limit) =>
    readUncertainCommentsPage(file, run, after?.at, limit),
  );
  const cells = ({ id, sheet, line, key, contact, step, text, sentAt }: ListedUncertainComment) => [
    answers.get(id) ?? '',
    run.id,
    sheet ?? '',
    line === null ? '' : formatRowLine(line),
    key ?? '',
    contact === null ? '' : String(contact),
    contact === null ? '' : formatIdentifier(idToIdentifier(contact)),
    step,
    text,
    sentAt === null ? '' : new Date(sentAt).toISOString(),
  ];
  return formatCsvList(columnsByList.uncertain, pages, cells, chooseCsvListStyle(run));
}
