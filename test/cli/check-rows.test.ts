import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { main } from '../end-to-end/built.ts';
import { run } from '../end-to-end/in-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const pipeline = 'pipeline: p\nimport:\n  source: { format: csv, path: rows.csv }\n  mapping: mapping.yaml\n';
const exporting =
  'pipeline: e\nexport:\n  to: out/{date}\n  contacts: { format: csv }\n  workspaceObjects: [users]\n';
const mapping = `mapping: m
key: Id
contact:
  firstName: { from: Name, default: Unknown }
  email: { from: Email }
tests:
  - { row: { Id: "1", Email: ada@example.com }, expect: { contact: { email: ada@example.com } } }
`;

/** A folder with a pipeline of these rows, and the real command in it. */
function folderWith(rows: readonly string[]) {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write('p.yaml', pipeline);
  write('e.yaml', exporting);
  write('mapping.yaml', mapping);
  write('rows.csv', ['Id,Name,Email', ...rows, ''].join('\n'));
  const longshore = (args: readonly string[], env: Record<string, string> = {}) =>
    run(args, env, undefined, folder.path);
  return { path: folder.path, longshore };
}

const bad = Array.from({ length: 250 }, (_, n) => `${n},Bad,no address ${n}`);

it('check ends with 3 and never with "All good" where every row is rejected', async () => {
  const { longshore } = folderWith(bad);
  const { code, stdout } = await longshore(['check', 'p.yaml']);
  expect(code).toBe(3);
  expect(stdout).not.toContain('All good');
  expect(stdout).toMatch(/^WARN {3}250 of 250 rows would be rejected:$/m);
  expect(stdout).toMatch(/^ +250 {2}email\.invalid, lines 2, 3, 4 …$/m);
  expect(stdout).toMatch(/an import would stop at row 200: 200 of 200 rows were rejected/);
  expect(stdout).toContain(`node ${main} check p.yaml\n`);
  const asJson = await longshore(['check', 'p.yaml', '--json']);
  expect(asJson.code).toBe(3);
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    ok: false,
    rows: { read: 250, rejected: 250, budget: { row: 200 }, rejects: [{ code: 'email.invalid', n: 250 }] },
  });
});

it('check never says that every row passes where the source leaves rows out', async () => {
  const { path, longshore } = folderWith([
    '1,Ada,ada@example.com',
    '2,Bob,bob@example.com',
    '3,Bob,cy@example.com',
  ]);
  const where = pipeline.replace('rows.csv', 'rows.csv, where: { Name: Ada }');
  writeFileSync(join(path, 'p.yaml'), where);
  const { code, stdout } = await longshore(['check', 'p.yaml']);
  expect(code).toBe(0);
  expect(stdout).toContain("\n1 row passes; 2 were left out by the source's where. Next:\n");
});

it('the rehearsal comes next: after a draft the check and it, after a check it alone', async () => {
  const { path, longshore } = folderWith(['1,Ada,ada@example.com']);
  const checked = await longshore(['check', 'p.yaml']);
  expect([checked.code, checked.stdout.split('\n').slice(-3)]).toEqual([
    0,
    ['All good. Next:', `  node ${main} import p.yaml --workspace sandbox`, ''],
  ]);
  mkdirSync(join(path, 'd'));
  const drafted = await longshore(['draft', 'rows.csv', '--out', 'd']);
  expect(drafted.stdout.trimEnd().split('\n').slice(-2)).toEqual([
    `  node ${main} check d/pipelines/import-rows.yaml`,
    `  node ${main} import d/pipelines/import-rows.yaml --workspace sandbox`,
  ]);
});

it('a rehearsal shows all problems, and says at its end where the real import would stop', async () => {
  const { path, longshore } = folderWith(bad);
  const { code, stdout, stderr } = await longshore(['import', 'p.yaml', '--workspace', 'sandbox']);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^ {2}rejected +250$/m);
  expect(stdout).toContain('The real import would stop at row 200: 200 of 200 rows were rejected');
  expect(stderr.match(/The real import would stop here/g)).toHaveLength(1);
  const summary = /summary +(\S+)/.exec(stdout)?.[1] ?? '';
  expect(JSON.parse(readFileSync(join(path, summary), 'utf8')).message).toContain('stop at row 200');
});

it('--limit ends with a plain word and the command that continues, and with 0', async () => {
  const { longshore } = folderWith(['1,Ada,ada@example.com', '2,Bob,bob@example.com']);
  const command = ['import', 'p.yaml', '--workspace', 'sandbox'];
  const { code, stdout } = await longshore([...command, '--limit', '1']);
  expect(code).toBe(0);
  const first = '✔ Stopped by --limit: 1 row processed; the same command without --limit continues.';
  expect(stdout.split('\n')[0]).toBe(first);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(`    node ${main} import p.yaml --workspace sandbox`);
  expect(await longshore(command)).toMatchObject({ code: 0, stdout: expect.stringContaining('created  2') });
});

it('--limit says which of its rows wait for a later row of the same person', async () => {
  const { longshore } = folderWith([
    '1,Ada,ada@example.com',
    '2,Bob,bob@example.com',
    '1,Ada,ada@example.com',
  ]);
  const command = ['import', 'p.yaml', '--workspace', 'sandbox'];
  const { stdout } = await longshore([...command, '--limit', '2']);
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    '✔ Stopped by --limit: 1 row processed; the same command without --limit continues.',
    '  1 of the first 2 rows waits for a later row of the same person, and is imported with it.',
  ]);
  expect((await longshore(['status'])).stdout).toContain('1 of the first 2 rows waits for a later row');
});

it('a base URL without /v1 is asked about by check --online, import and export', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const { longshore } = folderWith(['1,Ada,ada@example.com']);
  const baseUrl = sandbox.baseUrl.replace(/\/v1$/, '');
  const env = { LONGSHORE_BASE_URL: baseUrl, LONGSHORE_TOKEN: 'sandbox' };
  for (const command of [
    ['check', 'p.yaml', '--online'],
    ['import', 'p.yaml'],
    ['export', 'e.yaml'],
  ]) {
    const { code, stderr } = await longshore(command, env);
    expect([command, code]).toEqual([command, 2]);
    expect(stderr).toMatch(/404 from \S+ http\S+: does the base URL end in \/v1\?/);
  }
});

it('check --online suggests an exclusive workspace where it is empty and nobody has chosen', async () => {
  const empty = await startSandbox();
  const filled = await startSandbox({ seed: { contacts: [{ firstName: 'Ada' }] } });
  onTestFinished(() => Promise.all([empty.close(), filled.close()]).then(() => undefined));
  const { longshore, path } = folderWith(['1,Ada,ada@example.com']);
  const suggests = async ({ baseUrl }: { readonly baseUrl: string }, policy: string) => {
    writeFileSync(join(path, 'p.yaml'), `${pipeline}  policy: { ${policy} }\n`);
    const env = { LONGSHORE_BASE_URL: baseUrl, LONGSHORE_TOKEN: 'sandbox' };
    const { code, stdout } = await longshore(['check', 'p.yaml', '--online'], env);
    expect(code).toBe(0);
    return stdout.includes('policy.workspace: exclusive');
  };
  expect(await suggests(empty, 'onMatch: fill')).toBe(true);
  expect(await suggests(filled, 'onMatch: fill')).toBe(false);
  expect(await suggests(empty, 'workspace: shared')).toBe(false);
  expect(await suggests(empty, 'workspace: exclusive')).toBe(false);
  // Without a list nobody is created without a look-up.
  expect(await suggests(empty, 'lookup: single')).toBe(false);
});
