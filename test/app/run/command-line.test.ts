import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { formatCommandLine, formatHint } from '../../../src/app/run/command-line.ts';
import { commandForHelp, currentCommand, hint } from '../../../src/model/command.ts';

test('a shell makes of a command line the words that were meant', () => {
  const printing = { program: "printf '%s\\n'", words: [], workDir: 'my dir', allowEnv: ['A', 'B'] };
  const file = "d;touch $(x) `y`/it's p.yaml";
  const line = formatCommandLine(['check', file], { workspace: 'https://x/v1?a&b' }, printing);
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' }).trimEnd().split('\n')).toEqual([
    ...['check', file, '--workspace', 'https://x/v1?a&b', '--work-dir', 'my dir', '--allow-env', 'A,B'],
  ]);
});

test('a command names the work dir and the variables of this process where it takes them', () => {
  const here = { program: 'longshore', words: ['import', 'p.yaml'], workDir: 'w', allowEnv: ['ACME'] };
  expect(formatCommandLine(['resume', 'r1'], {}, here)).toBe(
    'longshore resume r1 --work-dir w --allow-env ACME',
  );
  expect(formatCommandLine(['status'], {}, here)).toBe('longshore status --work-dir w');
  expect(formatCommandLine(['runs'], { workDir: 'other' }, here)).toBe('longshore runs --work-dir other');
  expect(formatHint(currentCommand('--allow-env', 'X'), here)).toBe('longshore import p.yaml --allow-env X');
  expect(formatHint(commandForHelp('check'), here)).toBe('longshore check --help');
  expect(formatHint(hint`See ${commandForHelp()}`, here)).toBe('See longshore --help');
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
