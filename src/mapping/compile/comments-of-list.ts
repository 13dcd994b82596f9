import { trimmed } from '../../datatypes/index.ts';
import type { CommentDraft } from '../../model/draft.ts';
import type { ListedRow, Row } from '../../model/row.ts';
import type { CommentEntry } from '../schema/comments.ts';
import type { Findings } from './findings.ts';
import { withoutForeignMentions } from './mention.ts';
import { compileTemplate, type Piece } from './template.ts';

type ListEntry = Omit<CommentEntry, 'each'> & { readonly each: string };

/** One comment for each row of a list; those that cannot be told from another are left out and noted. */
export function compileListedComments(
  entry: ListEntry,
): (row: Row, mention: Piece, found: Findings) => readonly CommentDraft[] {
  const { each, key: keyColumn = '', order } = entry;
  const name = entry.name ?? each;
  const render = compileTemplate(entry.text);
  return (row, mention, { notes }) => {
    const comments = new Map<string, CommentDraft>();
    for (const listed of inOrder(row.list?.(each) ?? [], order)) {
      const { pieces, empty } = render(within(listed, row), mention);
      const text = empty ? '' : trimmed(withoutForeignMentions(pieces));
      if (text === '') continue;
      const key = trimmed(listed.cell(keyColumn) ?? '');
      const id = `${name}:${key}`;
      const same = comments.get(id);
      if (key === '') {
        notes.push({ code: 'comments.noKey', column: keyColumn, reason: noKey(each, keyColumn) });
      } else if (same === undefined) comments.set(id, { id, text });
      else if (same.text !== text) {
        notes.push({ code: 'comments.sameKey', column: keyColumn, reason: sameKey(each, keyColumn, key) });
      }
    }
    return [...comments.values()];
  };
}

function noKey(each: string, key: string): string {
  return `A row of ${each} has no ${key}, so its comment could not be told from others and was left out.`;
}

function sameKey(each: string, column: string, key: string): string {
  return `Two rows of ${each} have the ${column} ${JSON.stringify(key)}; the comment of the second was left out.`;
}

/** A listed row as its template sees it: its own columns, and behind them those of the row that has the list. */
function within(listed: ListedRow, row: Row): Row {
  return {
    kind: 'row',
    line: row.line,
    cell(column) {
      const own = listed.cell(column);
      return own === undefined ? row.cell(column) : own;
    },
    entries: () => listed.entries(),
    list: (name) => row.list?.(name),
  };
}

/** In the order of a column: numbers by their size, others as text; rows without a value come last, equals stay as they were. */
function inOrder(rows: readonly ListedRow[], column: string | undefined): readonly ListedRow[] {
  if (column === undefined) return rows;
  const placed = rows.map((row) => ({ row, place: trimmed(row.cell(column) ?? '') }));
  const numeric = placed.every(({ place }) => place === '' || number.test(place));
  const before = numeric
    ? (a: string, b: string): number => Number(a) - Number(b)
    : (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  placed.sort((a, b) => {
    if (a.place === '' || b.place === '') return Number(a.place === '') - Number(b.place === '');
    return before(a.place, b.place);
  });
  return placed.map(({ row }) => row);
}

const number = /^-?\d+(?:\.\d+)?$/;
