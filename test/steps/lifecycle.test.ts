import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/model/draft.ts';
import { createLifecycleStep, type LifecycleRules, planLifecycle } from '../../src/steps/lifecycle.ts';
import { contact } from '../identity/contact.ts';
import { draft, values } from './drafts.ts';
import { live, seed } from './live.ts';

const stages = ['New Lead', 'Hot Lead', 'Customer'];

function plan(desired: Partial<Draft>, present: string | null, rules: Partial<LifecycleRules> = {}) {
  return planLifecycle({ ...draft(values({})), ...desired }, contact(7, { lifecycle: present }), {
    allowBackward: false,
    only: 'changed',
    created: false,
    ...rules,
  });
}

const effect = (name: string | null) => ({ kind: 'effect', effect: { contactId: 7, name } });
const left = (code: string) => ({ kind: 'left', note: { code } });
const nothing = { kind: 'nothing' };

describe('a lifecycle stage', () => {
  it.each([
    ['no stage is named', {}, null, {}, nothing],
    ['it stands already', { lifecycle: 'Customer' }, 'Customer', {}, nothing],
    ['it stands in another spelling', { lifecycle: 'customer' }, 'Customer', {}, nothing],
    ['the contact has none', { lifecycle: 'Customer' }, null, {}, effect('Customer')],
    ['the contact has another', { lifecycle: 'Customer' }, 'Odd', {}, effect('Customer')],
    ['it comes later', { lifecycle: 'Customer' }, 'New Lead', { stages }, effect('Customer')],
    ['it comes earlier', { lifecycle: 'New Lead' }, 'Customer', { stages }, left('lifecycle.backward')],
    [
      'it comes earlier in another spelling',
      { lifecycle: 'new lead' },
      'CUSTOMER',
      { stages },
      left('lifecycle.backward'),
    ],
    [
      'backwards is allowed',
      { lifecycle: 'New Lead' },
      'Customer',
      { stages, allowBackward: true },
      effect('New Lead'),
    ],
    [
      'the present one is not listed',
      { lifecycle: 'Customer' },
      'Partner',
      { stages },
      left('lifecycle.unlisted'),
    ],
    [
      'the present one is not listed, and backwards is allowed',
      { lifecycle: 'Customer' },
      'Partner',
      { stages, allowBackward: true },
      left('lifecycle.unlisted'),
    ],
    [
      'the wanted one is not listed',
      { lifecycle: 'Odd' },
      'Customer',
      { stages },
      left('lifecycle.unlisted'),
    ],
    ['it is removed', { lifecycle: null }, 'Customer', { stages }, effect(null)],
    [
      'a stage that is not listed is removed',
      { lifecycle: null },
      'Partner',
      { stages },
      left('lifecycle.unlisted'),
    ],
    ['none is to be removed', { lifecycle: null }, null, { stages }, nothing],
    [
      'only what is empty is filled',
      { lifecycle: 'Customer' },
      'New Lead',
      { only: 'empty' },
      left('lifecycle.kept'),
    ],
    ['what is empty is filled', { lifecycle: 'Customer' }, null, { only: 'empty' }, effect('Customer')],
    [
      'a created contact got a stage of its own',
      { lifecycle: 'Customer' },
      'New Lead',
      { only: 'empty', created: true },
      effect('Customer'),
    ],
    ['an existing contact meets the default', { defaultLifecycle: 'New Lead' }, null, {}, nothing],
    [
      'a created contact meets the default',
      { defaultLifecycle: 'New Lead' },
      null,
      { created: true },
      effect('New Lead'),
    ],
    [
      'a created contact has a row that names one',
      { lifecycle: 'Customer', defaultLifecycle: 'New Lead' },
      null,
      { created: true },
      effect('Customer'),
    ],
    [
      'a created contact has a row that removes it',
      { lifecycle: null, defaultLifecycle: 'New Lead' },
      null,
      { created: true },
      nothing,
    ],
  ] as const)('where %s', (_what, desired, present, rules, expected) => {
    expect(plan(desired, present, rules)).toMatchObject(expected);
  });

  it('that is left says why in words', () => {
    expect(plan({ lifecycle: 'New Lead' }, 'Customer', { stages })).toMatchObject({
      note: {
        reason:
          'contact 7 is in "Customer", and "New Lead" comes before it; allowBackward: true would send it',
      },
    });
    expect(plan({ lifecycle: 'Customer' }, 'Partner', { stages })).toMatchObject({
      note: {
        reason:
          'contact 7 was left in its stage: "Partner", which it has, is not one of New Lead, Hot Lead, Customer',
      },
    });
  });

  it('and its removal are sent by id, and stand there', async () => {
    const { workspace, read, writes } = await live({ seed });
    expect(
      await createLifecycleStep({ mapping: {} }).send(workspace, { contactId: 7, name: 'Customer' }),
    ).toEqual({
      kind: 'ok',
      value: { contactId: 7 },
    });
    expect((await read(7)).lifecycle).toBe('Customer');
    await createLifecycleStep({ mapping: {} }).send(workspace, { contactId: 7, name: null });
    expect((await read(7)).lifecycle).toBeNull();
    expect(writes()).toEqual([
      ['POST /contact/id:7/lifecycle/update', { name: 'Customer' }],
      ['POST /contact/id:7/lifecycle/update', { name: '' }],
    ]);
  });

  it.each([
    [7, 'New Lead', 'done'],
    [7, 'new lead', 'done'],
    [7, 'Customer', 'absent'],
    [7, null, 'absent'],
    [9, null, 'done'],
    [9, 'Customer', 'absent'],
    [404, 'Customer', 'absent'],
  ])('of contact %i, wanted as %s, is settled as %s', async (contactId, name, kind) => {
    const { workspace } = await live({ seed });
    expect(await createLifecycleStep({ mapping: {} }).settle(workspace, { contactId, name })).toMatchObject({
      kind,
    });
  });
});
