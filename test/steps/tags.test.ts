import { describe, expect, it } from 'vitest';
import { planAttachTags, createAttachTagsStep as tagsStep } from '../../src/steps/tags.ts';
import { contact } from '../identity/contact.ts';
import { draft, values } from './drafts.ts';
import { live, seed } from './live.ts';

const extension = { method: 'POST', path: '/contact/{identifier}/tag', body: 'tags' } as const;
const extensions = { attachTags: true };

/** The step where the user declares the call. */
function attaching() {
  const mapping = { tags: { from: 'Tags', attach: 'extension' } };
  const step = tagsStep({ mapping, attachTags: extension });
  if (step.kind !== 'state') throw new Error('tags are listed, not attached');
  return step;
}

const many = (n: number) => Array.from({ length: n }, (_, i) => `t${i}`);

describe('the tags of a contact', () => {
  it.each([
    ['the row has none', undefined, ['a'], { kind: 'nothing' }],
    ['the contact has them', ['A', 'b'], ['a', 'B', 'c'], { kind: 'nothing' }],
    ['some are missing', ['a', 'b'], ['A'], { kind: 'effect', effect: { contactId: 7, tags: ['b'] } }],
    ['they would be ten', ['x'], many(9), { kind: 'effect', effect: { contactId: 7, tags: ['x'] } }],
    [
      'they would be more than ten',
      ['x', 'y'],
      many(9),
      {
        kind: 'left',
        note: {
          code: 'tags.tooMany',
          column: null,
          reason:
            'contact 7 has 9 tags and would have 11 with x, y; at most 10 are allowed, so none was attached',
        },
      },
    ],
  ])('where %s', (_what, tags, has, expected) => {
    const row = { ...draft(values({})), ...(tags === undefined ? {} : { tags }) };
    expect(planAttachTags(row, contact(7, { tags: has }))).toEqual(expected);
  });

  it('are sent by id as a bare array, and stand there', async () => {
    const { workspace, read, writes } = await live({ seed, extensions });
    const step = attaching();
    expect(await step.send(workspace, { contactId: 7, tags: ['a', 'b c'] })).toEqual({
      kind: 'ok',
      value: { contactId: 7 },
    });
    expect((await read(7)).tags).toEqual(['vip', 'a', 'b c']);
    expect(writes()).toEqual([['POST /contact/id:7/tag', ['a', 'b c']]]);
  });

  it('are absent where the workspace has no such call', async () => {
    const { workspace } = await live({ seed });
    const effect = { contactId: 7, tags: ['a'] };
    expect(await attaching().send(workspace, effect)).toMatchObject({ kind: 'absent' });
  });

  it.each([
    [7, ['VIP'], 'done'],
    [7, ['vip', 'a'], 'absent'],
    [404, ['vip'], 'absent'],
  ])('of contact %i, wanted as %j, are settled as %s', async (contactId, tags, kind) => {
    const { workspace } = await live({ seed });
    expect(await attaching().settle(workspace, { contactId, tags })).toMatchObject({ kind });
  });
});
