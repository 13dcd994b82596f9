import { expect, test } from 'vitest';
import type { Cell } from '../../src/model/row.ts';
import { draftOf, mapped } from './drafts.ts';

const staged = 'from: S, stages: [New Lead, Customer]';

const samples: readonly (readonly [
  what: string,
  rule: string,
  cells: Record<string, Cell>,
  expected: object,
])[] = [
  ['a cell is a stage', '{ from: S }', { S: ' Whatever ' }, { lifecycle: 'Whatever' }],
  ['values translate', '{ from: S, values: { lead: New Lead } }', { S: 'LEAD' }, { lifecycle: 'New Lead' }],
  ['stages give the spelling', `{ ${staged} }`, { S: 'new lead' }, { lifecycle: 'New Lead' }],
  [
    'a value is spelled as its stage',
    `{ ${staged}, values: { l: NEW LEAD } }`,
    { S: 'l' },
    { lifecycle: 'New Lead' },
  ],
  ['an empty cell leaves the stage alone', `{ ${staged} }`, { S: '' }, {}],
  ['empty: clear takes it away', `{ ${staged}, empty: clear }`, { S: '' }, { lifecycle: null }],
  ['empty: clear does nothing without the column', `{ ${staged}, empty: clear }`, {}, {}],
  ['a value can be none', '{ from: S, values: { none: null } }', { S: 'none' }, {}],
  [
    'a default is for created contacts',
    `{ ${staged}, default: new lead }`,
    { S: '' },
    { defaultLifecycle: 'New Lead' },
  ],
  [
    'a default is not needed where there is a stage',
    `{ ${staged}, default: New Lead }`,
    { S: 'Customer' },
    { lifecycle: 'Customer' },
  ],
  ['a default needs no column', '{ default: New Lead }', {}, { defaultLifecycle: 'New Lead' }],
  [
    'an unknown stage is dropped',
    `{ ${staged}, onInvalid: drop, empty: clear }`,
    { S: 'Lost' },
    { dropped: 1 },
  ],
  [
    'an unknown stage takes the default',
    `{ ${staged}, onInvalid: default, default: New Lead }`,
    { S: 'Lost' },
    { defaultLifecycle: 'New Lead', dropped: 1 },
  ],
];

test.each(samples)('lifecycle: %s', (_what, rule, cells, expected) => {
  const { lifecycle, defaultLifecycle, dropped } = draftOf(`lifecycle: ${rule}`, cells);
  expect({
    ...(lifecycle !== undefined && { lifecycle }),
    ...(defaultLifecycle !== undefined && { defaultLifecycle }),
    ...(dropped.length > 0 && { dropped: dropped.length }),
  }).toEqual(expected);
});

test('a stage that is not listed rejects the row', () => {
  expect(mapped(`lifecycle: { ${staged} }`, { S: 'Lost' })).toMatchObject({
    ok: false,
    key: null,
    problems: [
      {
        code: 'lifecycle.unknown',
        column: 'S',
        reason: '"Lost" is not one of the stages of the mapping: "New Lead", "Customer".',
      },
    ],
  });
});
