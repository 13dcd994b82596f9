import { trimmed } from '../../datatypes/index.ts';
import type { Cell, Row } from '../../model/row.ts';
import { parseTemplate } from '../template.ts';
import { compileColumn } from './read-column.ts';

/** A piece of a template's text, and whether it came from the data or stands in the mapping. */
export interface Piece {
  readonly text: string;
  readonly fromData: boolean;
}

/** What a template came to in one row. */
export interface Rendered {
  readonly pieces: readonly Piece[];
  /** Whether the row has one of its columns at all; so it is where it inserts none. */
  readonly present: boolean;
  /** Whether all its cells are empty, or where it has none, all it mentions is nobody. */
  readonly empty: boolean;
}

/** Who is mentioned where nobody is. */
export const nobody: Piece = { text: '', fromData: true };

/** Compiles a template; `mention` stands where it mentions the assignee. */
export function compileTemplate(template: string): (row: Row, mention?: Piece) => Rendered {
  const parsed = parseTemplate(template);
  const parts = (parsed.ok ? parsed.parts : []).map((part) =>
    'column' in part ? { ...part, read: compileColumn(part.column) } : part,
  );
  const inserts = parts.some((part) => 'column' in part);
  const mentions = parts.some((part) => 'mention' in part);
  return (row, mention = nobody) => {
    const pieces: Piece[] = [];
    let anyCell = false;
    let anyColumn = !inserts;
    for (const part of parts) {
      if ('text' in part) pieces.push({ text: afterEmpty(pieces, part.text), fromData: false });
      else if ('mention' in part) pieces.push(mention);
      else {
        const cells = part.read(row);
        anyColumn ||= cells !== undefined;
        const text = cells === undefined ? '' : joined(cells);
        anyCell ||= trimmed(text) !== '';
        pieces.push({ text, fromData: true });
      }
    }
    const empty = inserts ? !anyCell : mentions && mention.text === '';
    return { pieces, present: anyColumn, empty };
  };
}

/** An empty cell takes the blank behind it along where another stands before it: two names of three have one between them. */
function afterEmpty(pieces: readonly Piece[], text: string): string {
  const isAfterEmpty = pieces.at(-1)?.fromData === true && trimmed(pieces.at(-1)?.text ?? '') === '';
  if (!isAfterEmpty || !text.startsWith(' ')) return text;
  const before = pieces.findLast((piece) => piece.text !== '')?.text ?? ' ';
  return /\s$/.test(before) ? text.slice(1) : text;
}

/** The cells of a list stand one after the other. */
function joined(cells: readonly Cell[]): string {
  const [only] = cells;
  if (cells.length === 1) return only ?? '';
  return cells.filter((cell) => trimmed(cell ?? '') !== '').join(', ');
}

/** The pieces as one text. */
export function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}
