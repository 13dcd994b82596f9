import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pipelineInput } from '../../../src/runs/preview/pipeline-input.ts';

test('the system of the keys is no option of the format that the preview opens', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'import-people.yaml');
  writeFileSync(
    file,
    'import:\n  source: { format: csv, path: people.csv, system: acme, delimiter: ";" }\n  mapping: people.yaml\n',
  );
  const found = await pipelineInput(file);
  expect(found.input?.as).toEqual({ format: 'csv', options: { delimiter: ';' } });
});
