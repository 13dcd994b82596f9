import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { folder, open, readingOf } from './reading.ts';

const sample = fileURLToPath(new URL('../../fixtures/sample', import.meta.url));

test('the sample is what its generator writes', () => {
  const again = folder();
  execFileSync(process.execPath, [join(sample, 'generate.mjs'), again]);
  for (const name of ['contacts.csv', 'workspace.json', 'expected.json']) {
    expect(readFileSync(join(again, name)).equals(readFileSync(join(sample, name))), name).toBe(true);
  }
});

test('the sample is read as expected: every line, and every one that cannot be parsed', async () => {
  const expected: { rows: { line: number; code?: string }[] } = JSON.parse(
    readFileSync(join(sample, 'expected.json'), 'utf8'),
  );
  const { rows, broken } = await readingOf(open(join(sample, 'contacts.csv')));
  const lines = [...rows, ...broken].map(({ line }) => line).sort((a, b) => a - b);
  expect(lines).toEqual(expected.rows.map(({ line }) => line));
  expect(broken.map(({ line, problem }) => ({ line, code: problem.code }))).toEqual(
    expected.rows.flatMap(({ line, code }) => (code?.startsWith('row.') ? [{ line, code }] : [])),
  );
});
