import { describe, expect, it } from 'vitest';
import { planMerge } from '../../src/steps/merge-contacts.ts';
import { listChangedProposalColumns, toProposalCells } from '../../src/steps/merge-proposal.ts';
import { contact } from '../identity/contact.ts';
import { draft, rules, values } from './drafts.ts';

const older = contact(8, {
  firstName: 'Augusta',
  phone: '+60123456789',
  custom_fields: [
    { name: 'Score', value: '42' },
    { name: 'VIP', value: null },
  ],
});
const newer = contact(9, { firstName: 'Ada', email: 'ada@acme.test' });
const says = values({ email: 'ada@acme.test', lastName: null }, { VIP: false });

function cells(line = 4, key: string | null = 'K1') {
  const plan = planMerge([older, newer], draft(says), { contact: {}, customFields: {} }, rules);
  if (plan.kind !== 'effect') throw new Error(plan.kind);
  const proposal = { contacts: [older, newer], row: says, result: plan.result } as const;
  return toProposalCells({ line, key, ...proposal, customFields: ['VIP', 'Score', 'Note'] });
}

describe('a merge proposal', () => {
  it('has its columns in order: line, key, ids, then field by field, the custom ones as the workspace has them', () => {
    const fields = ['firstName', 'lastName', 'email', 'phone', 'language', 'profilePic', 'countryCode'];
    const all = [...fields, 'customFields.VIP', 'customFields.Score', 'customFields.Note'];
    expect(Object.keys(cells())).toEqual([
      '_line',
      '_key',
      'contact_1_id',
      'contact_2_id',
      ...all.flatMap((field) =>
        ['contact_1', 'contact_2', 'row', 'result'].map((side) => `${side}.${field}`),
      ),
    ]);
  });

  it('shows both contacts, the row, and what the merge would give', () => {
    const filled = Object.entries(cells()).filter(([, cell]) => cell !== '');
    expect(Object.fromEntries(filled)).toEqual({
      _line: '4',
      _key: 'K1',
      contact_1_id: '8',
      contact_2_id: '9',
      'contact_1.firstName': 'Augusta',
      'contact_2.firstName': 'Ada',
      'result.firstName': 'Augusta',
      'contact_2.email': 'ada@acme.test',
      'row.email': 'ada@acme.test',
      'result.email': 'ada@acme.test',
      'contact_1.phone': '+60123456789',
      'result.phone': '+60123456789',
      'row.customFields.VIP': 'false',
      'result.customFields.VIP': 'false',
      'contact_1.customFields.Score': '42',
      'result.customFields.Score': '42',
    });
    expect(cells(4, null)._key).toBe('');
  });
});

describe('an approved line', () => {
  it.each([
    ['as it was', {}, []],
    ['that says yes, with a column of the person who approved', { approve: 'yes', remark: 'sure' }, []],
    ['on another line of a newer file', { _line: '99' }, []],
    ['of another row', { _key: 'K2' }, ['_key']],
    ['of other contacts', { contact_1_id: '9', contact_2_id: '8' }, ['contact_1_id', 'contact_2_id']],
    ['with another value', { 'contact_1.phone': '+601' }, ['contact_1.phone']],
    ['with another result', { 'result.firstName': 'Ada' }, ['result.firstName']],
    [
      'with a field that is gone from the workspace',
      { 'row.customFields.Old': '' },
      ['row.customFields.Old'],
    ],
  ])('%s', (_what, changes, columns) => {
    expect(listChangedProposalColumns(cells(), { ...cells(), ...changes })).toEqual(columns);
  });

  it('that lacks a column differs in it, also where it would be empty', () => {
    const { 'row.phone': _gone, _line, ...approved } = cells();
    expect(listChangedProposalColumns(cells(), approved)).toEqual(['row.phone']);
  });

  it('that a spreadsheet saved with its own line ends is the same', () => {
    const now = { ...cells(), 'row.customFields.Note': 'a\nb\r\nc' };
    expect(listChangedProposalColumns(now, { ...now, 'row.customFields.Note': 'a\r\nb\nc' })).toEqual([]);
  });
});
