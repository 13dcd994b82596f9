import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readPipelineInputSettings } from '../../../src/app/preview/pipeline-input.ts';

const pipeline = 'import:\n  source: { format: csv, path: people.csv }\n  mapping: people.yaml\n';
const nothing = { mapping: null, input: null };

test.each([
  ['an alias', `x: &a 1\ny: *a\n${pipeline}`, nothing],
  ['a hundred thousand brackets', `x: ${'['.repeat(100_000)}\n${pipeline}`, nothing],
  // Comparing each key with all others took minutes, in which the studio answered nobody.
  [
    '40,000 keys',
    `values:\n${Array.from({ length: 40_000 }, (_, n) => `  key${n}: ${n}\n`).join('')}${pipeline}`,
    { input: { as: { format: 'csv' } } },
  ],
])(
  'a pipeline with %s is read as check reads it',
  async (_, text, found) => {
    const folder = mkdtempSync(join(tmpdir(), 'longshore-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'p.yaml');
    writeFileSync(file, text);
    expect(await readPipelineInputSettings(file)).toMatchObject(found);
  },
  20_000,
);

test('the system of the keys is no option of the format that the preview opens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'import-people.yaml');
  writeFileSync(
    file,
    'import:\n  source: { format: csv, path: people.csv, system: acme, delimiter: ";" }\n  mapping: people.yaml\n',
  );
  const found = await readPipelineInputSettings(file);
  expect(found.input?.as).toEqual({ format: 'csv', options: { delimiter: ';' } });
});
