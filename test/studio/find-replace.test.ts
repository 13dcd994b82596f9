import { expect, it } from 'vitest';
import { type Replacement, replaceInValue } from '../../src/studio/page/mapping/find-replace.tsx';

const plain: Replacement = { find: 'co.', into: '$& Company', isWhole: false, matchesCase: false };

it.each<[string, Partial<Replacement>, string | undefined]>([
  ['Acme Co. and co.', {}, 'Acme $& Company and $& Company'],
  ['Acme Co. and co.', { matchesCase: true }, 'Acme Co. and $& Company'],
  ['CO.', { isWhole: true, into: '' }, ''],
  ['Acme Co.', { isWhole: true }, undefined],
  ['Acme cox', {}, undefined],
  ['a', { find: '' }, undefined],
  ['ÄB (c)', { find: 'äb (', into: '' }, 'c)'],
])('a text is replaced in %j as it is, with %j: %j', (value, more, expected) => {
  expect(replaceInValue(value, { ...plain, ...more })).toBe(expected);
});
