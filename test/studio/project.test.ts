import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findProjectFolder } from '../../src/studio/server/project.ts';
import { atStudio, projectOfTest } from './at-studio.ts';

describe('the project folder', () => {
  it.each(['pipelines', 'mappings', '.longshore'])('is the nearest above with %s', (sign) => {
    const top = join(projectOfTest(), 'top');
    const deep = join(top, 'a/b');
    mkdirSync(deep, { recursive: true });
    mkdirSync(join(top, sign));
    writeFileSync(join(deep, 'people.csv'), 'a\n');
    expect(findProjectFolder(deep)).toBe(top);
    expect(findProjectFolder(join(deep, 'people.csv'))).toBe(top);
  });

  it('is the folder itself where there is none above, and never the home folder of what is in it', () => {
    const home = projectOfTest();
    const deep = join(home, 'a/b');
    mkdirSync(deep, { recursive: true });
    expect(findProjectFolder(deep, home)).toBe(deep);
    expect(findProjectFolder(home, home)).toBe(home);
    expect(findProjectFolder(dirname(deep), join(home, 'elsewhere'))).toBe(home);
  });
});

it('lists pipelines, mappings and inputs, by what they are, and nothing of hidden folders', async () => {
  const folder = projectOfTest();
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  write('pipelines/in.yaml', 'pipeline: in\nimport:\n  mapping: ../mappings/m.yaml\n');
  write('pipelines/out.yml', '"pipeline": out\nexport: { to: x }\n');
  write('mappings/m.yaml', 'mapping: m\ncontact: {}\n');
  write('people.csv', 'a\n');
  write('<img src=x>.csv', 'a\n');
  write('notes.md', 'pipeline: no\n');
  write('other.yaml', 'services: {}\n');
  write('.git/pipeline.yaml', 'pipeline: hidden\n');
  write('node_modules/x/pipeline.yaml', 'pipeline: foreign\n');
  const { call } = await atStudio({ folder });
  const { files, more } = await call('files', {});
  expect(files.map(({ path, kind }) => [path, kind])).toEqual([
    ['<img src=x>.csv', 'input'],
    ['people.csv', 'input'],
    ['mappings/m.yaml', 'mapping'],
    ['pipelines/in.yaml', 'import'],
    ['pipelines/out.yml', 'export'],
  ]);
  expect(more).toBe(false);
});

it('lists an uploaded file once, and no file of a run, where the work dir is a folder of the project', async () => {
  const folder = projectOfTest();
  const workDir = join(folder, 'work');
  for (const name of ['studio/uploads/people.csv', 'runs/20261127-120000-in/rejects.csv']) {
    mkdirSync(dirname(join(workDir, name)), { recursive: true });
    writeFileSync(join(workDir, name), 'a\n');
  }
  const { call } = await atStudio({ folder, workDir });
  const { files } = await call('files', {});
  expect(files.map(({ path }) => path)).toEqual(['work/studio/uploads/people.csv']);
});

it('says what it was opened with, from the project folder, and how its commands are typed', async () => {
  const folder = projectOfTest();
  const { call } = await atStudio({ folder });
  const project = await call('project', {});
  expect(project).toMatchObject({ readOnly: false, opened: null, typing: { program: 'npx longshore' } });
  expect(project.typing).not.toHaveProperty('workDir');
  expect(realpathSync(folder).endsWith(project.name)).toBe(true);
});
