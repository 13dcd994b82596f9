import { expect, it } from 'vitest';
import { createCommentStep, planCommentParts } from '../../src/steps/comments.ts';
import { live, seed } from './live.ts';

it('a comment is one request, a long one several in order', () => {
  expect(planCommentParts(7, { id: 'notes:17', text: 'Hello' })).toEqual([
    { contactId: 7, comment: 'notes:17', part: { number: 1, of: 1 }, text: 'Hello' },
  ]);
  const long = planCommentParts(7, { id: 'notes:18', text: 'word '.repeat(300) });
  expect(long.map(({ part, text }) => [part, text.slice(0, 6)])).toEqual([
    [{ number: 1, of: 2 }, '(1/2) '],
    [{ number: 2, of: 2 }, '(2/2) '],
  ]);
  expect(planCommentParts(7, { id: 'origin', text: ' ' })).toEqual([]);
});

it('the parts of a comment are sent by id, and the workspace takes each of them', async () => {
  const { workspace, sandbox, writes } = await live({ seed });
  const effects = planCommentParts(7, { id: 'origin', text: `Ask {{@user.2}} ${'😀'.repeat(1_000)}` });
  for (const effect of effects) {
    expect(await createCommentStep({ mapping: {} }).send(workspace, effect)).toEqual({
      kind: 'ok',
      value: { contactId: 7 },
    });
  }
  expect(writes()).toEqual(effects.map(({ text }) => ['POST /contact/id:7/comment', { text }]));
  expect(sandbox.comments(7).map(({ text }) => text)).toEqual(effects.map(({ text }) => text));
  expect(effects).toHaveLength(3);
});

it('whether a comment was added nobody can read', async () => {
  const { workspace, sandbox } = await live({ seed });
  const [effect] = planCommentParts(7, { id: 'origin', text: 'Hello' });
  if (effect === undefined) throw new Error('no comment');
  expect(await createCommentStep({ mapping: {} }).settle(workspace, effect)).toEqual({ kind: 'unknowable' });
  await createCommentStep({ mapping: {} }).send(workspace, effect);
  expect(await createCommentStep({ mapping: {} }).settle(workspace, effect)).toEqual({ kind: 'unknowable' });
  expect(sandbox.counts()).toMatchObject({ 'POST /contact/{identifier}/comment': { requests: 1 } });
});
