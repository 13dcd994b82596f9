import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatSourceSystemQuestion } from '../../src/app/draft/pipeline-text.ts';
import { routes } from '../../src/studio/wire/routes.ts';
import { atStudio, projectOfTest } from './at-studio.ts';

const system = formatSourceSystemQuestion('crm', { run: 'R1', at: 0, keys: 1_200 }, 'people');
const ragged =
  'TODO: 1 of 2 rows (50 %) have more or fewer cells than the header; write pad to fill short rows at their end, or reject to list them all';
const pipeline = `pipeline: people # the old CRM
import:
  source:
    format: csv
    path: ../people.csv
    system: ${JSON.stringify(system)}
    ragged: "${ragged}"
  mapping: ../mappings/people.yaml
`;
const path = 'pipelines/people.yaml';

function project(): string {
  const folder = projectOfTest();
  mkdirSync(join(folder, 'mappings'));
  writeFileSync(
    join(folder, 'mappings/people.yaml'),
    'mapping: people\nkey: false\ncontact:\n  email: { from: Email }\n  firstName: { from: First }\n',
  );
  writeFileSync(join(folder, 'people.csv'), 'First,Email,Phone\nAda,ada@example.com\nBob,bob@example.com,\n');
  writeFileSync(join(folder, path), pipeline);
  return folder;
}

it('a pipeline with open questions has its rows read, and its mapping and questions are known', async () => {
  const { hear } = await atStudio({ folder: project() });
  const columns = (await hear('mappingColumns', { input: { kind: 'pipeline', path } })).at(-1);
  expect(columns).toMatchObject({ kind: 'columns', columns: { done: true, rows: 2 } });
  const [event] = await hear('watchActivity', { pipeline: path }, () => true);
  expect(event?.progress).toMatchObject({ mapping: 'mappings/people.yaml', questions: 2 });
});

it('an answer about a pipeline leaves the rest of it alone, and one that makes it invalid is refused', async () => {
  const folder = project();
  const { call, send } = await atStudio({ folder });
  const answer = (key: string, question: string, given: string | null) => ({
    kind: 'answer' as const,
    path: ['import', 'source', key],
    question,
    answer: given,
  });
  for (const wrong of ['fill', 'true', '', '[pad]', null]) {
    const refused = await send(routes.editMapping, {
      text: pipeline,
      edit: answer('ragged', ragged, wrong),
    });
    expect([wrong, refused.status]).toEqual([wrong, 422]);
  }
  for (const wrong of ['', ' ', '{ a: b }', 'TODO', null]) {
    const refused = await send(routes.editMapping, {
      text: pipeline,
      edit: answer('system', system, wrong),
    });
    expect([wrong, refused.status]).toEqual([wrong, 422]);
  }
  const one = await call('editMapping', { text: pipeline, edit: answer('ragged', ragged, 'pad') });
  const both = await call('editMapping', { text: one.text, edit: answer('system', system, '"true"') });
  expect(both.text).toBe(pipeline.replace(`"${ragged}"`, 'pad').replace(JSON.stringify(system), '"true"'));
  writeFileSync(join(folder, path), both.text);
  const { findings } = await call('checkYaml', { path });
  expect(findings.map(({ verdict }) => verdict)).toEqual(['ok']);
  expect(readFileSync(join(folder, path), 'utf8')).toContain('# the old CRM');
});

it.each([
  ['leave a value out', [], { not: 'left' }, { values: ['left'], leavesOut: true }],
  ['leave several out', [], { not: ['left', ''] }, { values: ['left', ''], leavesOut: true }],
  ['take only some', [], ['Ada', true], { values: ['Ada', 'true'], leavesOut: false }],
  ['take those without', [], null, { values: [''], leavesOut: false }],
  ['stand beside others', ['First'], { not: 7 }, { values: ['7'], leavesOut: true }],
])(
  'conditions on rows that %s are listed, set and removed, and the rest of the pipeline stays',
  async (_, others, rule, shown) => {
    const { call } = await atStudio({ folder: project() });
    const where = ['import', 'source', 'where'];
    const set = async (text: string, column: string) =>
      (await call('editMapping', { text, edit: { kind: 'setTarget', target: [...where, column], rule } }))
        .text;
    let before = pipeline;
    for (const other of others) before = await set(before, other);
    const after = await set(before, 'E-mail: 1');
    const { conditions } = await call('mappingShown', { text: after });
    expect(conditions).toEqual([...others, 'E-mail: 1'].map((column) => ({ column, ...shown })));
    expect(after.split('\n')).toEqual(expect.arrayContaining(pipeline.trimEnd().split('\n')));
    const removal = { kind: 'removeTarget' as const, target: [...where, 'E-mail: 1'] };
    expect((await call('editMapping', { text: after, edit: removal })).text).toBe(before);
  },
);
