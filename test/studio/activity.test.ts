import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { YamlWorker } from '../../src/studio/server/yaml/yaml-work.ts';
import { writePeople } from '../end-to-end/people.ts';
import { atStudio, projectOfTest } from './at-studio.ts';

const pipeline = 'pipeline.yaml';
const open = 'mapping: people\nkey: ID\ncontact:\n  email: { from: "TODO: which column?" }\n';
const answered = open.replace('"TODO: which column?"', 'Email');

it('reports the workspace that another tab has connected', async () => {
  const folder = projectOfTest();
  const token = 'a-secret-token-of-this-test';
  const { seed } = writePeople(folder, 1, '{}');
  const sandbox = await startSandbox({ seed, tokens: [token] });
  onTestFinished(() => sandbox.close());
  const { hear, call } = await atStudio({ folder });
  const told: (string | null)[] = [];
  const events = hear('watchActivity', {}, ({ workspace }) => {
    told.push(workspace);
    return workspace !== null;
  });
  await vi.waitFor(() => expect(told).toEqual([null]));
  await call('connect', { baseUrl: sandbox.baseUrl, token });
  expect((await events).at(-1)?.workspace).toBe(sandbox.baseUrl);
  expect(JSON.stringify(await events)).not.toContain(token);
});

it('reports how far an import has come after each change of its files', async () => {
  const folder = projectOfTest();
  writePeople(folder, 1, '{}');
  const mapping = join(folder, 'mapping.yaml');
  writeFileSync(mapping, open);
  const { hear } = await atStudio({ folder });
  const seen: (number | undefined)[] = [];
  await hear('watchActivity', { pipeline }, ({ progress }) => {
    const questions = progress?.questions;
    if (questions === seen.at(-1) && seen.length > 0) return false;
    seen.push(questions);
    if (questions === 1) writeFileSync(mapping, answered);
    if (questions === 0) rmSync(join(folder, pipeline));
    return questions === undefined;
  });
  expect(seen).toEqual([1, 0, undefined]);
  expect(await hear('watchActivity', {}, () => true)).toMatchObject([{ progress: null }]);
});

it('a mapping whose example test fails is not valid until the test passes', async () => {
  const folder = projectOfTest();
  writePeople(folder, 1, '{}');
  const mapping = join(folder, 'mapping.yaml');
  const withExample = (email: string) =>
    `${answered}tests:\n  - { row: { Email: a@example.com }, expect: { contact: { email: ${email} } } }\n`;
  writeFileSync(mapping, withExample('b@example.com'));
  const { hear } = await atStudio({ folder });
  const progress = async () => {
    const [event] = await hear('watchActivity', { pipeline }, () => true);
    return event?.progress;
  };
  expect(await progress()).toMatchObject({ mapping: 'mapping.yaml', questions: 0, isMappingValid: false });
  writeFileSync(mapping, withExample('a@example.com'));
  expect(await progress()).toMatchObject({ questions: 0, isMappingValid: true });
  writeFileSync(mapping, 'mapping: people\ncontcat: {}\n');
  expect(await progress()).toMatchObject({ mapping: 'mapping.yaml', isMappingValid: false });
});

it('reports a mapping that loses every value of a column until it keeps one', async () => {
  const folder = projectOfTest();
  writePeople(folder, 3, '{}');
  const mapping = join(folder, 'mapping.yaml');
  const withPlans = (allowed: string) =>
    `${answered}customFields:\n  Plan: { from: Score, type: list, allowed: [${allowed}], onInvalid: drop }\n`;
  writeFileSync(mapping, withPlans('gold'));
  const { hear } = await atStudio({ folder });
  const isLost = async (wanted: boolean) =>
    await hear('watchActivity', { pipeline }, ({ progress }) => progress?.losesColumn === wanted);
  await isLost(true);
  writeFileSync(mapping, withPlans('gold, "1"'));
  await isLost(false);
});

it.each(['mapping.yaml', 'people.csv', pipeline])(
  'a plan is out of date once %s was changed after it was made',
  async (name) => {
    const folder = projectOfTest();
    const workDir = join(folder, 'w');
    writePeople(folder, 1, '{}');
    mkdirSync(join(workDir, 'plans'), { recursive: true });
    writeFileSync(join(workDir, 'plans/pipeline.db'), '');
    const { hear } = await atStudio({ folder, workDir });
    const progress = async () => {
      const [event] = await hear('watchActivity', { pipeline }, () => true);
      return event?.progress;
    };
    for (const each of ['mapping.yaml', 'people.csv', pipeline]) utimesSync(join(folder, each), 1_000, 1_000);
    expect(await progress()).toMatchObject({ plannedAt: expect.any(String), isPlanOutdated: false });
    utimesSync(join(folder, name), 4_000_000_000, 4_000_000_000);
    expect(await progress()).toMatchObject({ plannedAt: expect.any(String), isPlanOutdated: true });
  },
);

it('parses no file of an import again that has not changed', async () => {
  const folder = projectOfTest();
  writePeople(folder, 1, '{}');
  const { hear, call } = await atStudio({ folder });
  const parsed = vi.spyOn(YamlWorker.prototype, 'run');
  onTestFinished(() => parsed.mockRestore());
  const ask = async () => await hear('watchActivity', { pipeline }, () => true);
  await ask();
  const [before] = await ask();
  const count = parsed.mock.calls.length;
  expect(await ask()).toEqual([before]);
  expect(parsed.mock.calls.length).toBe(count);
  expect((await call('mappingShown', { text: answered })).questions).toEqual([]);
  expect(parsed.mock.calls.length).toBe(count + 1);
});
