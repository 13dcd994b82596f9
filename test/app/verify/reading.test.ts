import { expect, it } from 'vitest';
import { chooseReadBackMethod } from '../../../src/app/verify/reading.ts';

const needs = { inWorkspace: 100_000, perSecond: 5, concurrency: 64 };

it('reads the list where that is faster, and few contacts by themselves', () => {
  expect(chooseReadBackMethod({ ...needs, contacts: 100_000 })).toMatchObject({ way: 'list' });
  expect(chooseReadBackMethod({ ...needs, contacts: 1_000 })).toMatchObject({ way: 'single', mostPages: 0 });
  expect(chooseReadBackMethod({ ...needs, contacts: 1_000, inWorkspace: 500 })).toMatchObject({
    way: 'list',
  });
  expect(chooseReadBackMethod({ ...needs, contacts: 3, inWorkspace: 1_000 })).toMatchObject({
    way: 'single',
  });
});

it('says why', () => {
  expect(chooseReadBackMethod({ ...needs, contacts: 100_000 }).why).toBe(
    'The contact list is read once: 1,011 pages (about 3 minutes) instead of 100,000 single reads (about 7 minutes).',
  );
  expect(chooseReadBackMethod({ ...needs, contacts: 1_000 }).why).toBe(
    'Every contact is read by itself: 1,000 single reads (about 4 seconds) instead of 1,011 pages (about 3 minutes) of the contact list.',
  );
});
