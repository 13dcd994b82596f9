import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import {
  currentCommandLine,
  formatCommandLine,
  helpCommandLine,
  setInvocation,
} from '../../../src/app/run/command-line.ts';

const usual = { program: 'npx longshore', words: [], allowEnv: [] };
afterEach(() => setInvocation(usual));

test('a shell makes of a command line the words that were meant', () => {
  setInvocation({ ...usual, program: "printf '%s\\n'", workDir: 'my dir', allowEnv: ['A', 'B'] });
  const file = "d;touch $(x) `y`/it's p.yaml";
  const line = formatCommandLine(['check', file], { workspace: 'https://x/v1?a&b' });
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
    ...['check', file, '--workspace', 'https://x/v1?a&b', '--work-dir', 'my dir', '--allow-env', 'A,B'],
  ]);
});

test('a command names the work dir and the variables of this process where it takes them', () => {
  setInvocation({ program: 'longshore', words: ['import', 'p.yaml'], workDir: 'w', allowEnv: ['ACME'] });
  expect(formatCommandLine(['resume', 'r1'])).toBe('longshore resume r1 --work-dir w --allow-env ACME');
  expect(formatCommandLine(['status'])).toBe('longshore status --work-dir w');
  expect(formatCommandLine(['runs'], { workDir: 'other' })).toBe('longshore runs --work-dir other');
  expect(currentCommandLine('--allow-env', 'X')).toBe('longshore import p.yaml --allow-env X');
  expect(helpCommandLine('check')).toBe('longshore check --help');
});

test('no other place of the program writes a command by hand', () => {
  const src = fileURLToPath(new URL('../../../src/', import.meta.url));
  const written = readdirSync(src, { recursive: true, encoding: 'utf8' })
    // What explain says is prose, for whatever run and folder: it holds no values.
    .filter((name) => name.endsWith('.ts') && !name.startsWith(join('cli', 'explain')))
    .filter((name) => name !== join('app', 'run', 'command-line.ts'))
    .flatMap((name) =>
      readFileSync(join(src, name), 'utf8')
        .split('\n')
        .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
        .filter((line) =>
          /\bnpx longshore\b(?!')|\blongshore (?:check|draft|import|export|resume|retry|status|runs|schedule|sandbox|schema|\$\{)/.test(
            line,
          ),
        )
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(written).toEqual([]);
});
