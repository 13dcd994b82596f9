import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { routes } from '../../src/studio/wire/routes.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { atStudio, projectOfTest } from './at-studio.ts';

const text = `mapping: people
contact:
  firstName: { from: First }
  email: { from: Email }
tags: { from: Kind, values: { a: Alpha } }
`;

function project(): string {
  const folder = projectOfTest();
  mkdirSync(join(folder, 'mappings'));
  writeFileSync(join(folder, 'mappings/people.yaml'), text);
  writeFileSync(
    join(folder, 'people.csv'),
    'First,Email,Kind\nAda,ada@example.com,A\nBob,bad,b\nCyd,c@example.com,a\n',
  );
  pipeline(folder, 'one.yaml', 'people.csv');
  return folder;
}

function pipeline(folder: string, name: string, input: string): void {
  const source = `source: { format: csv, path: ${JSON.stringify(input)} }`;
  writeFileSync(
    join(folder, 'pipelines', name),
    `pipeline: people\nimport:\n  ${source}\n  mapping: ../mappings/people.yaml\n`,
  );
}

it('finds the pipelines of a mapping, and reads no input outside of the project', async () => {
  const folder = project();
  const outside = temporaryFolder();
  onTestFinished(() => outside.remove());
  writeFileSync(join(outside.path, 'secret.csv'), 'First,Email\nEve,eve@example.com\n');
  symlinkSync(join(outside.path, 'secret.csv'), join(folder, 'linked.csv'));
  pipeline(folder, 'absolute.yaml', join(outside.path, 'secret.csv'));
  pipeline(folder, 'link.yaml', '../linked.csv');
  pipeline(folder, 'one.yaml', '../people.csv');
  const { call, send } = await atStudio({ folder });
  const { uses } = await call('mappingUses', { path: 'mappings/people.yaml' });
  expect(uses).toEqual([
    { pipeline: 'pipelines/absolute.yaml', input: null },
    { pipeline: 'pipelines/link.yaml', input: null },
    { pipeline: 'pipelines/one.yaml', input: 'people.csv' },
  ]);
  for (const name of ['absolute', 'link']) {
    const input = { kind: 'pipeline', path: `pipelines/${name}.yaml` };
    const answer = await (await send(routes.mappingColumns, { input })).text();
    expect(answer).toContain('event: problem');
    expect(answer).toContain('is not in the project folder');
    expect(answer).not.toContain('Eve');
  }
});

it('finds out of the input what the text makes of it, saved or not', async () => {
  const folder = project();
  pipeline(folder, 'one.yaml', '../people.csv');
  const { hear, call } = await atStudio({ folder });
  const unsaved = {
    input: { kind: 'pipeline', path: 'pipelines/one.yaml' },
    ...{ path: 'mappings/people.yaml', text: text.replace('a: Alpha', 'a: null') },
  } as const;
  const columns = (await hear('mappingColumns', { input: unsaved.input })).at(-1);
  expect(columns).toMatchObject({ kind: 'columns', columns: { done: true, rows: 3 } });
  const counts = (await hear('mappingCounts', unsaved)).at(-1);
  expect(counts).toMatchObject({
    counts: { pass: 2, rejected: 1, reasons: [{ code: 'email.invalid', n: 1 }] },
  });
  const rows = (
    await hear('mappingRows', {
      ...{ ...unsaved, cell: null, search: '', from: 0 },
      problem: { code: 'email.invalid', effect: 'rejected' },
    })
  ).at(-1);
  expect(rows).toMatchObject({ rows: { rows: [{ number: 1, line: 3 }], next: null } });
  const values = (await hear('mappingValues', { ...unsaved, target: 'tags' })).at(-1);
  expect(values).toMatchObject({
    values: {
      values: expect.arrayContaining([{ value: 'b', n: 1 }]),
      clusters: [
        {
          spellings: [
            { value: 'A', n: 1 },
            { value: 'a', n: 1 },
          ],
        },
      ],
    },
  });
  const row = (await hear('mappingRow', { ...unsaved, row: { number: 1 } })).at(-1);
  expect(row).toMatchObject({
    row: { trace: { line: 3, isRejected: true }, example: { rejects: 'email.invalid' } },
  });
  if (row?.kind !== 'row' || row.row === null) throw new Error('no row');
  const test = JSON.parse(JSON.stringify(row.row.example));
  const edited = await call('editMapping', { text, edit: { kind: 'addTest', test } });
  expect(await call('checkYaml', { path: 'mappings/people.yaml', text: edited.text })).toEqual({
    findings: [{ verdict: 'ok', text: 'No mistakes found in this file.' }],
  });
});

it('an owner who is nobody has no value in the table of the assignee', async () => {
  const folder = project();
  pipeline(folder, 'one.yaml', '../people.csv');
  const { hear, call } = await atStudio({ folder });
  const owned = `${text}assignee: { from: Kind }\n`;
  const edited = await call('editMapping', {
    text: owned,
    edit: { kind: 'setKey', target: ['assignee'], key: ['users', 'b'], value: null },
  });
  expect(edited.text).toContain('assignee: { from: Kind, users: { b: null } }');
  const values = await hear('mappingValues', {
    ...{ path: 'mappings/people.yaml', text: edited.text, target: 'assignee' },
    input: { kind: 'pipeline', path: 'pipelines/one.yaml' },
  });
  expect(values.at(-1)).toMatchObject({
    values: { values: expect.arrayContaining([{ value: 'b', n: 1 }]) },
  });
});

it('shows a text that is changed on the disk', async () => {
  const folder = project();
  const { hear } = await atStudio({ folder });
  let seen = 0;
  const events = await hear('watchYaml', { path: 'mappings/people.yaml', tab: 'one' }, (event) => {
    seen += 1;
    if (seen === 1) writeFileSync(join(folder, 'mappings/people.yaml'), text.replace('people', 'folk'));
    return event.text.includes('folk');
  });
  expect(events.map((event) => event.text)).toEqual([text, text.replace('people', 'folk')]);
});

it('tells a tab about another one that has the same file open, until that one is closed', async () => {
  const folder = project();
  const { hear } = await atStudio({ folder });
  const told: boolean[] = [];
  const first = hear('watchYaml', { path: 'mappings/people.yaml', tab: 'first' }, (event) => {
    told.push(event.isOpenElsewhere);
    if (told.length === 2)
      writeFileSync(join(folder, 'mappings/people.yaml'), text.replace('people', 'folk'));
    return told.length > 2 && !event.isOpenElsewhere;
  });
  await vi.waitFor(() => expect(told).toEqual([false]));
  // The same file, named in another way.
  const second = { path: 'mappings/../mappings/people.yaml', tab: 'second' };
  const events = await hear('watchYaml', second, (event) => event.text.includes('folk'));
  expect(events.map((event) => event.isOpenElsewhere)).toEqual([true, true]);
  await first;
  expect(told.slice(0, 2)).toEqual([false, true]);
});

it('says why a change cannot be made, and what is asked', async () => {
  const { call } = await atStudio({ folder: project() });
  await expect(
    call('editMapping', { text: 'contact: [', edit: { kind: 'removeTarget', target: ['tags'] } }),
  ).rejects.toThrow('422');
  const asked = text.replace('from: Email', 'from: "TODO: which column?"');
  const { questions, outline } = await call('mappingShown', { text: asked });
  expect(questions).toMatchObject([
    { path: ['contact', 'email', 'from'], question: 'which column?', line: 4 },
  ]);
  expect(outline?.targets).toHaveLength(3);
  expect(await call('mappingShown', { text: 'contact: [' })).toEqual({
    ...{ outline: null, questions: [], conditions: [] },
  });
});
