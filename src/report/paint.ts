import { randomUUID } from 'node:crypto';
import { escapeControls } from '../model/escape-controls.ts';
import type { Tone } from './outcome-words.ts';

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
