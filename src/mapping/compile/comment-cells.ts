import { htmlText, timestampReader, trimmed } from '../../datatypes/index.ts';
import type { Cell, ListedRow, Row } from '../../model/row.ts';
import type { CommentEntry } from '../schema/comments.ts';

type Way = (text: string) => string;

/** A row as a comment shows it: HTML as its text, dates in one form; behind the columns of a listed row stand those of the row itself. */
export function compileCommentCells({
  html,
  dates,
}: Pick<CommentEntry, 'html' | 'dates'>): (row: Row, listed?: ListedRow) => Row {
  const ways = new Map<string, Way>();
  for (const [column, format] of Object.entries(dates ?? {})) {
    const read = timestampReader(format);
    ways.set(column, (text) => read(trimmed(text)) ?? text);
  }
  for (const column of Array.isArray(html) ? html : []) ways.set(column, htmlText);
  const otherwise: Way = html === true ? htmlText : (text) => text;
  return (row, listed) => ({
    kind: 'row',
    line: row.line,
    sheet: row.sheet,
    cell(column): Cell | undefined {
      const own = listed?.cell(column);
      const cell = own === undefined ? row.cell(column) : own;
      return typeof cell === 'string' ? (ways.get(column) ?? otherwise)(cell) : cell;
    },
    entries: () => (listed ?? row).entries(),
    list: (name) => row.list?.(name),
  });
}
