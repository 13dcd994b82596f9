import type { Tone } from './outcome-words.ts';

/** Marks text for a terminal; without colour it returns the text as it is. */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly tone: (tone: Tone, text: string) => string;
}

const toneCodes: Readonly<Record<Tone, string>> = { good: '32', quiet: '2', look: '33', bad: '31' };

export function paint(colour: boolean): Paint {
  const mark = (code: string, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    bold: (text) => mark('1', text),
    dim: (text) => mark('2', text),
    tone: (tone, text) => mark(toneCodes[tone], text),
  };
}
