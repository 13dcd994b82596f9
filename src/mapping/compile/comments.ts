import { trimmed } from '../../datatypes/index.ts';
import type { CommentDraft, Draft } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import { type CommentEntry, type CommentsRule, placedEntries } from '../schema/comments.ts';
import { compileCommentCells } from './comment-cells.ts';
import { compileListedComments, type ListEntry } from './comments-of-list.ts';
import type { Findings } from './findings.ts';
import { withoutForeignMentions } from './mention.ts';
import { compileTemplate, type Piece } from './template.ts';

type Writer = (row: Row, mention: Piece, found: Findings) => readonly CommentDraft[];

/** `comments:`, in the file's order; `mention` stands for the row's assignee. */
export function compileComments(
  rule: CommentsRule,
): (row: Row, mention: Piece, found: Findings) => Pick<Draft, 'comments'> {
  const writers: Writer[] = [];
  let lists: ListEntry[] = [];
  const endLists = (): void => {
    if (lists.length > 0) writers.push(compileListedComments(lists));
    lists = [];
  };
  for (const { entry } of placedEntries(rule)) {
    const { each, order, ...rest } = entry;
    // Lists that stand side by side and are ordered become one sequence, as the calls and the mails of a person are.
    if (each === undefined || order === undefined) endLists();
    if (each === undefined) writers.push(compileEntry(rest));
    else lists.push({ ...rest, each, order });
    if (order === undefined) endLists();
  }
  endLists();
  return (row, mention, found) => ({ comments: writers.flatMap((write) => write(row, mention, found)) });
}

function compileEntry(entry: Omit<CommentEntry, 'each' | 'order'>): Writer {
  const { name = '', key } = entry;
  const render = compileTemplate(entry.text);
  const cellsOf = compileCommentCells(entry);
  return (row, mention) => {
    const { pieces, empty } = render(cellsOf(row), mention);
    const text = empty ? '' : trimmed(withoutForeignMentions(pieces));
    if (text === '') return [];
    const cell = key === undefined ? '' : trimmed(row.cell(key) ?? '');
    return [{ id: cell === '' ? name : `${name}:${cell}`, text }];
  };
}
