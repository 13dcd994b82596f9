import { randomUUID } from 'node:crypto';
import { escapeControlCharacters } from '../model/escape-controls.ts';
import type { Tone } from './words.ts';

/** Marks text for a terminal; without colour, it returns the text unchanged. */
export interface TerminalStyler {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly tone: (tone: Tone, text: string) => string;
}

const toneCodes: Readonly<Record<Tone, string>> = { good: '32', quiet: '2', look: '33', bad: '31' };

// A random text that no file and no server can contain, so that their texts never become colours.
const secret = randomUUID();
const marks = new RegExp(`<${secret}:(\\d+)>`);

/** Returns a styler that marks colours for `toTerminalText`, or one that marks nothing. */
export function createTerminalStyler(colour: boolean): TerminalStyler {
  const mark = (code: string, text: string) => (colour ? `<${secret}:${code}>${text}<${secret}:0>` : text);
  return {
    bold: (text) => mark('1', text),
    dim: (text) => mark('2', text),
    tone: (tone, text) => mark(toneCodes[tone], text),
  };
}

/**
 * Returns a text for a terminal: the marks of a TerminalStyler become colours, and the text is escaped by
 * `escapeControlCharacters`.
 */
export function toTerminalText(text: string): string {
  return text
    .split(marks)
    .map((part, index) => (index % 2 === 1 ? `\u001b[${part}m` : escapeControlCharacters(part)))
    .join('');
}

/** Returns prose wrapped at `columns`; the first line begins with `first`, each other line with `indent`. */
export function wrapText(
  text: string,
  {
    columns = Number.POSITIVE_INFINITY,
    first = '',
    indent = '',
  }: { readonly columns?: number | undefined; readonly first?: string; readonly indent?: string },
): string {
  const [word = '', ...words] = text.split(' ');
  const lines: string[] = [];
  let line = first + word;
  for (const next of words) {
    if (line.length + 1 + next.length > columns) {
      lines.push(line);
      line = indent + next;
    } else line += ` ${next}`;
  }
  return [...lines, line].join('\n');
}

/** Returns the rows of a table as lines of text, with each column as wide as its widest cell. */
export function alignColumns(
  table: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string[] {
  // Cells are escaped before they are measured, because an escaped control character is wider.
  const rows = table.map((row) => row.map((cell) => escapeControlCharacters(cell)));
  const widths = new Map<number, number>();
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths.set(index, Math.max(widths.get(index) ?? 0, cell.length));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, index) => {
        const width = widths.get(index) ?? 0;
        return rightAligned.includes(index) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
}

/**
 * Returns blocks of lines as text with an empty line between them and a line break at the end; a block without lines
 * is left out.
 */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}
