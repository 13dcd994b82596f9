import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveProgramCommand } from '../../src/cli/invocation.ts';
import { folder } from '../sources/reading.ts';

function installed(root: string): string {
  const main = join(root, 'dist', 'command', 'main.js');
  mkdirSync(dirname(main), { recursive: true });
  writeFileSync(main, '');
  writeFileSync(join(root, 'package.json'), '{}');
  return main;
}

function linked(at: string, main: string): string {
  mkdirSync(dirname(at), { recursive: true });
  symlinkSync(main, at);
  return at;
}

test('in the checkout and below it, and in a project that has it, npx finds it', () => {
  const checkout = join(folder(), 'checkout');
  const main = installed(checkout);
  for (const cwd of [checkout, join(checkout, 'pipelines')])
    expect(resolveProgramCommand({ main, cwd, path: [] })).toBe('npx longshore');

  const project = folder();
  const own = installed(join(project, 'node_modules', 'longshore'));
  const bin = linked(join(project, 'node_modules', '.bin', 'longshore'), own);
  expect(resolveProgramCommand({ main: bin, cwd: join(project, 'a', 'b'), path: [] })).toBe('npx longshore');
});

test('elsewhere npx would fetch what somebody else registered: the global command, or the path', () => {
  const home = join(folder(), "it's here");
  const main = installed(join(home, 'lib', 'longshore'));
  const bin = linked(join(home, 'bin', 'longshore'), main);
  const cwd = folder();
  expect(resolveProgramCommand({ main: bin, cwd, path: [join(home, 'bin')] })).toBe('longshore');
  const typed = `node '${main.replace("'", "'\\''")}'`;
  expect(resolveProgramCommand({ main, cwd, path: [] })).toBe(typed);
  // Another program of that name comes first.
  const other = dirname(linked(join(folder(), 'longshore'), installed(join(folder(), 'other'))));
  expect(resolveProgramCommand({ main: bin, cwd, path: [other, join(home, 'bin')] })).toBe(typed);
  // npx puts folders into PATH that the user's shell does not have.
  const ofNpx = dirname(linked(join(folder(), 'node_modules', '.bin', 'longshore'), main));
  expect(resolveProgramCommand({ main, cwd, path: [ofNpx] })).toBe(typed);
});

test('a project between that has another longshore, or none, is where npx looks', () => {
  const checkout = join(folder(), 'checkout');
  const main = installed(checkout);
  const inner = join(checkout, 'inner');
  mkdirSync(join(inner, 'node_modules'), { recursive: true });
  expect(resolveProgramCommand({ main, cwd: inner, path: [] })).toBe(`node ${main}`);
});
