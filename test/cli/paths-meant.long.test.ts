import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { run } from '../end-to-end/command.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const files = {
  'mine.csv': 'Name,Email\nAda,ada@example.test\n',
  '.mime.csv': 'Name,Email\n',
  'pipelines/import-mine.yaml':
    'pipeline: mine\nimport:\n  source: { format: csv, path: ../mine.csv }\n  mapping: ../mappings/mine.yaml\n',
  'mappings/mine.yaml': 'mapping: mine\ncontact: { firstName: { from: Name }, email: { from: Email } }\n',
  'dump/people.csv': 'Name,Email\n',
  'people.zip': 'PK',
  'answered.csv': 'Name\n',
  'kept.db': '',
  'exports/night/manifest.json': '{}',
  'fleet.yaml': 'fleet: f\n',
};
for (const [file, text] of Object.entries(files)) {
  mkdirSync(dirname(join(folder.path, file)), { recursive: true });
  writeFileSync(join(folder.path, file), text);
}

const typed = async (line: string) => {
  const { code, stderr } = await run(line.split(' '), {}, undefined, folder.path);
  return { code, stderr: stderr.replaceAll(`${folder.path}/`, '') };
};

describe('a path with a slip in it is answered with what was meant', () => {
  const pipeline = 'import pipelines/import-mine.yaml --workspace sandbox';
  it.each([
    ['import import-mine.yaml', 'pipelines/import-mine.yaml'],
    ['check pipelines/import-mien.yaml', 'pipelines/import-mine.yaml'],
    ['draft dmup', 'dump'],
    ['draft mime.csv', 'mine.csv'],
    [`${pipeline} --source dump/peple.csv`, 'dump/people.csv'],
    [`${pipeline} --approve answred.csv`, 'answered.csv'],
    [`${pipeline} --plan kpet.db`, 'kept.db'],
    ['verify exports/nigth', 'exports/night'],
    ['studio pipelines/import-mien.yaml', 'pipelines/import-mine.yaml'],
    ['fleet apply flet.yaml', 'fleet.yaml'],
  ])('%s', async (line, meant) => {
    const { code, stderr } = await typed(line);
    expect(code).toBe(2);
    expect(stderr).toContain(`; did you mean "${meant}"?`);
  });
});

it('nothing hidden is meant', async () => {
  expect((await typed('draft mimes.csv')).stderr).not.toContain('.mime.csv');
});

it.each([
  ['import mine.csv', 'mine.csv is data, not a pipeline', 'draft mine.csv'],
  ['plan people.zip', 'people.zip is data, not a pipeline', 'draft people.zip'],
  ['check dump', 'dump is a folder, not a pipeline', 'draft dump'],
  ['import pipelines', 'pipelines is a directory; the pipeline must be a YAML file', undefined],
])('%s says that it is no pipeline, and what to type', async (line, what, next) => {
  const { code, stderr } = await typed(line);
  expect(code).toBe(2);
  expect(stderr).toContain(what);
  if (next === undefined) expect(stderr).not.toContain('draft ');
  else expect(stderr).toContain(` ${next}\n`);
});

it('a file in place of an export or a run is no unexpected error', async () => {
  const { code, stderr } = await typed('verify mine.csv');
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('mine.csv') });
  expect(stderr).not.toContain('unexpected');
});
