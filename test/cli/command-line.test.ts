import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { getCommandName } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { run } from '../end-to-end/in-process.ts';

/** A slip, and the whole of what is said about it. */
const slips: readonly { readonly args: string; readonly says: string }[] = [
  {
    args: '',
    says: 'No command given.\n  npx longshore --help',
  },
  { args: 'imprt x', says: 'Unknown command "imprt"; did you mean "import"?\n  npx longshore --help' },
  { args: 'mine.yaml', says: 'Unknown command "mine.yaml".\n  npx longshore --help' },
  {
    args: '--wrk-dir x',
    says: 'Unknown option --wrk-dir; did you mean "--work-dir"?\n  npx longshore --help',
  },
  { args: '--work-dir', says: '--work-dir needs a value.\n  npx longshore --help' },
  {
    args: 'import',
    says: 'Missing argument PIPELINE. Usage: npx longshore import PIPELINE\n  npx longshore import --help',
  },
  {
    args: 'import x --frsh',
    says: 'Unknown option --frsh of import; did you mean "--fresh"?\n  npx longshore import --help',
  },
  {
    args: 'import x y',
    says: 'Unexpected argument "y". Usage: npx longshore import PIPELINE\n  npx longshore import --help',
  },
  { args: 'import x --limit', says: '--limit needs a value.\n  npx longshore import --help' },
  { args: 'import x --limit 1.5', says: '--limit takes a whole number from 1 on.' },
  {
    args: 'import x --approve y --full',
    says: '--approve and --full cannot be used together.\n  npx longshore import --help',
  },
  {
    args: 'import x --deferred --limit 5',
    says: '--deferred and --limit cannot be used together.\n  npx longshore import --help',
  },
  {
    args: 'import x --phase held',
    says: 'Unknown option --phase of import; did you mean "--deferred"?\n  npx longshore import --help',
  },
  { args: 'import x --approve', says: '--approve needs a value.\n  npx longshore import --help' },
  {
    args: 'retry x --limit 5',
    says: 'Unknown option --limit of retry.\n  npx longshore retry --help',
  },
  { args: 'runs --last none', says: '--last takes a whole number from 1 on.' },
  {
    args: 'schema mappin',
    says: 'npx longshore schema KIND takes fleet or mapping or pipeline or plan or rehearsal or seed or summary or verification, not "mappin"; did you mean "mapping"?\n  npx longshore schema --help',
  },
  {
    args: 'sandbox --existing dup',
    says: '--existing takes refuse or duplicate, not "dup".\n  npx longshore sandbox --help',
  },
  {
    args: 'runs --progress bars',
    says: '--progress takes bar or plain or none, not "bars"; did you mean "bar"?\n  npx longshore runs --help',
  },
  {
    args: 'fleet aply',
    says: 'npx longshore fleet ACTION [NAME] [PIPELINE] takes init or apply or up or status or metrics or run or pause or resume or retry or approve or continue or forget or drain or deploy, not "aply"; did you mean "apply"?\n  npx longshore fleet --help',
  },
  {
    args: 'fleet init now',
    says: 'Unexpected argument "now". Usage: npx longshore fleet init\n  npx longshore fleet --help',
  },
  { args: 'help imprt', says: 'Unknown command "imprt"; did you mean "import"?\n  npx longshore --help' },
  {
    args: 'explain emial.invalid',
    says: 'Unknown code "emial.invalid"; did you mean "email.invalid"?\n  See all with: npx longshore explain',
  },
  {
    args: 'explain nothing.at.all',
    says: 'Unknown code "nothing.at.all".\n  See all with: npx longshore explain',
  },
  {
    args: 'explain email.invalid 4',
    says: 'Unexpected argument "4". Usage: npx longshore explain [CODE]\n  npx longshore explain --help',
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
  // `help help` is the help of all.
  const others = commands.filter((command) => getCommandName(command) !== 'help');
  it.concurrent.each(others.map(({ usage, options }) => ({ usage, flags: Object.keys(options) })))(
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

  it.concurrent.each([
    ['help import', 'import --help'],
    ['help', '--help'],
    ['-h', '--help'],
    ['import -h', 'import --help'],
  ])('longshore %s is longshore %s', async (one, other) => {
    expect(await run(one.split(' '))).toEqual(await run(other.split(' ')));
  });

  it('names every command, and the exit codes', async () => {
    const { code, stdout } = await run(['--help']);
    expect(code).toBe(0);
    for (const { usage } of commands) expect(stdout).toContain(`npx longshore ${usage}`);
    expect(stdout).toContain('Exit codes: 0 done');
  });
});

it.concurrent.each(['--version', '-V', '--version import mine.yaml'])(
  'the version is a plain line (%s)',
  async (words) => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await run(words.split(' '))).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  },
);
