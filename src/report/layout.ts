import { randomUUID } from 'node:crypto';
import { escapeControls } from '../model/escape-controls.ts';
import type { Tone } from './words.ts';

/** Marks text for a terminal; without colour it returns the text as it is. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly tone: (tone: Tone, text: string) => string;
}

const toneCodes: Readonly<Record<Tone, string>> = { good: '32', quiet: '2', look: '33', bad: '31' };

// Nobody outside this process can write it: what comes from a file or a server never becomes a colour.
const secret = randomUUID();
const marks = new RegExp(`<${secret}:(\\d+)>`);

export function paint(colour: boolean): Paint {
  const mark = (code: string, text: string) => (colour ? `<${secret}:${code}>${text}<${secret}:0>` : text);
  return {
    bold: (text) => mark('1', text),
    dim: (text) => mark('2', text),
    tone: (tone, text) => mark(toneCodes[tone], text),
  };
}

/** What is written to a terminal: colours where `paint` put them, and every other control shown instead of obeyed. */
export function terminalText(text: string): string {
  return text
    .split(marks)
    .map((part, index) => (index % 2 === 1 ? `\u001b[${part}m` : escapeControls(part)))
    .join('');
}

/** Prose in lines that fit, with what the first line begins with and what all others do. */
export function wrapped(
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

/** A table's cells as lines of text, in columns that are as wide as they need be. */
export function alignedLines(
  table: readonly (readonly string[])[],
  rightAligned: readonly number[] = [],
): string[] {
  // Escaped before they are measured: what is shown in place of a control takes room.
  const rows = table.map((row) => row.map((cell) => escapeControls(cell)));
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

/** Blocks of lines with an empty line between them; one without lines is left out. */
export function inBlocks(blocks: readonly (readonly string[])[]): string {
  const shown = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}
