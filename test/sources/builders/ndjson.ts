import type { Builder, Person } from './builder.ts';

/** A person as an object on one line; keys may be anything, also what an object has by nature. */
export function jsonOf({ id, name, note }: Person): string {
  return `{"name":{"full":${JSON.stringify(name)}},"":${JSON.stringify(note)},"__proto__":${JSON.stringify(id)}}`;
}

function lined(extension: string): Builder {
  return {
    extension,
    columns: { id: '__proto__', name: 'name.full', note: '' },
    build: (people) => Buffer.from(Array.from(people, jsonOf).join('\n')),
    lines: (people) => people.map((_, index) => index + 1),
    inOneLine: null,
    broken: {
      build: (before, after) => Buffer.from(`${jsonOf(before)}\n{"name":{"full":"x}}\n${jsonOf(after)}\n`),
      code: 'row.json',
    },
    encodings: ['utf-8', 'utf-16', 'windows-1252'],
  };
}

export const ndjson = lined('ndjson');
export const jsonl = lined('jsonl');
