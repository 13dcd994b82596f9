import { trimmed } from '../../datatypes/index.ts';
import type { Cell, Row } from '../../model/row.ts';
import { parseTemplate } from '../template.ts';
import { compileColumn } from './read-column.ts';

/** A chunk of a template's text, and whether it came from the data or stands in the mapping. */
export interface Chunk {
  readonly text: string;
  readonly fromData: boolean;
}

/** What a template came to in one row. */
export interface Rendered {
  readonly chunks: readonly Chunk[];
  /** Whether the row has one of its columns at all; so it is where it inserts none. */
  readonly present: boolean;
  /** Whether all its cells are empty, or where it has none, all it mentions is nobody. */
  readonly empty: boolean;
}

/** Who is mentioned where nobody is. */
export const nobody: Chunk = { text: '', fromData: true };

/** Compiles a template; `mention` stands where it mentions the assignee. */
export function compileTemplate(template: string): (row: Row, mention?: Chunk) => Rendered {
  const parsed = parseTemplate(template);
  const parts = (parsed.ok ? parsed.parts : []).map((part) =>
    'column' in part ? { ...part, read: compileColumn(part.column) } : part,
  );
  const inserts = parts.some((part) => 'column' in part);
  const mentions = parts.some((part) => 'mention' in part);
  return (row, mention = nobody) => {
    const chunks: Chunk[] = [];
    let anyCell = false;
    let anyColumn = !inserts;
    for (const part of parts) {
      if ('text' in part) chunks.push({ text: afterEmpty(chunks, part.text), fromData: false });
      else if ('mention' in part) chunks.push(mention);
      else {
        const cells = part.read(row);
        anyColumn ||= cells !== undefined;
        const text = cells === undefined ? '' : joined(cells);
        anyCell ||= trimmed(text) !== '';
        chunks.push({ text, fromData: true });
      }
    }
    const empty = inserts ? !anyCell : mentions && mention.text === '';
    return { chunks, present: anyColumn, empty };
  };
}

/** An empty cell takes the blank behind it along where another stands before it: two names of three have one between them. */
function afterEmpty(chunks: readonly Chunk[], text: string): string {
  const isAfterEmpty = chunks.at(-1)?.fromData === true && trimmed(chunks.at(-1)?.text ?? '') === '';
  if (!isAfterEmpty || !text.startsWith(' ')) return text;
  const before = chunks.findLast((chunk) => chunk.text !== '')?.text ?? ' ';
  return /\s$/.test(before) ? text.slice(1) : text;
}

/** The cells of a list stand one after the other. */
function joined(cells: readonly Cell[]): string {
  const [only] = cells;
  if (cells.length === 1) return only ?? '';
  return cells.filter((cell) => trimmed(cell ?? '') !== '').join(', ');
}

/** The chunks as one text. */
export function textOf(chunks: readonly Chunk[]): string {
  return chunks.map(({ text }) => text).join('');
}
