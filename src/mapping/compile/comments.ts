import { trimmed } from '../../datatypes/index.ts';
import type { CommentDraft, Draft } from '../../model/draft.ts';
import type { Row } from '../../model/row.ts';
import type { Note } from '../document/mistake.ts';
import { type CommentEntry, type CommentsRule, placedEntries } from '../schema/comments.ts';
import { withoutForeignMentions } from './mention.ts';
import { compileTemplate, type Piece } from './template.ts';

/** `comments:`, in the file's order; `mention` stands for the row's assignee. */
export function compileComments(
  rule: CommentsRule,
  note: Note,
): (row: Row, mention: Piece) => Pick<Draft, 'comments'> {
  const writers = placedEntries(rule).flatMap(({ entry, path }) => {
    if (entry.each === undefined) return [compileEntry(entry)];
    const table = JSON.stringify(entry.each);
    note(
      [...path, 'each'],
      `Longshore does not read joined tables yet; take the comments of ${table} out of the mapping`,
    );
    return [];
  });
  return (row, mention) => {
    const comments: CommentDraft[] = [];
    for (const write of writers) {
      const comment = write(row, mention);
      if (comment) comments.push(comment);
    }
    return { comments };
  };
}

function compileEntry({
  name = '',
  key,
  text: template,
}: CommentEntry): (row: Row, mention: Piece) => CommentDraft | undefined {
  const render = compileTemplate(template);
  return (row, mention) => {
    const { pieces, empty } = render(row, mention);
    const text = empty ? '' : trimmed(withoutForeignMentions(pieces));
    if (text === '') return undefined;
    const cell = key === undefined ? '' : trimmed(row.cell(key) ?? '');
    return { id: cell === '' ? name : `${name}:${cell}`, text };
  };
}
