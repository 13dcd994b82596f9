import { describe, expect, it } from 'vitest';
import type { KeepRulesByField } from '../../src/model/keep.ts';
import {
  contactMergeStep,
  type MergePlan,
  planMerge,
  sortOlderFirst,
} from '../../src/steps/merge-contacts.ts';
import { contact } from '../identity/contact.ts';
import { draft, rules, values } from './drafts.ts';
import { live, seed } from './live.ts';
import { answer, answering } from './workspace.ts';

const byDefault: KeepRulesByField = { contact: {}, customFields: {} };

const ada = contact(7, {
  created_at: 20,
  firstName: 'Ada',
  email: 'ada@acme.test',
  language: 'en',
  custom_fields: [
    { name: 'Score', value: null },
    { name: 'Note', value: 'wrote' },
    { name: 'Plan', value: 'gold' },
  ],
});
const augusta = contact(8, {
  created_at: 10,
  firstName: 'Augusta',
  lastName: 'King',
  phone: '+60123456789',
  language: 'fr',
  custom_fields: [
    { name: 'Score', value: '42' },
    { name: 'VIP', value: 'true' },
    { name: 'Note', value: 'met' },
    { name: 'Plan', value: '' },
  ],
});

function effectOf(plan: MergePlan) {
  if (plan.kind !== 'effect') throw new Error(plan.problem.reason);
  return plan;
}

describe('of two contacts', () => {
  it.each([
    ['the one created first', contact(7, { created_at: 20 }), contact(8, { created_at: 10 }), 8],
    ['of the same second the smaller id', contact(9, { created_at: 10 }), contact(8, { created_at: 10 }), 8],
    ['of an unknown time the smaller id', contact(9, { created_at: 10 }), contact(8), 8],
    ['both ways round', contact(7), contact(8), 7],
  ])('%s is the older', (_what, one, two, id) => {
    expect(sortOlderFirst([one, two]).map((each) => each.id)).toEqual([id, one.id === id ? two.id : one.id]);
    expect(sortOlderFirst([two, one])[0].id).toBe(id);
  });
});

describe('a merge', () => {
  it('without a word of the row sends what both have, the older contact speaking first', () => {
    expect(planMerge([ada, augusta], draft(values({})), byDefault, rules)).toEqual({
      kind: 'effect',
      effect: {
        contactIds: [8, 7],
        body: {
          firstName: 'Augusta',
          lastName: 'King',
          email: 'ada@acme.test',
          phone: '+60123456789',
          language: 'fr',
          custom_fields: [
            { name: 'Score', value: 42 },
            { name: 'VIP', value: true },
            { name: 'Note', value: 'met' },
            { name: 'Plan', value: 'gold' },
          ],
        },
      },
      result: {
        contact: {
          firstName: 'Augusta',
          lastName: 'King',
          email: 'ada@acme.test',
          phone: '+60123456789',
          language: 'fr',
          profilePic: null,
          countryCode: null,
        },
        customFields: { Score: 42, VIP: true, Note: 'met', Plan: 'gold' },
      },
    });
  });

  it('takes the word of the row, and clears what the row clears', () => {
    const says = values(
      { firstName: 'Ada', lastName: null, phone: '+60129999999', profilePic: null },
      { Note: null, Score: 43, VIP: false, Born: '1815-12-10', Odd: null },
    );
    const { effect, result } = effectOf(planMerge([ada, augusta], draft(says), byDefault, rules));
    expect(effect.body).toEqual({
      firstName: 'Ada',
      lastName: null,
      email: 'ada@acme.test',
      phone: '+60129999999',
      language: 'fr',
      custom_fields: [
        { name: 'Score', value: 43 },
        { name: 'VIP', value: false },
        { name: 'Note', value: null },
        { name: 'Plan', value: 'gold' },
        { name: 'Born', value: '1815-12-10' },
      ],
    });
    expect(result.contact).toMatchObject({ lastName: null, profilePic: null });
  });

  it('keeps what the rules say, field by field', () => {
    const keep: KeepRulesByField = {
      contact: {
        firstName: { keep: 'longest', join: '' },
        language: { keep: 'last', join: '' },
        lastName: { keep: 'first', join: '' },
      },
      customFields: { Note: { keep: 'union', join: ', ' }, Score: { keep: 'first', join: '' } },
    };
    const says = values({ firstName: 'A', lastName: 'Byron' }, { Note: 'phoned', Score: 1 });
    const { effect } = effectOf(planMerge([ada, augusta], draft(says), keep, rules));
    expect(effect.body).toMatchObject({ firstName: 'Augusta', lastName: 'King', language: 'en' });
    expect(effect.body.custom_fields).toEqual(
      expect.arrayContaining([
        { name: 'Note', value: 'met, wrote, phoned' },
        { name: 'Score', value: 42 },
      ]),
    );
  });

  it('of people without custom fields sends no list of them', () => {
    const nameless = [contact(1, { firstName: 'A' }), contact(2)] as const;
    expect(effectOf(planMerge(nameless, draft(values({})), byDefault, rules)).effect).toEqual({
      contactIds: [1, 2],
      body: { firstName: 'A' },
    });
  });

  it.each([
    ['of the newer contact', [contact(1), contact(2, { firstName: 'B' })], {}, {}, 'B'],
    ['of the row', [contact(1), contact(2)], { firstName: 'C' }, { firstName: 'D' }, 'C'],
    ['by default', [contact(1), contact(2, { firstName: '' })], {}, { firstName: 'D' }, 'D'],
    ['that the row cannot clear', [contact(1, { firstName: 'A' }), contact(2)], { firstName: null }, {}, 'A'],
  ] as const)('has the first name %s', (_what, contacts, says, defaults, firstName) => {
    const plan = planMerge(contacts, draft(values(says), values(defaults)), byDefault, rules);
    expect(effectOf(plan).effect.body.firstName).toBe(firstName);
  });

  it('takes no other default: a default never overwrites', () => {
    const defaults = values({ firstName: 'Unknown', countryCode: 'MY' }, { Score: 1, Born: '2000-01-01' });
    const { effect } = effectOf(planMerge([ada, augusta], draft(values({}), defaults), byDefault, rules));
    expect(effect.body).not.toHaveProperty('countryCode');
    expect(effect.body.custom_fields).toContainEqual({ name: 'Score', value: 42 });
    expect(effect.body.custom_fields?.map(({ name }) => name)).not.toContain('Born');
  });

  it('without any first name is a problem', () => {
    expect(planMerge([contact(1), contact(2)], draft(values({})), byDefault, rules)).toMatchObject({
      kind: 'problem',
      problem: { code: 'firstName.missing', column: null },
    });
  });

  it('sends a custom field called like something of JavaScript', () => {
    const builder = contact(1, { firstName: 'A', custom_fields: [{ name: 'constructor', value: 'Acme' }] });
    const { effect } = effectOf(planMerge([builder, contact(2)], draft(values({})), byDefault, rules));
    expect(effect.body.custom_fields).toEqual([{ name: 'constructor', value: 'Acme' }]);
  });

  it.each(['replace', 'merge'] as const)(
    'leaves the workspace with its result, where custom fields are of the kind %s',
    async (customFieldArrays) => {
      const { workspace, read, writes } = await live({ seed, customFieldArrays });
      const says = values(
        { email: 'ada@acme.test', lastName: 'Byron' },
        { Score: 43, Plan: 'silver', Note: null },
      );
      const contacts = [await read(7), await read(8)] as const;
      const { effect, result } = effectOf(planMerge(contacts, draft(says), byDefault, rules));
      expect(await contactMergeStep.send(workspace, effect)).toEqual({
        kind: 'ok',
        value: { contactId: 8 },
      });
      const merged = await read(8);
      expect(merged).toMatchObject({ ...result.contact, lastName: 'Byron', firstName: 'Augusta' });
      const wanted = { Score: '43', VIP: 'true', Note: null, Plan: 'silver', Born: null };
      expect(Object.fromEntries(merged.custom_fields.map(({ name, value }) => [name, value]))).toEqual(
        wanted,
      );
      expect(writes()).toEqual([['POST /contact/merge', { contactIds: [8, 7], ...effect.body }]]);
    },
  );

  it('says whom a lost one may still change', () => {
    const effect = { contactIds: [8, 7], body: { firstName: 'A' } } as const;
    expect(contactMergeStep.mayArriveLate(effect)).toEqual(['id:8', 'id:7']);
    expect(contactMergeStep.creates(effect)).toEqual([]);
    expect(contactMergeStep.eventuallyVisible).toBe(true);
  });
});

describe('a merge that lost its answer', () => {
  it.each([
    ['both are there', [7, 8], { kind: 'absent' }],
    ['the newer is gone', [7, 404], { kind: 'done', contact: { id: 7 } }],
    ['the older is gone', [404, 8], { kind: 'done', contact: { id: 8 } }],
    [
      'neither is there',
      [404, 405],
      { kind: 'unknown', message: 'neither contact 404 nor contact 405 is there any more' },
    ],
  ] as const)('is settled where %s', async (_what, contactIds, settled) => {
    const { workspace } = await live({ seed });
    const effect = { contactIds, body: { firstName: 'A' } };
    expect(await contactMergeStep.settle(workspace, effect)).toMatchObject(settled);
  });

  it('is settled where the workspace answers for both with the one that remains', async () => {
    const remains = answer(200, { id: 8, firstName: 'Augusta' });
    const { workspace, clock } = answering({ 'GET /contact/id:8': remains, 'GET /contact/id:7': remains });
    const effect = { contactIds: [8, 7], body: { firstName: 'A' } } as const;
    expect(await clock.run(contactMergeStep.settle(workspace, effect))).toMatchObject({
      kind: 'done',
      contact: { id: 8 },
    });
  });

  it.each([0, 1])('is not judged where read %i cannot be had', async (skip) => {
    const { workspace, sandbox } = await live({ seed });
    sandbox.scriptFault({ kind: '500', method: 'GET', path: '/contact/{identifier}', skip, times: 100 });
    const effect = { contactIds: [8, 404], body: { firstName: 'A' } } as const;
    expect(await contactMergeStep.settle(workspace, effect)).toMatchObject({ kind: 'unknown' });
  });

  it('is refused as not there where one of the two is gone already', async () => {
    const { workspace } = await live({ seed });
    const effect = { contactIds: [8, 404], body: { firstName: 'A' } } as const;
    expect(await contactMergeStep.send(workspace, effect)).toMatchObject({ kind: 'refused', status: 400 });
  });
});
