import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/studio/wire/routes.ts';
import { atStudio } from './at-studio.ts';

const path = 'pipelines/mine.yaml';
const text =
  '# mine\npipeline: mine\nimport:\n  source: { format: csv, path: ../people.csv }\n  mapping: m.yaml\n';

describe('a YAML file', () => {
  it('is written whole, with its mode, and read again as it was', async () => {
    const { call, folder } = await atStudio();
    const file = join(folder, path);
    const first = await call('writeYaml', { path, text, etag: null });
    expect(readFileSync(file, 'utf8')).toBe(text);
    chmodSync(file, 0o640);
    const changed = await call('writeYaml', { path, text: `${text}# é\n`, etag: first.etag });
    expect(await call('readYaml', { path })).toEqual(changed);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(join(folder, 'pipelines'))).toEqual(['mine.yaml']);
  });

  it('that was changed in an editor meanwhile is not written over', async () => {
    const { call, send, folder } = await atStudio();
    const { etag } = await call('writeYaml', { path, text, etag: null });
    const theirs = `${text}# theirs\n`;
    writeFileSync(join(folder, path), theirs);
    for (const stale of [etag, null]) {
      const response = await send(routes.writeYaml, { path, text: 'mine', etag: stale });
      expect(response.status).toBe(409);
      expect((await response.json()).message).toContain('changed meanwhile');
    }
    expect(readFileSync(join(folder, path), 'utf8')).toBe(theirs);
    expect(readdirSync(join(folder, 'pipelines'))).toEqual(['mine.yaml']);
  });

  it('is written once where twelve pages save it at once from the same state', async () => {
    const { call, send, folder } = await atStudio();
    const { etag } = await call('writeYaml', { path, text, etag: null });
    const texts = Array.from({ length: 12 }, (_, n) => `${text}# ${n}\n`);
    const sent = texts.map((mine) => send(routes.writeYaml, { path, text: mine, etag }));
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(11);
    expect(readFileSync(join(folder, path), 'utf8')).toBe(texts[statuses.indexOf(200)]);
  });

  it('is in a new folder where there was none, and nothing else is written this way', async () => {
    const { call, send } = await atStudio();
    await call('writeYaml', { path: 'mappings/new/m.yml', text: 'mapping: m\n', etag: null });
    expect((await call('readYaml', { path: 'mappings/new/m.yml' })).text).toBe('mapping: m\n');
    for (const other of ['people.csv', 'pipelines', '.env'])
      expect((await send(routes.writeYaml, { path: other, text: '', etag: null })).status).toBe(403);
  });

  it('that is not UTF-8 is not shown as something else', async () => {
    const { send, folder } = await atStudio();
    writeFileSync(join(folder, path), Buffer.from([0x61, 0xff, 0x0a]));
    expect((await send(routes.readYaml, { path })).status).toBe(422);
  });
});

describe('the check of a YAML text', () => {
  const check = async (checked: string) => {
    const { call } = await atStudio();
    return (await call('checkYaml', { path, text: checked })).findings;
  };

  it('is all right where it is', async () => {
    expect(await check(text)).toEqual([{ verdict: 'ok', text: 'No mistakes found in this file.' }]);
  });

  it('names every mistake with its line and column', async () => {
    const findings = await check(
      'pipeline: mine\nimport:\n  sorce: {}\n  source: { format: csv, path: x }\n',
    );
    expect(findings.map(({ verdict, line, key }) => [verdict, line, key])).toEqual(
      [
        ['wrong', 3, 'import.sorce'],
        ['wrong', 2, 'import.mapping'],
      ].sort((a, b) => Number(a[1]) - Number(b[1])),
    );
    expect(findings.find(({ line }) => line === 3)).toMatchObject({ column: 3 });
  });

  it('runs the examples of a mapping', async () => {
    const mapping =
      'mapping: m\ncontact:\n  firstName: { from: Name }\n  email: { from: Email }\ntests:\n  - row: { Name: Ada, Email: ada@example.com }\n    expect: { contact: { firstName: Bob } }\n';
    const [finding] = await check(mapping);
    expect(finding).toMatchObject({ verdict: 'wrong', line: 6 });
    expect(await check(mapping.replace('Bob', 'Ada'))).toMatchObject([{ verdict: 'ok' }]);
  });

  it('says of what is no YAML where it breaks', async () => {
    const [finding] = await check('pipeline: [\n');
    expect(finding).toMatchObject({ verdict: 'wrong', line: expect.any(Number) });
  });
});

it('a file that is sent is kept for its owner only, under a name that is not taken', async () => {
  const { send, call, workDir, folder } = await atStudio();
  for (const expected of ['people.csv', 'people-2.csv']) {
    const { path: kept } = await (await send(routes.upload, { name: 'people.csv' })).json();
    expect(kept).toBe(`.longshore/studio/uploads/${expected}`);
    const { mode } = statSync(join(folder, kept));
    expect(mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, kept), 'utf8')).toBe('a,b\n1,2\n');
  }
  expect(statSync(workDir).mode & 0o777).toBe(0o700);
  expect(
    await call('commandTarget', {
      command: { command: 'draft', file: '.longshore/studio/uploads/people.csv' },
    }),
  ).toEqual({ workspace: null, needsToken: null, needsWorkspace: false });
});
