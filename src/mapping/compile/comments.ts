import { trimmed } from '../../datatypes/index.ts';
import type { CommentDraft, Draft } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import { type CommentEntry, type CommentsRule, placedEntries } from '../schema/comments.ts';
import { compileListedComments } from './comments-of-list.ts';
import type { Findings } from './findings.ts';
import { withoutForeignMentions } from './mention.ts';
import { compileTemplate, type Piece } from './template.ts';

/** `comments:`, in the file's order; `mention` stands for the row's assignee. */
export function compileComments(
  rule: CommentsRule,
): (row: Row, mention: Piece, found: Findings) => Pick<Draft, 'comments'> {
  const writers = placedEntries(rule).map(({ entry: { each, ...entry } }) =>
    each === undefined ? compileEntry(entry) : compileListedComments({ ...entry, each }),
  );
  return (row, mention, found) => ({ comments: writers.flatMap((write) => write(row, mention, found)) });
}

function compileEntry({
  name = '',
  key,
  text: template,
}: Omit<CommentEntry, 'each'>): (row: Row, mention: Piece) => readonly CommentDraft[] {
  const render = compileTemplate(template);
  return (row, mention) => {
    const { pieces, empty } = render(row, mention);
    const text = empty ? '' : trimmed(withoutForeignMentions(pieces));
    if (text === '') return [];
    const cell = key === undefined ? '' : trimmed(row.cell(key) ?? '');
    return [{ id: cell === '' ? name : `${name}:${cell}`, text }];
  };
}
