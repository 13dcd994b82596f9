import { describe, expect, it } from 'vitest';
import { createAssigneeStep, planAssignment } from '../../src/steps/assignee.ts';
import { contact } from '../identity/contact.ts';
import { draft, values } from './drafts.ts';
import { live, seed } from './live.ts';

const olive = { id: 1, firstName: 'Olive', lastName: 'Owner', email: 'olive@acme.test' };
const effect = (userId: number | null) => ({ kind: 'effect', effect: { contactId: 7, userId } });
const nothing = { kind: 'nothing' };
const kept = { kind: 'left', note: expect.objectContaining({ code: 'assignee.kept' }) };

describe('an assignee', () => {
  it.each([
    ['nobody is assigned', 2, null, {}, effect(2)],
    ['somebody else is assigned', 2, olive, {}, effect(2)],
    ['the same user is assigned', 1, olive, {}, nothing],
    ['nobody is to be assigned', null, olive, {}, effect(null)],
    ['nobody is to be assigned, and nobody is', null, null, {}, nothing],
    ['only what is empty is filled', 2, olive, { only: 'empty' }, kept],
    ['only what is empty is filled, and nobody is to be assigned', null, olive, { only: 'empty' }, nothing],
    ['what is empty is filled', 2, null, { only: 'empty' }, effect(2)],
    ['a created contact was given somebody', 2, olive, { only: 'empty', created: true }, effect(2)],
  ] as const)('where %s', (_what, userId, assignee, rules, expected) => {
    const desired = { ...draft(values({})), assignee: { as: 'Somebody', userId } };
    const all = { only: 'changed', created: false, ...rules } as const;
    expect(planAssignment(desired, contact(7, { assignee }), all)).toEqual(expected);
  });

  it('that no row names is left alone', () => {
    const rules = { only: 'changed', created: true } as const;
    expect(planAssignment(draft(values({})), contact(7, { assignee: olive }), rules)).toEqual(nothing);
  });

  it('and the taking away of one are sent by id, and stand there', async () => {
    const { workspace, read, writes } = await live({ seed });
    expect(await createAssigneeStep().send(workspace, { contactId: 7, userId: 2 })).toEqual({
      kind: 'ok',
      value: { contactId: 7 },
    });
    expect((await read(7)).assignee?.id).toBe(2);
    await createAssigneeStep().send(workspace, { contactId: 7, userId: null });
    expect((await read(7)).assignee).toBeNull();
    expect(writes()).toEqual([
      ['POST /contact/id:7/conversation/assignee', { assignee: '2' }],
      ['POST /contact/id:7/conversation/assignee', { assignee: null }],
    ]);
  });

  it.each([
    [9, 1, 'done'],
    [9, 2, 'absent'],
    [9, null, 'absent'],
    [7, null, 'done'],
    [404, 1, 'absent'],
  ])('of contact %i, wanted as %s, is settled as %s', async (contactId, userId, kind) => {
    const { workspace } = await live({ seed });
    expect(await createAssigneeStep().settle(workspace, { contactId, userId })).toMatchObject({ kind });
  });
});
