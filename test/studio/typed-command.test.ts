import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { formatCommandLine } from '../../src/app/run/command-line.ts';
import { ProjectPathResolver } from '../../src/studio/server/project.ts';
import { parseStudioCommandLine } from '../../src/studio/server/typed-command.ts';
import { formatStudioCommandLine, type StudioCommand } from '../../src/studio/wire/command.ts';
import { usualInvocation } from '../invocation.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { projectOfTest } from './at-studio.ts';

const program = 'npx longshore';

it.each<StudioCommand>([
  { command: 'resume', run: '20260301-091500-people' },
  { command: 'retry', run: 'r', from: ".longshore/runs/r/it's here.csv" },
  { command: 'retry', run: 'r', decided: '.longshore/runs/r/uncertain.csv' },
  { command: 'retry', run: 'r', resend: true },
  { command: 'import', pipeline: 'my pipeline.yaml', approve: 'merge-proposals.csv', workspace: 'sandbox' },
  { command: 'import', pipeline: 'p.yaml', deferred: true, fresh: true },
  { command: 'export', pipeline: 'p.yaml', accept: true },
])('%j is read again from its line', (described) => {
  const folder = projectOfTest();
  const files = new ProjectPathResolver(folder, join(folder, '.longshore'));
  const typing = { program, workDir: '/w d', allowEnv: ['A', 'B'] };
  expect(parseStudioCommandLine(formatStudioCommandLine(described, typing), program, files)).toEqual(
    described,
  );
});

it('absolute paths of the project are named from its folder; a command about others is not started', () => {
  const folder = projectOfTest();
  const outside = temporaryFolder();
  onTestFinished(() => outside.remove());
  mkdirSync(join(folder, '.longshore'));
  symlinkSync(outside.path, join(folder, 'link'));
  const files = new ProjectPathResolver(folder, join(folder, '.longshore'));
  const read = (...words: readonly string[]) =>
    parseStudioCommandLine(formatCommandLine(words, {}, usualInvocation), program, files);
  expect(read('retry', 'r', '--from', join(folder, '.longshore/runs/r/rejects.csv'))).toEqual({
    ...{ command: 'retry', run: 'r' },
    from: '.longshore/runs/r/rejects.csv',
  });
  expect(read('import', join(outside.path, 'p.yaml'))).toBeUndefined();
  expect(read('import', join(folder, 'link/p.yaml'))).toBeUndefined();
  expect(read('prune', '--keep', '3')).toBeUndefined();
  expect(parseStudioCommandLine('rm -rf /', program, files)).toBeUndefined();
});
