import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { maxYamlLength } from '../../src/mapping/index.ts';
import { openStudio } from '../../src/studio/server/index.ts';
import { YamlWorker } from '../../src/studio/server/yaml/yaml-work.ts';
import { routes } from '../../src/studio/wire/routes.ts';
import { main } from '../end-to-end/built.ts';
import { usualInvocation } from '../invocation.ts';
import { atStudio, connect, projectOfTest } from './at-studio.ts';

const head = 'pipeline: long\nimport:\n  source: { format: csv, path: people.csv }\n  mapping: m.yaml\n';
const long = `${head}values:\n${Array.from({ length: 30_000 }, (_, n) => `  key${n}: ${n}\n`).join('')}`;
const tooLong = `${head}# ${'x'.repeat(maxYamlLength)}\n`;

const file = 'pipelines/long.yaml';
const requests = {
  checkYaml: { path: file, text: long },
  mappingShown: { text: long },
  editMapping: {
    text: long,
    edit: { kind: 'setKey', target: ['import'], key: ['mapping'], value: 'n.yaml' },
  },
  mappingUses: { path: 'm.yaml' },
  mappingColumns: { input: { kind: 'pipeline', path: file } },
  commandTarget: { command: { command: 'import', pipeline: file } },
  exportPipelines: {},
  watchPlans: { pipeline: file },
} as const;

describe('a YAML of 30,000 keys', () => {
  // The studio runs in the thread of the test: what it parses itself keeps it from answering.
  it.each(Object.entries(requests))('keeps no other request waiting: %s', async (name, request) => {
    const { send, call, folder } = await atStudio();
    writeFileSync(join(folder, file), name === 'exportPipelines' ? long.replace('import', 'export') : long);
    writeFileSync(join(folder, 'm.yaml'), 'mapping: m\n');
    writeFileSync(join(folder, 'people.csv'), 'Name\nAda\n');
    const route = Object.entries(routes).find(([each]) => each === name)?.[1];
    if (route === undefined) throw new Error(`no route ${name}`);
    let isAnswered = false;
    const slow = send(route, request).then(async (response) => {
      await response.text();
      isAnswered = true;
    });
    let others = 0;
    for (; !isAnswered; others += 1) await call('processes', {});
    expect(others).toBeGreaterThan(100);
    await slow;
  });
});

it('the end of a studio that parses a text is no error in its terminal', async () => {
  const warnings: string[] = [];
  const studio = await openStudio({
    ...{ from: projectOfTest(), workDir: undefined, port: 0, readOnly: false, main },
    invocation: usualInvocation,
    warn: (text) => warnings.push(text),
  });
  const { call } = await connect(studio.newUrl());
  const job = vi.spyOn(YamlWorker.prototype, 'run');
  onTestFinished(() => job.mockRestore());
  const answer = expect(call('mappingShown', { text: long })).rejects.toThrow();
  await vi.waitFor(() => expect(job).toHaveBeenCalledOnce());
  await studio.close();
  await answer;
  await expect(job.mock.results[0]?.value).rejects.toThrow('has ended');
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

describe('a YAML that is too long', () => {
  const limit = `at most ${maxYamlLength} are read`;

  it('is refused with the limit wherever it is sent', async () => {
    const { call, send } = await atStudio();
    const [finding] = (await call('checkYaml', { path: file, text: tooLong })).findings;
    expect(finding?.text).toContain(limit);
    expect(await call('mappingShown', { text: tooLong })).toEqual({
      outline: null,
      questions: [],
      conditions: [],
    });
    const edit = { kind: 'removeTarget', target: ['tags'] };
    const edited = await send(routes.editMapping, { text: tooLong, edit });
    expect(edited.status).toBe(422);
    expect((await edited.json()).message).toContain(limit);
    const written = await send(routes.writeYaml, { path: file, text: tooLong, etag: null });
    expect(written.status).toBe(413);
    expect((await written.json()).message).toContain(`at most ${maxYamlLength}`);
  });

  it('is refused with the limit wherever it is named, and keeps nothing else from being found', async () => {
    const { call, send, folder } = await atStudio();
    writeFileSync(join(folder, file), tooLong);
    writeFileSync(join(folder, 'pipelines/short.yaml'), head.replace('m.yaml', '../m.yaml'));
    writeFileSync(join(folder, 'm.yaml'), 'mapping: m\n');
    const columns = await send(routes.mappingColumns, { input: { kind: 'pipeline', path: file } });
    expect(await columns.text()).toContain(limit);
    const target = await send(routes.commandTarget, { command: { command: 'import', pipeline: file } });
    expect((await target.json()).message).toContain(limit);
    const { uses } = await call('mappingUses', { path: 'm.yaml' });
    expect(uses.map(({ pipeline }) => pipeline)).toEqual(['pipelines/short.yaml']);
  });
});

it('a YAML with an alias is refused in the studio as by check', async () => {
  const { call, send, folder } = await atStudio();
  const text = `x: &a 1\ny: *a\n${head}`;
  writeFileSync(join(folder, file), text);
  const findings = [
    ...(await call('checkYaml', { path: file, text })).findings,
    ...(await call('checkYaml', { path: file, text: text.replace('pipeline: long', 'mapping: long') }))
      .findings,
  ];
  expect(
    findings.filter(({ text: said }) => said.includes('aliases (*name) are not supported')),
  ).toHaveLength(2);
  expect((await call('mappingShown', { text })).outline).toBeNull();
  const columns = await send(routes.mappingColumns, { input: { kind: 'pipeline', path: file } });
  expect(await columns.text()).toContain('does not name a file to read');
  const asking = 'mapping: m\ntags: { from: Kind, only: "TODO: Which?" }\n';
  const edited = await send(routes.editMapping, {
    text: asking,
    edit: { kind: 'answer', path: ['tags', 'only'], question: 'TODO: Which?', answer: '[&a x, *a]' },
  });
  expect(edited.status).toBe(422);
  expect((await edited.json()).message).toContain('aliases (*name) are not supported');
});

it('a text that needs too much memory ends its thread alone: the next one is parsed in another', async () => {
  const yaml = new YamlWorker(main, 64);
  const text = `mapping: m\nx: [${'1,'.repeat(500_000)}]\n`;
  await expect(yaml.run('shown', { text })).rejects.toThrow('needs more memory');
  expect((await yaml.run('shown', { text: 'mapping: m\n' })).outline).toMatchObject({ targets: [] });
  await yaml.close();
});

it('every text is parsed behind one door', () => {
  const parsing = /import\s*\{[^}]*\b(?:parse\w*|Parser|Composer|Lexer)\b[^}]*\}\s*from 'yaml'/;
  const found = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && parsing.test(readFileSync(join('src', name), 'utf8')),
  );
  expect(found).toEqual([join('mapping', 'document', 'yaml-text.ts')]);
});
