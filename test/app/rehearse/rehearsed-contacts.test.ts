import { expect, it } from 'vitest';
import {
  compareRehearsedContact,
  type RehearsedContact,
} from '../../../src/app/rehearse/report/rehearsed-contacts.ts';

const ann: RehearsedContact = {
  id: 7,
  ...{ firstName: 'Ann', lastName: null, email: 'ann@example.test', phone: null },
  ...{ language: null, profilePic: null, countryCode: null, custom_fields: [] },
  ...{ status: 'open', lifecycle: null, tags: [], assignee: null, closing: null, comments: [] },
};
const isNew = (id: number) => id > 100;

it('a contact that only got an empty custom field has not changed', () => {
  const after = { ...ann, custom_fields: [{ name: 'Plan', value: null }] };
  expect(compareRehearsedContact({ id: 7, before: ann, after }, isNew)).toBeUndefined();
});

it('says what changed, beside fields also comments, and tells custom fields from others of their name', () => {
  const after = {
    ...ann,
    custom_fields: [{ name: 'status', value: 'gold' }],
    tags: ['vip', 'new'],
    comments: ['called'],
    closing: { category: 'Resolved', summary: null },
  };
  expect(compareRehearsedContact({ id: 7, before: ann, after }, isNew)).toEqual({
    contact: 7,
    change: 'changed',
    name: 'Ann, ann@example.test',
    values: [
      { field: 'customFields.status', from: null, to: 'gold' },
      { field: 'tags', from: null, to: 'vip; new' },
      { field: 'closing note', from: null, to: 'Resolved' },
      { field: 'new comments', from: null, to: '1' },
    ],
  });
});

it('a new contact has no id, and one that is gone was merged away', () => {
  const created = compareRehearsedContact({ id: 101, before: undefined, after: { ...ann, id: 101 } }, isNew);
  expect(created).toMatchObject({ contact: null, change: 'created' });
  expect(compareRehearsedContact({ id: 7, before: ann, after: undefined }, isNew)).toMatchObject({
    ...{ contact: 7, change: 'mergedAway', name: 'Ann, ann@example.test' },
  });
});
