import { describe, expect, it } from 'vitest';
import {
  hashDesiredStates,
  hashFieldValues,
  hashValue,
  hasValues,
  mergeKnownKeyRecords,
  selectChangedValues,
} from '../../../../src/app/import/person/memory.ts';
import type { KnownKeyRecord } from '../../../../src/journal/index.ts';
import type { Draft } from '../../../../src/model/draft.ts';
import { createContactSteps } from '../../../../src/steps/registry.ts';
import { draft, values } from '../../../steps/drafts.ts';

const hashesOf = (row: Draft, created: boolean) =>
  hashDesiredStates(createContactSteps({ mapping: {} }), row, created);

const ada = values({ firstName: 'Ada', email: 'ada@example.test' }, { Score: 42, VIP: true });

describe('the hash of a value', () => {
  it('is the same for the same value, and tells values of different types apart', () => {
    const different = ['42', 42, '', null, 'true', true, ['a', 'b'], ['ab']];
    expect(new Set(different.map(hashValue)).size).toBe(different.length);
    for (const value of different) expect(hashValue(value)).toBe(hashValue(structuredClone(value)));
  });
});

describe('the values whose source changed', () => {
  const unchanged = hashFieldValues(ada);

  it.each([
    ['nothing, where all of it was applied', ada, unchanged, values({})],
    ['all, where nothing was', ada, {}, ada],
    [
      'a field',
      values({ ...ada.contact, firstName: 'A.' }, ada.customFields),
      unchanged,
      values({ firstName: 'A.' }),
    ],
    ['a field that is cleared now', values({ email: null }), unchanged, values({ email: null })],
    ['a field that is new', values({ lastName: 'King' }), unchanged, values({ lastName: 'King' })],
    ['a custom field', values({}, { Score: 43, VIP: true }), unchanged, values({}, { Score: 43 })],
    [
      'a custom field whose type changed',
      values({}, { Score: '42' }),
      unchanged,
      values({}, { Score: '42' }),
    ],
    // A custom field may be called like a contact's own.
    [
      'a custom field called email',
      values({}, { email: 'ada@example.test' }),
      unchanged,
      values({}, { email: 'ada@example.test' }),
    ],
  ])('are %s', (_what, now, applied, changed) => {
    expect(selectChangedValues(now, applied)).toEqual(changed);
    expect(hasValues(changed)).toBe(Object.keys({ ...changed.contact, ...changed.customFields }).length > 0);
  });
});

describe('the hashes of what belongs to a contact', () => {
  const whole: Draft = {
    ...draft(ada),
    tags: ['vip'],
    lifecycle: 'Lead',
    assignee: { as: 'Jane', userId: 7 },
    conversation: { status: 'closed', category: 'Migrated' },
  };

  it('are those of what the row says something about', () => {
    expect(Object.keys(hashesOf(whole, false))).toEqual(['tags', 'lifecycle', 'assignee', 'conversation']);
    expect(hashesOf({ ...draft(ada), tags: [] }, true)).toEqual({});
  });

  it.each<[string, Partial<Draft>, string]>([
    ['tags', { tags: ['vip', 'new'] }, 'tags'],
    ['the stage', { lifecycle: null }, 'lifecycle'],
    ['the user', { assignee: { as: 'Jane', userId: 8 } }, 'assignee'],
    ['the closing', { conversation: { status: 'closed', category: 'Other' } }, 'conversation'],
  ])('change with %s alone', (_what, more, name) => {
    const [before, after] = [hashesOf(whole, false), hashesOf({ ...whole, ...more }, false)];
    const changed = Object.entries(after).filter(
      ([each, hash]) => !Object.entries(before).some((old) => old[0] === each && old[1] === hash),
    );
    expect(changed.map(([each]) => each)).toEqual([name]);
  });

  it('do not change with how the row spells the same user', () => {
    const spelled = { ...whole, assignee: { as: 'jane@example.test', userId: 7 } };
    expect(hashesOf(spelled, false)).toEqual(hashesOf(whole, false));
  });

  it('have the default stage for a contact that we created, and the row’s before it', () => {
    const stageless = { ...draft(ada), defaultLifecycle: 'New' };
    expect(hashesOf(stageless, true).lifecycle).toBe(hashValue('New'));
    expect(hashesOf(stageless, false)).toEqual({});
    expect(hashesOf({ ...stageless, lifecycle: null }, true).lifecycle).toBe(hashValue(null));
  });
});

describe('what is remembered of several keys of one person', () => {
  function known(more: Partial<KnownKeyRecord>): KnownKeyRecord {
    return { key: 'key:A', contact: 7, identifiers: [], created: false, applied: {}, line: 2, ...more };
  }

  it('is nothing where nobody remembers any of them', () => {
    expect(mergeKnownKeyRecords([])).toBeUndefined();
  });

  it.each([
    [
      'one contact',
      [known({}), known({ contact: 7 })],
      { contacts: [7], identifiers: [], created: false, applied: {} },
    ],
    ['two, where they were two people', [known({}), known({ contact: 9 })], { contacts: [7, 9] }],
    [
      'how to find a contact whose id was never met',
      [
        known({ contact: null, identifiers: ['email:a@x.test', 'phone:+601'] }),
        known({ identifiers: ['email:b@x.test'] }),
      ],
      { contacts: [7], identifiers: [['email:a@x.test', 'phone:+601']] },
    ],
    ['that one of them was created by us', [known({}), known({ created: true })], { created: true }],
    [
      'as applied what all of them have applied alike',
      [
        known({ applied: { email: 'x', phone: 'y', lastName: 'z' } }),
        known({ applied: { email: 'x', phone: 'other' } }),
      ],
      { applied: { email: 'x' } },
    ],
  ])('is %s', (_what, all, wanted) => {
    expect(mergeKnownKeyRecords(all)).toMatchObject(wanted);
  });
});
