import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadMapping } from '../../src/mapping/index.ts';
import { toCommand } from '../../src/model/command.ts';
import { loadImportPipeline } from '../../src/pipeline/index.ts';
import { withInputErrors } from '../../src/sources/plain-file.ts';
import { formatDidYouMeanPath } from '../../src/storage/path-meant.ts';
import { temporaryFolder } from '../temporary-folder.ts';

function project(...files: readonly string[]): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  for (const file of files) {
    mkdirSync(join(folder.path, file, '..'), { recursive: true });
    writeFileSync(join(folder.path, file), 'pipeline: x\n');
  }
  return folder.path;
}

it.each([
  ['pipelines/mine.yml', 'pipelines/mine.yaml'],
  ['mine.yaml', 'pipelines/mine.yaml'],
  ['mien.yaml', undefined],
  ['pipelines/mnie.yaml', 'pipelines/mine.yaml'],
  ['pipeline/mine.yaml', 'pipelines/mine.yaml'],
  ['piplines/mine.yml', 'pipelines/mine.yaml'],
  ['pipelines/mien.yaml', 'pipelines/mine.yaml'],
  ['pipelines/four.yaml', undefined],
  ['pipelines/hidden.yaml', undefined],
  ['pipelines/subfolder', undefined],
  ['pipelines/quite-another.yaml', undefined],
  ['nowhere/mine.yaml', undefined],
  ['nowhere/at/all/mine.yaml', undefined],
])('%s means %s', (typed, meant) => {
  const folder = project('pipelines/mine.yaml', 'pipelines/.hidden.yaml', 'pipelines/subfolders/x.yaml');
  expect(formatDidYouMeanPath(join(folder, typed))).toBe(
    meant === undefined ? '' : `; did you mean ${JSON.stringify(join(folder, meant))}?`,
  );
});

it('a pipeline, a mapping and an input that are not there are named with what was meant', async () => {
  const folder = project('mine.yaml', 'people.csv', '.secret.csv');
  const path = (name: string) => join(folder, name);
  const meant = (name: string) => `; did you mean ${JSON.stringify(path(name))}?`;
  await expect(loadImportPipeline(path('mime.yaml'))).rejects.toMatchObject({
    message: `There is no pipeline at ${path('mime.yaml')}${meant('mine.yaml')}`,
  });
  await expect(loadMapping(path('mime.yaml'))).rejects.toMatchObject({
    message: `There is no mapping at ${path('mime.yaml')}${meant('mine.yaml')}`,
  });
  const missing = Object.assign(new Error('gone'), { code: 'ENOENT' });
  const tried = withInputErrors(path('peple.csv'), Promise.reject(missing));
  await expect(tried).rejects.toMatchObject({
    message: `${path('peple.csv')} does not exist${meant('people.csv')}`,
    next: 'Check the path; in YAML it is relative to the YAML file (there are: mine.yaml, people.csv).',
  });
});

it.each([
  ['people.csv', 'Name,Email\n', true],
  ['people.CSV', 'Name,Email\n', true],
  ['people.xlsx', 'PK', true],
  ['people.json', '\n [{"name":"Ada"}]', true],
  ['pipeline.json', '{"pipeline":"p","more":1}', false],
  ['pipeline.yaml', 'pipeline: p\nmore: 1\n', false],
])('%s in place of a pipeline', async (name, text, isData) => {
  const path = join(project(), name);
  writeFileSync(path, text);
  await expect(loadImportPipeline(path)).rejects.toMatchObject({
    reason: 'usage',
    ...(isData
      ? {
          message: `${path} is data, not a pipeline: draft a pipeline for it first.`,
          next: [toCommand('draft', path)],
        }
      : { message: expect.stringContaining('the key "more" is not known here') }),
  });
});
