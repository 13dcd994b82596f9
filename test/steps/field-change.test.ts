import { describe, expect, it } from 'vitest';
import type { CustomValue } from '../../src/model/custom-field.ts';
import {
  applyCustomFieldChanges,
  computeFieldChanges,
  findCustomValue,
} from '../../src/steps/field-change.ts';
import { contact } from '../identity/contact.ts';
import { rules, values } from './drafts.ts';

const entry = (name: string, value: CustomValue) => ({ name, value });

describe('a contact field', () => {
  it.each([
    ['the same', 'lastName', 'Lovelace', 'Lovelace', false],
    ['another', 'lastName', 'Byron', 'Lovelace', true],
    ['in other capitals', 'lastName', 'lovelace', 'Lovelace', true],
    ['empty there', 'lastName', null, 'Lovelace', true],
    ['cleared', 'lastName', 'Lovelace', null, true],
    ['cleared where nothing is', 'lastName', null, null, false],
    ['cleared where there is an empty text', 'lastName', '', null, false],
    ['an e-mail in other capitals', 'email', 'ADA@example.test', 'ada@example.test', false],
    ['a phone with spaces', 'phone', '+60 12-345 6789', '+60123456789', false],
    ['a language in capitals', 'language', 'EN', 'en', false],
    ['a first name', 'firstName', 'Bob', 'Ada', true],
    ['a first name cleared, which cannot be', 'firstName', 'Bob', null, false],
    ['a first name made empty, which cannot be either', 'firstName', 'Bob', '', false],
  ] as const)('that is %s: %s %j to %j is a change: %j', (_what, name, from, to, isChange) => {
    const changes = computeFieldChanges(
      values({ [name]: to }),
      contact(1, { [name]: from }),
      rules,
      'changed',
    );
    expect(changes).toEqual(isChange ? [{ kind: 'contact', name, from, to }] : []);
  });
});

describe('a custom field', () => {
  it.each([
    ['Score', '42', 42, false],
    ['Score', '42.0', 42, false],
    ['Score', '42', 43, true],
    ['Score', null, 0, true],
    ['Score', '0', 0, false],
    ['Score', '42', null, true],
    ['VIP', 'true', true, false],
    ['VIP', 'false', true, true],
    ['VIP', null, false, true],
    ['Note', '42', '42', false],
    ['Note', '42', '42.0', true],
    ['Note', 'Hello', 'hello', true],
    ['Born', '1815-12-10', '1815-12-10', false],
    ['Plan', 'gold', 'gold', false],
    ['Plan', 'gold', 'silver', true],
    ['Odd', 'x', 'x', false],
    ['Odd', 'x', 'y', true],
    ['Note', null, null, false],
    ['Note', '', null, false],
  ])('%s: %j to %j is a change: %j', (name, from, to, isChange) => {
    const there = contact(1, { custom_fields: [entry(name, from)] });
    expect(computeFieldChanges(values({}, { [name]: to }), there, rules, 'changed')).toEqual(
      isChange ? [{ kind: 'custom', name, from, to }] : [],
    );
  });

  it('that the contact does not have yet is a change from nothing', () => {
    expect(computeFieldChanges(values({}, { Note: 'x' }), contact(1), rules, 'changed')).toEqual([
      { kind: 'custom', name: 'Note', from: null, to: 'x' },
    ]);
    expect(findCustomValue([], 'Note')).toBeNull();
  });
});

it('only what is empty there is filled', () => {
  const there = contact(1, {
    firstName: 'Bob',
    lastName: '',
    custom_fields: [entry('Score', '1'), entry('Note', '')],
  });
  const wanted = values(
    { firstName: 'Ada', lastName: 'Byron', phone: '+60123456789' },
    { Score: 2, Note: 'x', VIP: false },
  );
  expect(computeFieldChanges(wanted, there, rules, 'empty').map(({ name }) => name)).toEqual([
    'lastName',
    'phone',
    'Note',
    'VIP',
  ]);
});

it('nothing wanted is nothing changed', () => {
  const there = contact(1, { firstName: 'Ada', custom_fields: [entry('Score', '1')] });
  expect(computeFieldChanges(values({}), there, rules, 'changed')).toEqual([]);
});

describe('the whole custom-field list', () => {
  const there = contact(1, {
    custom_fields: [
      entry('Score', '42'),
      entry('VIP', 'true'),
      entry('Note', '42'),
      entry('Plan', null),
      entry('Born', ''),
      entry('Odd', '7'),
    ],
  });

  it('says numbers and checkboxes without quotation marks, everything else as it stands, and nothing empty', () => {
    expect(applyCustomFieldChanges(there, [], rules)).toEqual([
      entry('Score', 42),
      entry('VIP', true),
      entry('Note', '42'),
      entry('Odd', '7'),
    ]);
  });

  it('has the changes laid over it, clearing by null, new ones at its end', () => {
    const changes = [
      { kind: 'custom', name: 'Score', from: '42', to: null },
      { kind: 'custom', name: 'VIP', from: 'true', to: false },
      { kind: 'custom', name: 'Plan', from: null, to: 'gold' },
      { kind: 'contact', name: 'lastName', from: null, to: 'Byron' },
    ] as const;
    expect(applyCustomFieldChanges(there, changes, rules)).toEqual([
      entry('Score', null),
      entry('VIP', false),
      entry('Note', '42'),
      entry('Odd', '7'),
      entry('Plan', 'gold'),
    ]);
  });

  it('keeps what is no number and no checkbox although its field says so', () => {
    const odd = contact(1, {
      custom_fields: [entry('Score', 'many'), entry('VIP', 'maybe'), entry('Score2', 1)],
    });
    expect(applyCustomFieldChanges(odd, [], rules)).toEqual([
      entry('Score', 'many'),
      entry('VIP', 'maybe'),
      entry('Score2', 1),
    ]);
  });
});
