import { describe, expect, it } from 'vitest';
import { customFieldEnsureStep, readCustomFields } from '../../src/steps/ensure-field.ts';
import { answer, answering, errorAnswer } from './workspace.ts';

const plan = { name: 'Plan', dataType: 'list', slug: 'plan', allowedValues: ['gold'] } as const;
const created = { id: 5, name: 'Plan', description: '', dataType: 'list', allowedValues: ['gold'] };
const list = (...names: string[]) =>
  answer(200, {
    items: names.map((name, n) => ({ id: n + 1, name, description: '', dataType: 'text' })),
    pagination: { next: '', previous: '' },
  });

describe('a custom field that is created', () => {
  it('is sent as the mapping wants it', async () => {
    const { workspace, clock, sent } = answering({ 'POST /space/custom_field': answer(201, created) });
    expect(await clock.run(customFieldEnsureStep.send(workspace, plan))).toMatchObject({ kind: 'ok' });
    expect(sent).toEqual([{ request: 'POST /space/custom_field', body: plan }]);
  });

  it.each([
    [400, 'refused'],
    [500, 'unknown'],
  ])('and answered %d is %s, not sent again', async (status, kind) => {
    const { workspace, clock, sent } = answering({ 'POST /space/custom_field': errorAnswer(status, 'no') });
    expect(await clock.run(customFieldEnsureStep.send(workspace, plan))).toMatchObject({ kind });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['done', list('Company', 'Plan')],
    ['absent', list('Company')],
    ['absent', list()],
  ])('is %s by what the list shows', async (kind, fields) => {
    const { workspace, clock } = answering({ 'GET /space/custom_field': fields });
    expect(await clock.run(customFieldEnsureStep.settle(workspace, plan))).toMatchObject({ kind });
  });

  it('comes back from the journal as it went in', () => {
    expect(customFieldEnsureStep.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
    expect(() => customFieldEnsureStep.parse({ name: 'Plan', dataType: 'holo' })).toThrow();
  });
});

it('all custom fields are read, page after page', async () => {
  const { workspace, clock } = answering({ 'GET /space/custom_field': list('A', 'B') });
  expect((await clock.run(readCustomFields(workspace))).map(({ name }) => name)).toEqual(['A', 'B']);
});
