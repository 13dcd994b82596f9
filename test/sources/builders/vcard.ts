import type { Builder, Person } from './builder.ts';

/** A card of version 4.0 with these properties. */
export function card(...properties: readonly string[]): string {
  return `${['BEGIN:VCARD', 'VERSION:4.0', ...properties, 'END:VCARD'].join('\r\n')}\r\n`;
}

/** Text as a value holds it. */
export function escaped(text: string): string {
  return text.replace(/[\\,;]/g, '\\$&').replaceAll('\n', '\\n');
}

function ofPerson({ id, name, note }: Person): string {
  return card(`UID:${escaped(id)}`, `FN:${escaped(name)}`, `NOTE:${escaped(note)}`);
}

export const vcard: Builder = {
  extension: 'vcf',
  columns: { id: 'UID', name: 'FN', note: 'NOTE' },
  build: (people) => Buffer.from(Array.from(people, ofPerson).join('')),
  lines: (people) => people.map((_, at) => 1 + at * 6),
  inOneLine: null,
  broken: {
    build: (before, after) => Buffer.from(ofPerson(before) + card('FN Bob') + ofPerson(after)),
    code: 'row.malformed',
  },
  encodings: ['utf-8', 'utf-16', 'windows-1252'],
  // A card that lacks its last line end is whole.
  cuts: (whole) => [whole.length / 3, (whole.length / 3) * 2, whole.lastIndexOf('END:')],
};
