import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

test('the setup leaves packages alone that node_modules is only a link to', () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const clone = join(folder.path, 'clone');
  const packages = join(folder.path, 'packages');
  for (const each of [join(clone, 'src'), join(packages, 'zod')]) mkdirSync(each, { recursive: true });
  for (const file of ['package.json', 'package-lock.json', 'tsconfig.json', '.config/setup.mjs'])
    cpSync(file, join(clone, file));
  writeFileSync(join(clone, 'src/index.ts'), '');
  symlinkSync(packages, join(clone, 'node_modules'), 'junction');
  const { status, stderr } = spawnSync(process.execPath, ['.config/setup.mjs'], {
    cwd: clone,
    encoding: 'utf8',
  });
  expect(stderr).toContain('node_modules is a link to the packages of another folder');
  expect(status).toBe(2);
  expect(readdirSync(packages)).toEqual(['zod']);
});
