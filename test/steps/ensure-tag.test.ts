import { describe, expect, it } from 'vitest';
import { tagEnsureStep } from '../../src/steps/ensure-tag.ts';
import { live, seed } from './live.ts';
import { answer, answering, errorAnswer } from './workspace.ts';

const look = { description: 'Just in', colorCode: '#ff0000', emoji: '🎉' };
const ok = (created: boolean) => ({ kind: 'ok', value: { contactId: null, created } });

describe('a tag', () => {
  it('that is there is left as it is', async () => {
    const { workspace, writes } = await live({ seed });
    expect(await tagEnsureStep.send(workspace, { name: 'vip', ...look })).toEqual(ok(false));
    expect(writes()).toEqual([['PUT /space/tag', { currentName: 'vip' }]]);
    expect(await workspace.tags.update({ currentName: 'vip' })).toMatchObject({
      value: { description: 'Matters', emoji: '' },
    });
  });

  it('that is there gets its definition where it is to be overwritten', async () => {
    const { workspace, writes } = await live({ seed });
    expect(await tagEnsureStep.send(workspace, { name: 'vip', ...look, overwrite: true })).toEqual(ok(false));
    expect(writes()).toEqual([['PUT /space/tag', { currentName: 'vip', ...look }]]);
  });

  it.each([true, false])('that is not there is created, with overwrite %s', async (overwrite) => {
    const { workspace, writes } = await live({ seed });
    expect(await tagEnsureStep.send(workspace, { name: 'new', ...look, overwrite })).toEqual(ok(true));
    expect(writes()).toEqual([
      ['PUT /space/tag', { currentName: 'new', ...(overwrite ? look : {}) }],
      ['POST /space/tag', { name: 'new', ...look }],
    ]);
    expect(await tagEnsureStep.send(workspace, { name: 'new' })).toEqual(ok(false));
  });

  it('without a definition is created by its name alone', async () => {
    const { workspace, writes } = await live({ seed });
    expect(await tagEnsureStep.send(workspace, { name: 'bare' })).toEqual(ok(true));
    expect(writes()[1]).toEqual(['POST /space/tag', { name: 'bare' }]);
  });

  it.each([400, 409] as const)(
    'that somebody else creates in between, answered %i, is there',
    async (duplicateTag) => {
      const opened = await live({
        seed,
        duplicateTag,
        onPhase(phase, { method, path }) {
          if (phase === 'received' && method === 'POST' && path === '/space/tag') {
            opened.sandbox.add({ tags: [{ name: 'new' }] });
          }
        },
      });
      expect(await tagEnsureStep.send(opened.workspace, { name: 'new', ...look })).toEqual(ok(false));
      expect(opened.writes().map(([request]) => request)).toEqual([
        'PUT /space/tag',
        'POST /space/tag',
        'PUT /space/tag',
      ]);
    },
  );

  it.each([400, 404, 409, 422])(
    'refused with %i, and still not there, is refused with the words of the server',
    async (status) => {
      const { workspace, clock } = answering({ 'POST /space/tag': errorAnswer(status, 'no such colour') });
      expect(await clock.run(tagEnsureStep.send(workspace, { name: 'new' }))).toEqual({
        kind: 'refused',
        status,
        message: 'no such colour',
      });
    },
  );

  it('that cannot be asked for is not created', async () => {
    const { workspace, clock, sent } = answering({ 'PUT /space/tag': errorAnswer(400, 'nothing to change') });
    expect(await clock.run(tagEnsureStep.send(workspace, { name: 'new' }))).toMatchObject({
      kind: 'refused',
    });
    expect(sent).toHaveLength(1);
  });
});

describe('a tag whose answer was lost', () => {
  it.each([
    ['it is there', { name: 'vip', ...look }, 'done'],
    ['it is not there', { name: 'new' }, 'absent'],
    ['it was to look otherwise', { name: 'vip', description: 'Other', overwrite: true }, 'absent'],
    ['it looks as wanted', { name: 'vip', description: 'Matters', overwrite: true }, 'done'],
  ])('is settled where %s', async (_what, effect, kind) => {
    const { workspace, writes } = await live({ seed });
    expect(await tagEnsureStep.settle(workspace, effect)).toMatchObject({ kind });
    expect(writes()).toEqual([['PUT /space/tag', { currentName: effect.name }]]);
  });

  it('is settled where the workspace shows an empty look as null', async () => {
    const { workspace, clock } = answering({
      'PUT /space/tag': answer(200, { id: 1, name: 'x', description: null }),
    });
    const effect = { name: 'x', description: '', overwrite: true };
    expect(await clock.run(tagEnsureStep.settle(workspace, effect))).toMatchObject({ kind: 'done' });
  });
});
