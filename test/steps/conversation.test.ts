import { describe, expect, it } from 'vitest';
import { createConversationStep, planConversation } from '../../src/steps/conversation.ts';
import { contact } from '../identity/contact.ts';
import { draft, values } from './drafts.ts';
import { live, seed } from './live.ts';

const effect = (more: object) => ({ kind: 'effect', effect: { contactId: 7, ...more } });
const nothing = { kind: 'nothing' };
const left = {
  kind: 'left',
  note: { code: 'conversation.blocked', column: null, reason: expect.any(String) },
};
const ours = { created: true, existing: false };
const oursAsSent = { ...ours, isApplied: true };
const theirs = { created: false, existing: false };
const migrated = { status: 'closed', category: 'Migrated', summary: 'Imported 7' } as const;

describe('a conversation', () => {
  it.each([
    ['is to be closed', { status: 'closed' }, { status: 'open' }, ours, effect({ status: 'closed' })],
    ['is to be opened', { status: 'open' }, { status: 'closed' }, ours, effect({ status: 'open' })],
    ['is of an unknown status', { status: 'open' }, {}, ours, effect({ status: 'open' })],
    ['stands as wanted', { status: 'closed' }, { status: 'closed' }, ours, nothing],
    ['gets a category and a summary', migrated, { status: 'open' }, ours, effect(migrated)],
    ['is closed, but the category is to be written', migrated, { status: 'closed' }, ours, effect(migrated)],
    [
      'was closed with this category by an earlier import',
      migrated,
      { status: 'closed' },
      oursAsSent,
      nothing,
    ],
    ['was closed so, and is open again', migrated, { status: 'open' }, oursAsSent, effect(migrated)],
    [
      'has a summary that would not count',
      { status: 'closed', summary: 'x' },
      { status: 'closed' },
      ours,
      nothing,
    ],
    [
      'is to be open with a category that only a closing has',
      { status: 'open', category: 'Migrated' },
      { status: 'open' },
      ours,
      nothing,
    ],
    ['is of somebody who was there', migrated, { status: 'open' }, theirs, nothing],
    [
      'is of somebody who was there and may be touched',
      migrated,
      { status: 'open' },
      { created: false, existing: true },
      effect(migrated),
    ],
    ['is blocked', migrated, { status: 'blocked' }, ours, left],
    ['is of a blocked contact', migrated, { status: 'closed', isBlocked: true }, ours, left],
    ['is of a blocked contact that was there', migrated, { isBlocked: true }, theirs, nothing],
  ] as const)('that %s', (_what, conversation, present, rules, expected) => {
    const plan = planConversation({ ...draft(values({})), conversation }, contact(7, present), rules);
    expect(plan).toEqual(expected);
  });

  it('that no row speaks of is left alone', () => {
    expect(planConversation(draft(values({})), contact(7, { status: 'blocked' }), ours)).toEqual(nothing);
  });

  it('is closed and opened by id, and stands so', async () => {
    const { workspace, sandbox, read, writes } = await live({ seed });
    expect(
      await createConversationStep({ mapping: {} }).send(workspace, { contactId: 7, ...migrated }),
    ).toEqual({
      kind: 'ok',
      value: { contactId: 7 },
    });
    expect((await read(7)).status).toBe('closed');
    expect(sandbox.contacts().find(({ id }) => id === 7)?.closing).toEqual({
      category: 'Migrated',
      summary: 'Imported 7',
    });
    await createConversationStep({ mapping: {} }).send(workspace, { contactId: 7, status: 'open' });
    expect((await read(7)).status).toBe('open');
    expect(writes()).toEqual([
      [
        'POST /contact/id:7/conversation/status',
        { status: 'close', category: 'Migrated', summary: 'Imported 7' },
      ],
      ['POST /contact/id:7/conversation/status', { status: 'open' }],
    ]);
  });

  it('with a category that is no closing note is refused', async () => {
    const { workspace } = await live({ seed });
    const odd = { contactId: 7, status: 'closed', category: 'Odd' } as const;
    expect(await createConversationStep({ mapping: {} }).send(workspace, odd)).toMatchObject({
      kind: 'refused',
      status: 400,
    });
  });

  it.each([
    [9, 'closed', 'done'],
    [9, 'open', 'absent'],
    [10, 'closed', 'absent'],
    [404, 'open', 'absent'],
  ] as const)('of contact %i, wanted %s, is settled as %s', async (contactId, status, kind) => {
    const { workspace } = await live({ seed });
    expect(
      await createConversationStep({ mapping: {} }).settle(workspace, { contactId, status }),
    ).toMatchObject({
      kind,
    });
  });
});
