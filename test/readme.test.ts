import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameOf } from '../src/cli/command.ts';
import { commands } from '../src/cli/commands.ts';
import { compileMapping, parseMapping, runExamples } from '../src/mapping/index.ts';
import { fileNames } from '../src/report/summary.ts';
import { exitCodeOf } from '../src/runs/exit-code.ts';
import { loadExportPipeline, loadPipeline, pipelineKind } from '../src/runs/pipeline/index.ts';
import { type Sandbox, startSandbox } from '../src/sandbox/index.ts';
import { run, start, temporaryFolder } from './end-to-end/command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
  language,
  text,
}));
const yaml = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text);
const wholeMappings = yaml.filter((text) => /^mapping:/m.test(text));
const wholePipelines = yaml.filter((text) => /^pipeline:/m.test(text));
/** Parts of a file stand in the README alone; the least that makes them whole is put around them. */
const parts = yaml.filter((text) => !wholeMappings.includes(text) && !wholePipelines.includes(text));
const ofPipelines = /^(?:source|policy|limits|deferred|extensions|workspace|notify):/;
const ofExports = /^filter:/;
const mappings = [
  ...wholeMappings,
  ...parts.filter((text) => !ofPipelines.test(text) && !ofExports.test(text)).map(wholeMapping),
];
const pipelines = [
  ...wholePipelines,
  ...parts.filter((text) => ofPipelines.test(text)).map(wholePipeline),
  ...parts.filter((text) => ofExports.test(text)).map(wholeExport),
];

function wholeMapping(part: string): string {
  const contact = 'contact:\n  firstName: { from: First Name, default: Unknown }\n  email: { from: Email }\n';
  return `mapping: shown\n${/^contact:/m.test(part) ? '' : contact}${part}`;
}

function wholePipeline(part: string): string {
  const given = 'source: { format: csv, path: ../fixtures/sample/contacts.csv }\n  ';
  const source = /^source:/m.test(part) ? '' : given;
  const indented = part.replaceAll(/^(?=.)/gm, '  ');
  return `pipeline: shown\nimport:\n  ${source}mapping: ../mappings/sample-crm.yaml\n${indented}`;
}

function wholeExport(part: string): string {
  const indented = part.replaceAll(/^(?=.)/gm, '    ');
  return `pipeline: shown\nexport:\n  to: ../exports/shown\n  contacts:\n    format: csv\n${indented}`;
}

const shellLines = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, '').trim());
const typed = shellLines.filter((line) => line.startsWith('npx longshore '));

describe('the README', () => {
  const folder = temporaryFolder();
  let sandbox: Sandbox;

  beforeAll(async () => {
    for (const name of ['fixtures', 'mappings', 'pipelines']) {
      cpSync(join(root, name), join(folder.path, name), { recursive: true });
    }
    for (const text of yaml) {
      const file = /^# ((?:mappings|pipelines)\/\S+)/.exec(text)?.[1];
      if (file !== undefined) writeFileSync(join(folder.path, file), text);
    }
    sandbox = await startSandbox({ rate: 'off', seed: join(root, 'fixtures/sample/workspace.json') });
  });

  afterAll(async () => {
    await sandbox.close();
    folder.remove();
  });

  it('has examples of both files and of commands', () => {
    expect(wholeMappings.length).toBeGreaterThanOrEqual(2);
    expect(wholePipelines.length).toBeGreaterThanOrEqual(2);
    expect(typed.length).toBeGreaterThanOrEqual(5);
  });

  it.each(mappings)('shows a mapping whose own tests pass: %#', (text) => {
    const mapping = parseMapping(text, 'README.md');
    expect(compileMapping(mapping, {})).toBeTypeOf('function');
    const examples = runExamples(mapping);
    if (wholeMappings.includes(text)) expect(examples.length).toBeGreaterThan(0);
    expect(examples.filter(({ ok }) => !ok)).toEqual([]);
  });

  it.each(pipelines)('shows a pipeline that loads: %#', async (text) => {
    const file = join(folder.path, 'pipelines', 'shown.yaml');
    writeFileSync(file, text);
    const load = (await pipelineKind(file)) === 'import' ? loadPipeline : loadExportPipeline;
    await expect(load(file)).resolves.toMatchObject({ pipeline: expect.any(String) });
  });

  it('shows commands that work as they are typed, in their order', async () => {
    const env = { LONGSHORE_BASE_URL: sandbox.baseUrl, LONGSHORE_TOKEN: 'sandbox' };
    const type = (line: string) => run(line.split(/\s+/).slice(2), env, undefined, folder.path);
    // What `npm start` does.
    await type(
      'npx longshore import pipelines/import-sample.yaml --workspace sandbox --work-dir .longshore/tour',
    );
    for (const line of typed.filter((each) => !each.startsWith('npx longshore sandbox'))) {
      const ended = await type(named(line));
      // 3: the sample's bad rows.
      const code = /import|retry|check/.test(line) ? expect.toBeOneOf([0, 3]) : 0;
      expect({ line, ...ended }, ended.stderr).toMatchObject({ line, code });
    }
    const { file } = newestWith('summary.json', join(folder.path, '.longshore/tour'));
    expect(summaryOf(dirname(file)).rows.merged).toBeGreaterThan(0);
  }, 480_000);

  /** A line with RUN in it, as somebody types it who has looked at the newest run and approved all its merges. */
  function named(line: string): string {
    if (!/\bRUN\b/.test(line)) return line;
    const workDir = join(folder.path, /--work-dir (\S+)/.exec(line)?.[1] ?? '.longshore');
    // A run whose mapping reads lists cannot be retried from its rejects.csv.
    const pipeline = line.includes('--from') ? '-mine' : '';
    if (!line.includes('--approve'))
      return line.replaceAll('RUN', newestWith('rejects.csv', workDir, pipeline).run);
    const { run: approved, file } = newestWith('merge-proposals.csv', workDir);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^,/gm, 'yes,'));
    return line.replace('RUN', approved);
  }

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

  it('names every file of a run and every code of a row that our code can give', () => {
    for (const file of Object.values(fileNames)) expect(readme).toContain(`\`${file}\``);
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
    const sources = files
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(root, 'src', name), 'utf8'));
    const codes = sources.flatMap((source) =>
      [...source.matchAll(/code(?:: | = )'([a-zA-Z]+\.[a-zA-Z]+)'/g)].map(([, code = '']) => code),
    );
    expect(codes.length).toBeGreaterThan(10);
    for (const code of codes) expect(readme).toContain(`\`${code}\``);
  });
});

/** The newest finished run of a work dir that left such a file. */
function newestWith(name: string, workDir: string, pipeline = ''): { run: string; file: string } {
  const runs = join(workDir, 'runs');
  const found = readdirSync(runs)
    .sort()
    .reverse()
    .map((run) => ({ run, file: join(runs, run, name) }))
    .filter(({ run }) => run.endsWith(pipeline))
    .find(({ run, file }) => existsSync(file) && summaryOf(join(runs, run)).outcome === 'finished');
  if (found === undefined) throw new Error(`no run in ${workDir} left ${name}`);
  return found;
}

function summaryOf(folder: string): { outcome: string; rows: { merged: number } } {
  return JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
}
