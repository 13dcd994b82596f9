import { trimWhiteSpace } from '../../datatypes/index.ts';
import type { Cell, Row } from '../../model/row.ts';
import { parseTemplate } from '../template.ts';
import { compileColumnReader } from './read-column.ts';

/** A chunk of a template's text; `fromData` is true if it came from the data and not from the mapping. */
export interface TemplateChunk {
  readonly text: string;
  readonly fromData: boolean;
}

/** The result of a template for one row. */
export interface RenderedTemplate {
  readonly chunks: readonly TemplateChunk[];
  /** True if the row has at least one column of the template, or if the template has no columns. */
  readonly present: boolean;
  /** True if all cells are empty; for a template without columns, if its mention has no user. */
  readonly empty: boolean;
}

/** The empty chunk that a mention of the assignee inserts where the row names no user. */
export const noMention: TemplateChunk = { text: '', fromData: true };

/** Compiles a template; `mention` is the text inserted where it mentions the assignee. */
export function compileTemplate(template: string): (row: Row, mention?: TemplateChunk) => RenderedTemplate {
  const parsed = parseTemplate(template);
  const parts = (parsed.ok ? parsed.parts : []).map((part) =>
    'column' in part ? { ...part, read: compileColumnReader(part.column) } : part,
  );
  const inserts = parts.some((part) => 'column' in part);
  const mentions = parts.some((part) => 'mention' in part);
  return (row, mention = noMention) => {
    const chunks: TemplateChunk[] = [];
    let anyCell = false;
    let anyColumn = !inserts;
    for (const part of parts) {
      if ('text' in part) chunks.push({ text: afterEmpty(chunks, part.text), fromData: false });
      else if ('mention' in part) chunks.push(mention);
      else {
        const cells = part.read(row);
        anyColumn ||= cells !== undefined;
        const text = cells === undefined ? '' : joined(cells);
        anyCell ||= trimWhiteSpace(text) !== '';
        chunks.push({ text, fromData: true });
      }
    }
    const empty = inserts ? !anyCell : mentions && mention.text === '';
    return { chunks, present: anyColumn, empty };
  };
}

/**
 * Removes the space after an empty cell if white space or nothing precedes the cell, so that a name without its
 * middle part has one space.
 */
function afterEmpty(chunks: readonly TemplateChunk[], text: string): string {
  const isAfterEmpty = chunks.at(-1)?.fromData === true && trimWhiteSpace(chunks.at(-1)?.text ?? '') === '';
  if (!isAfterEmpty || !text.startsWith(' ')) return text;
  const before = chunks.findLast((chunk) => chunk.text !== '')?.text ?? ' ';
  return /\s$/.test(before) ? text.slice(1) : text;
}

/** Returns the non-empty cells of a list, joined by commas; a single cell is returned unchanged. */
function joined(cells: readonly Cell[]): string {
  const [only] = cells;
  if (cells.length === 1) return only ?? '';
  return cells.filter((cell) => trimWhiteSpace(cell ?? '') !== '').join(', ');
}

/** Returns the chunks as one text. */
export function joinChunks(chunks: readonly TemplateChunk[]): string {
  return chunks.map(({ text }) => text).join('');
}

/**
 * Returns the chunks without the lines of the template that insert only empty cells: of a comment with a line for each
 * column, those of the row's values stay.
 */
export function withoutEmptyLines(chunks: readonly TemplateChunk[]): readonly TemplateChunk[] {
  const lines: TemplateChunk[][] = [[]];
  for (const { text, fromData } of chunks) {
    const [first = '', ...more] = fromData ? [text] : text.split('\n');
    lines.at(-1)?.push({ text: first, fromData });
    for (const line of more) lines.push([{ text: line, fromData }]);
  }
  const kept = lines.filter((line) => {
    const inserted = line.filter(({ fromData }) => fromData);
    return inserted.length === 0 || inserted.some(({ text }) => trimWhiteSpace(text) !== '');
  });
  return kept.flatMap((line, at) => (at === 0 ? line : [{ text: '\n', fromData: false }, ...line]));
}
