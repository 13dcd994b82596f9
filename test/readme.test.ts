import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';
import { compileMapping, parseMapping, runExamples } from '../src/mapping/index.ts';
import { exitCodeOf } from '../src/runs/exit-code.ts';
import { loadPipeline } from '../src/runs/pipeline/index.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts';
import { run, start, temporaryFolder } from './end-to-end/command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const yaml = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text);
const mappings = yaml.filter((text) => /^mapping:/m.test(text));
const pipelines = yaml.filter((text) => /^pipeline:/m.test(text));
const shellLines = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim());
const typed = shellLines.filter((line) => line.startsWith('npx longshore '));

describe('the README', () => {
  const folder = temporaryFolder();
  let sandbox: Sandbox;

  beforeAll(async () => {
    for (const name of ['mappings', 'pipelines']) mkdirSync(join(folder.path, name));
    cpSync(join(root, 'fixtures'), join(folder.path, 'fixtures'), { recursive: true });
    cpSync(join(root, 'mappings'), join(folder.path, 'mappings'), { recursive: true });
    for (const text of yaml) {
      const file = /^# ((?:mappings|pipelines)\/\S+)/.exec(text)?.[1];
      if (file !== undefined) writeFileSync(join(folder.path, file), text);
    }
    sandbox = await startSandbox({ rate: 'off' });
  });

  afterAll(async () => {
    await sandbox.close();
    folder.remove();
  });

  it('has examples of both files and of commands', () => {
    expect(mappings.length).toBeGreaterThanOrEqual(2);
    expect(pipelines.length).toBeGreaterThanOrEqual(2);
    expect(typed.length).toBeGreaterThanOrEqual(5);
  });

  it.each(mappings)('shows a mapping whose own tests pass: %#', (text) => {
    const mapping = parseMapping(text, 'README.md');
    expect(compileMapping(mapping, {})).toBeTypeOf('function');
    const examples = runExamples(mapping);
    expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter(({ ok }) => !ok)).toEqual([]);
  });

  it.each(pipelines)('shows a pipeline that loads: %#', async (text) => {
    const file = join(folder.path, 'pipelines', 'shown.yaml');
    writeFileSync(file, text);
    await expect(loadPipeline(file)).resolves.toMatchObject({ import: { source: { format: 'csv' } } });
  });

  it('shows commands that work as they are typed, in their order', async () => {
    const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
    for (const line of typed.filter((each) => !each.startsWith('npx longshore sandbox'))) {
      const ended = await run(line.split(/\s+/).slice(2), env, undefined, folder.path);
      // 3: the sample's bad rows.
      expect({ line, ...ended }).toMatchObject({
        line,
        code: line.includes('import') ? expect.toSatisfy((code) => code === 0 || code === 3) : 0,
      });
    }
  }, 240_000);

  it('shows a sandbox that starts as it is typed', async () => {
    const [line = ''] = typed.filter((each) => each.startsWith('npx longshore sandbox'));
    const args = line
      .replace(/--port \d+/, '--port 0')
      .split(/\s+/)
      .slice(2);
    const server = start(args, {}, undefined, folder.path);
    server.process.stdout?.once('data', () => server.process.kill('SIGTERM'));
    const { code, stdout } = await server.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('http://127.0.0.1:');
  });

  it('names every command, and no other', () => {
    const table = /## Commands\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
    const named = new Set([...table.matchAll(/`([a-z]+)(?: [^`]*)?`/g)].map(([, name]) => name));
    for (const command of commands) expect(named).toContain(nameOf(command));
  });

  it('names every exit code', () => {
    const table = /## Exit codes\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
    const reasons = [
      'unexpected',
      'usage',
      'input',
      'budget',
      'guard',
      'timeout',
      'unauthorized',
      'locked',
      'unreachable',
      'interrupted',
    ] as const;
    for (const reason of reasons) expect(table).toContain(`${exitCodeOf(reason)}`);
  });
});
