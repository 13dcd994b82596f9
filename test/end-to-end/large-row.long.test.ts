import { closeSync, openSync, writeSync } from 'node:fs';
import { expect, it } from 'vitest';
import { start } from './command.ts';
import { givenTo } from './given-file.ts';
import { endWithPeak, tellsPeakMemory } from './peak-memory.ts';

const piece = Buffer.alloc(1e6, 'a');

/** Writes 100 MB of one letter between these. */
const hundredMegabytes = (before: string, after: string) => (path: string) => {
  const file = openSync(path, 'w');
  writeSync(file, before);
  for (let n = 0; n < 100; n += 1) writeSync(file, piece);
  writeSync(file, after);
  closeSync(file);
};

const table = 'CREATE TABLE people (name text, note text, __proto__ text);\n';

it.each([
  {
    format: 'csv',
    content: hundredMegabytes('name,note,__proto__\nAda,', ',ada@example.com\nBob,,bob@example.com\n'),
    line: '2',
  },
  {
    format: 'ndjson',
    content: hundredMegabytes('{"a":"', '"}\n{"name":{"full":"Bob"},"__proto__":"bob@example.com"}\n'),
    line: '1',
  },
  {
    format: 'json',
    content: hundredMegabytes('[{"a":"', '"},{"name":{"full":"Bob"},"__proto__":"bob@example.com"}]\n'),
    line: '1',
  },
  {
    format: 'sql',
    content: hundredMegabytes(
      `${table}INSERT INTO people VALUES ('Ada','`,
      "','ada@example.com'),('Bob','','bob@example.com');\n",
    ),
    line: '2',
  },
])('a row of 100 MB in $format is rejected, in little memory', async ({ format, content, line }) => {
  const input = { format, file: 'people', content };
  const { outcome, ended } = await givenTo((args) => endWithPeak(start(args)), 'import', input);
  const { code, rejected } = outcome;
  expect({ code, rejected }).toEqual({ code: 3, rejected: [[line, 'row.tooLarge']] });
  if (tellsPeakMemory) expect(ended.peak).toBeGreaterThan(0);
  expect(ended.peak).toBeLessThan(300e6);
});
