import type { Builder } from './builder.ts';
import { jsonOf, ndjson } from './ndjson.ts';

export const json: Builder = {
  ...ndjson,
  extension: 'json',
  build: (people) => Buffer.from(`[\n${Array.from(people, jsonOf).join(',\n')}\n]`),
  inOneLine: (people) => Buffer.from(`[${people.map(jsonOf).join(',')}]`),
  broken: {
    build: (before, after) => Buffer.from(`[${jsonOf(before)}, {"name": [1, 2}, ${jsonOf(after)}]`),
    code: 'row.json',
  },
};
