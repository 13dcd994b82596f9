import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { getCommandName, globalOptions } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { type CompletionSources, listCompletions } from '../../src/cli/completion/complete.ts';
import { completionFlag, completionScripts, completionShells } from '../../src/cli/completion/scripts.ts';
import { localCompletionSources } from '../../src/cli/completion/surroundings.ts';
import { run } from '../end-to-end/in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { controls, hostileName } from './hostile-text.ts';
import { atSite } from './site.ts';

const candidates = (...values: readonly string[]) => values.map((value) => ({ value, description: '' }));

const somewhere: CompletionSources = {
  pipelines: (kind) =>
    candidates(...(kind === 'export' ? [] : ['a.yaml']), ...(kind === 'import' ? [] : ['x.yaml'])),
  runs: async (workDir, command) => candidates(`${command}-of-${workDir}`),
  codes: async () => candidates('email.invalid', '4'),
};

async function completed(line: string): Promise<readonly string[]> {
  return (await listCompletions(line.split(' '), commands, somewhere)).map(({ value }) => value);
}

const global = [...Object.keys(globalOptions).map((flag) => `--${flag}`), '--help'];

describe('what Tab offers behind longshore', () => {
  it('commands', async () => {
    expect(await completed('')).toEqual(commands.map(getCommandName));
    expect(await completed('im')).toEqual(['import']);
    expect(await completed('--json im')).toEqual(['import']);
    expect(await completed('--work-dir import ex')).toEqual(['export', 'explain']);
    expect(await completed('help im')).toEqual(['import']);
    expect(await completed('nothing ')).toEqual([]);
  });

  it.each(commands.map((command) => ({ command, name: getCommandName(command) })))(
    'the options of $name, each once',
    async ({ command, name }) => {
      const own = Object.keys(command.options).map((flag) => `--${flag}`);
      expect([...(await completed(`${name} --`))].sort()).toEqual([...own, ...global].sort());
      expect(await completed(`${name} --json --js`)).toEqual([]);
    },
  );

  it.each([
    ['check ', ['a.yaml', 'x.yaml']],
    ['import ', ['a.yaml']],
    ['export ', ['x.yaml']],
    ['schedule a', ['a.yaml']],
    ['import a.yaml --progress ', ['bar', 'plain', 'none']],
    ['--progress p', ['plain']],
    ['import a.yaml --workspace ', ['sandbox']],
    ['import a.yaml --limit ', []],
    ['schedule a.yaml --for s', ['systemd']],
    ['status ', ['status-of-.longshore']],
    ['retry --work-dir w ', ['retry-of-w']],
    ['resume --work-dir ', []],
    ['schema ', ['fleet', 'mapping', 'pipeline', 'plan', 'rehearsal', 'seed', 'summary', 'verification']],
    ['completion ', ['bash', 'zsh', 'fish']],
    ['fleet re', ['resume', 'retry']],
    ['explain e', ['email.invalid']],
    ['runs ', ['--last', ...global].sort()],
    ['import a.yaml --q', ['--quiet']],
    ['draft ', []],
  ])('%j: %j', async (line, expected) => {
    const found = await completed(line);
    expect(line === 'runs ' ? [...found].sort() : found).toEqual(expected);
  });
});

describe('in a folder', () => {
  const folder = temporaryFolder();
  afterAll(folder.remove);
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  mkdirSync(join(folder.path, 'pipelines/nightly'), { recursive: true });
  write('mine.yaml', 'pipeline: mine\nimport:\n  source: { format: csv, path: a.csv }\n');
  write('with blank.yml', '# a comment\n"pipeline": mine\n"export": { to: out }\n');
  write('pipelines/nightly/out.yaml', 'pipeline: out\nexport: { to: out }\n');
  write('mapping.yaml', 'mapping: m\ncontact: {}\n');
  write(`${hostileName}.yaml`, 'pipeline: evil\nimport: {}\n');
  write('notes.txt', 'pipeline: no\n');

  const longshore = (...words: readonly string[]) =>
    run([completionFlag, ...words], {}, undefined, folder.path);

  it('pipelines are the YAML files that are pipelines, of the kind that the command takes', async () => {
    const { stdout } = await longshore('check', '');
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual(
      expect.arrayContaining(['mine.yaml', 'with blank.yml', 'pipelines/nightly/out.yaml']),
    );
    expect(stdout).not.toMatch(/mapping\.yaml|notes\.txt/);
    expect(stdout).not.toMatch(controls);
    expect((await longshore('export', '')).stdout).toBe('with blank.yml\t\npipelines/nightly/out.yaml\t\n');
    expect((await longshore('import', '')).stdout).not.toMatch(/with blank|out\.yaml/);
    expect((await longshore('export', 'pipe')).stdout).toBe('pipelines/nightly/out.yaml\t\n');
    expect((await longshore('import', 'm')).stdout).toBe('mine.yaml\t\n');
  });

  it('nothing else is ever printed, whatever is typed and whatever is broken', async () => {
    mkdirSync(join(folder.path, 'broken'));
    writeFileSync(join(folder.path, 'broken/journal.db'), 'no database');
    for (const words of [['nothing', ''], ['status', '--work-dir', 'broken', ''], ['--wat', 'x'], []]) {
      const ended = await longshore(...words);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).not.toContain('error');
    }
  });

  it('bash completes with what the script asks for', () => {
    const main = fileURLToPath(new URL('../../dist/command/main.js', import.meta.url));
    const bin = join(folder.path, 'longshore');
    writeFileSync(bin, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
    const press = (...words: readonly string[]) =>
      execFileSync(
        'bash',
        [
          '-c',
          `${completionScripts.bash}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _longshore; printf '%s\\n' "\${COMPREPLY[@]}"`,
          'bash',
          bin,
          ...words,
        ],
        { cwd: folder.path, encoding: 'utf8' },
      ).split('\n');
    expect(press('res')).toEqual(['resume', '']);
    expect(press('import', 'mi')).toEqual(['mine.yaml', '']);
    expect(press('export', 'w')).toEqual(['with\\ blank.yml', '']);
    expect(press('import', 'mine.yaml', '--progress', '')).toEqual(['bar', 'plain', 'none', '']);
    expect(press('draft', '')).toEqual(['', '']);
  });
});

it('runs are completed from the journal, as far as a command can take them', () =>
  atSite({ rows: 3 }, async (site) => {
    expect((await site.import()).code).toBe(0);
    const [{ run: id }] = JSON.parse((await site.longshore(['runs', '--json'])).stdout);
    const found = async (command: string) =>
      (await localCompletionSources.runs(site.workDir, command)).map(({ value }) => value);
    expect(await found('status')).toEqual([id]);
    expect(await found('retry')).toEqual([id]);
    expect(await found('resume')).toEqual([]);
    expect(await localCompletionSources.runs(join(site.folder, 'nothing here'), 'status')).toEqual([]);
  }));

it.each(completionShells)(
  'the script of %s asks for completions, and the shell accepts it where it is here',
  async (shell) => {
    const { stdout, code } = await run(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toBe(completionScripts[shell]);
    expect(stdout).toContain(completionFlag);
    const { status, error, stderr } = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    if (error === undefined) expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  },
);
