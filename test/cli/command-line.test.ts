import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../end-to-end/command.ts';

/** A slip, and the whole of what is said about it. */
const slips: readonly { readonly args: string; readonly says: string }[] = [
  {
    args: '',
    says: 'a command is missing: check, draft, import, export, resume, retry, status, runs, schedule, sandbox, schema.\n  npx longshore --help',
  },
  { args: 'imprt x', says: 'there is no command "imprt"; did you mean "import"?\n  npx longshore --help' },
  { args: 'mine.yaml', says: 'there is no command "mine.yaml".\n  npx longshore --help' },
  {
    args: '--wrk-dir x',
    says: 'there is no flag --wrk-dir; did you mean "--work-dir"?\n  npx longshore --help',
  },
  { args: '--work-dir', says: '--work-dir needs a value.\n  npx longshore --help' },
  {
    args: 'import',
    says: 'something is missing: the command is npx longshore import PIPELINE.\n  npx longshore import --help',
  },
  {
    args: 'import x --frsh',
    says: 'there is no flag --frsh for import; did you mean "--fresh"?\n  npx longshore import --help',
  },
  {
    args: 'import x y',
    says: '"y" is one word too many: the command is npx longshore import PIPELINE.\n  npx longshore import --help',
  },
  { args: 'import x --limit', says: '--limit needs a value.\n  npx longshore import --help' },
  { args: 'import x --limit 1.5', says: '--limit takes a whole number from 1 on.' },
  {
    args: 'import x --approve y --full',
    says: '--approve and --full exclude each other.\n  npx longshore import --help',
  },
  {
    args: 'import x --phase held --limit 5',
    says: '--phase and --limit exclude each other.\n  npx longshore import --help',
  },
  {
    args: 'import x --phase hold',
    says: '--phase takes held, not "hold"; did you mean "held"?\n  npx longshore import --help',
  },
  { args: 'import x --approve', says: '--approve needs a value.\n  npx longshore import --help' },
  {
    args: 'retry x --limit 5',
    says: 'there is no flag --limit for retry.\n  npx longshore retry --help',
  },
  { args: 'runs --last none', says: '--last takes a whole number from 1 on.' },
  {
    args: 'schema mappin',
    says: 'npx longshore schema KIND takes mapping or pipeline, not "mappin"; did you mean "mapping"?\n  npx longshore schema --help',
  },
  {
    args: 'sandbox --existing dup',
    says: '--existing takes refuse or duplicate, not "dup".\n  npx longshore sandbox --help',
  },
  { args: 'sandbox --port 70000', says: '--port takes a whole number from 0 to 65535.' },
  { args: 'sandbox --faults 1', says: '--faults takes a number from 0 to 0.1.' },
];

describe('a slip on the command line', () => {
  it.concurrent.each(slips)('longshore $args', async ({ args, says }) => {
    const ended = await run(args.split(' ').filter(Boolean));
    expect(ended).toEqual({ code: 2, signal: null, stdout: '', stderr: `error: ${says}\n` });
  });
});

describe('help', () => {
  it.concurrent.each(commands.map(({ usage, flags }) => ({ usage, flags })))(
    'of $usage',
    async ({ usage, flags }) => {
      const [name = ''] = usage.split(' ');
      const { code, stdout, stderr } = await run([name, '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^npx longshore ${name}`));
      for (const flag of [...flags, 'json', 'quiet', 'workspace', 'work-dir']) {
        expect(stdout).toMatch(new RegExp(`^ +--${flag} +\\S`, 'm'));
      }
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
    },
  );

  it('names every command, and the exit codes', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    for (const { usage } of commands) expect(stdout).toContain(`npx longshore ${usage}`);
    expect(stdout).toContain('Exit codes: 0 done');
  });
});

it('the version is a plain line', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await run(['--version'])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});
