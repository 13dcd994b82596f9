import { expect, test } from 'vitest';
import { fieldOfEachType, startForTest } from './caller.ts';

const day = (text: string): number => Date.parse(text) / 1000;

const seed = {
  customFields: [...fieldOfEachType, { name: 'Big Plan', slug: 'big_plan', dataType: 'text' as const }],
  contacts: [
    {
      id: 1,
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'Ada@Example.com',
      phone: '+60123456789',
      countryCode: 'GB',
      tags: ['vip', 'old'],
      lifecycle: 'Customer',
      assignee: 'agent@sandbox.test',
      created_at: day('2024-01-01T12:00:00Z'),
      custom_fields: [
        { name: 'number', value: 5 },
        { name: 'date', value: '2024-01-10' },
        { name: 'time', value: '09:30' },
        { name: 'checkbox', value: true },
        { name: 'list', value: 'gold' },
        { name: 'Big Plan', value: 'x' },
      ],
    },
    {
      id: 2,
      firstName: 'Bob',
      lastName: '100%',
      email: 'bob@example.com',
      countryCode: 'MY',
      tags: ['vip'],
      lifecycle: 'Lead',
      created_at: day('2024-01-02T00:00:00Z'),
      custom_fields: [
        { name: 'number', value: 40 },
        { name: 'date', value: '2024-02-10' },
        { name: 'time', value: '17:00' },
        { name: 'checkbox', value: false },
        { name: 'list', value: 'silver' },
      ],
    },
    { id: 3, firstName: 'Cy', status: 'closed' as const, created_at: day('2024-01-02T23:59:59Z') },
    { id: 4, firstName: 'Di', isBlocked: true, countryCode: 'MY', created_at: day('2024-03-01T00:00:00Z') },
  ],
};

type Case = readonly [
  category: string,
  field: string | undefined,
  operator: string,
  value: string | undefined,
  ids: readonly number[],
];

const field = 'contactField';

const cases: readonly Case[] = [
  [field, 'firstName', 'isEqualTo', 'Ada', [1]],
  [field, 'firstName', 'isEqualTo', 'ada', []],
  [field, 'email', 'isEqualTo', 'aDA@example.com', [1]],
  [field, 'phone', 'isEqualTo', '+60123456789', [1]],
  [field, 'id', 'isEqualTo', '2', [2]],
  [field, 'status', 'isEqualTo', 'closed', [3]],
  [field, 'isBlocked', 'isEqualTo', 'true', [4]],
  [field, 'lifecycle', 'isEqualTo', 'Lead', [2]],
  [field, 'assignee', 'isEqualTo', 'agent@sandbox.test', [1]],
  [field, 'assignee', 'isEqualTo', '3', [1]],
  [field, 'assignee', 'isEqualTo', 'nobody@example.com', []],
  [field, 'number', 'isEqualTo', '5.0', [1]],
  [field, 'checkbox', 'isEqualTo', 'false', [2]],
  [field, 'Big Plan', 'isEqualTo', 'x', [1]],
  [field, 'big_plan', 'isEqualTo', 'x', [1]],
  [field, 'created_at', 'isEqualTo', '2024-01-02', [2, 3]],
  [field, 'countryCode', 'isNotEqualTo', 'MY', [1, 3]],
  [field, 'number', 'isNotEqualTo', '5', [2, 3, 4]],
  [field, 'created_at', 'isTimestampAfter', '2024-01-02T00:00:00Z', [3, 4]],
  [field, 'created_at', 'isTimestampAfter', '2024-01-02', [4]],
  [field, 'created_at', 'isTimestampBefore', '2024-01-02', [1]],
  [field, 'created_at', 'isTimestampBefore', String(day('2024-01-02T23:59:59Z')), [1, 2]],
  [field, 'created_at', 'isTimestampBetween', '2024-01-02, 2024-01-02', [2, 3]],
  [field, 'created_at', 'isTimestampBetween', '2024-01-01T12:00:00Z,2024-01-02T08:00+08:00', [1, 2]],
  [field, 'date', 'isTimestampAfter', '2024-01-10', [2]],
  [field, 'date', 'isTimestampBefore', '2024-02-10', [1]],
  [field, 'date', 'isTimestampBetween', '2024-01-10,2024-02-10', [1, 2]],
  [field, 'lastName', 'exists', undefined, [1, 2]],
  [field, 'number', 'exists', undefined, [1, 2]],
  [field, 'lastName', 'doesNotExist', undefined, [3, 4]],
  [field, 'assignee', 'doesNotExist', undefined, [2, 3, 4]],
  [field, 'number', 'isGreaterThan', '5', [2]],
  [field, 'number', 'isGreaterThan', '4.5', [1, 2]],
  [field, 'time', 'isGreaterThan', '09:30', [2]],
  [field, 'id', 'isGreaterThan', '2', [3, 4]],
  [field, 'number', 'isLessThan', '40', [1]],
  [field, 'number', 'isBetween', '5,40', [1, 2]],
  [field, 'number', 'isBetween', '6,40', [2]],
  [field, 'countryCode', 'hasAnyOf', 'GB, MY', [1, 2, 4]],
  [field, 'list', 'hasAnyOf', 'gold', [1]],
  [field, 'countryCode', 'hasAllOf', 'MY', [2, 4]],
  [field, 'countryCode', 'hasAllOf', 'GB,MY', []],
  [field, 'countryCode', 'hasNoneOf', 'GB,US', [2, 3, 4]],
  ['contactTag', undefined, 'isEqualTo', 'vip', [1, 2]],
  ['contactTag', '', 'isNotEqualTo', 'old', [2, 3, 4]],
  ['contactTag', '', 'exists', undefined, [1, 2]],
  ['contactTag', '', 'doesNotExist', undefined, [3, 4]],
  ['contactTag', '', 'hasAnyOf', 'old,none', [1]],
  ['contactTag', '', 'hasAllOf', 'vip,old', [1]],
  ['contactTag', '', 'hasNoneOf', 'old', [2, 3, 4]],
  ['lifecycle', 'lifecycle', 'isEqualTo', 'Customer', [1]],
  ['lifecycle', undefined, 'isNotEqualTo', 'Customer', [2, 3, 4]],
  ['lifecycle', undefined, 'exists', undefined, [1, 2]],
  ['lifecycle', undefined, 'doesNotExist', undefined, [3, 4]],
  ['lifecycle', undefined, 'hasAnyOf', 'Lead,Customer', [1, 2]],
  ['lifecycle', undefined, 'hasAllOf', 'Lead', [2]],
  ['lifecycle', undefined, 'hasNoneOf', 'Lead', [1, 3, 4]],
];

const thirteen = [
  'isEqualTo',
  'isNotEqualTo',
  'isTimestampAfter',
  'isTimestampBefore',
  'isTimestampBetween',
  'exists',
  'doesNotExist',
  'isGreaterThan',
  'isLessThan',
  'isBetween',
  'hasAnyOf',
  'hasAllOf',
  'hasNoneOf',
];

function ids(json: unknown): unknown {
  const items: unknown = json instanceof Object && 'items' in json ? json.items : undefined;
  return Array.isArray(items) ? items.map(({ id }: { id: unknown }) => id) : json;
}

test('every condition lists the contacts it describes', async () => {
  const { call } = await startForTest({ seed });
  for (const [category, name, operator, value, expected] of cases) {
    const condition = { category, field: name, operator, value };
    const { json } = await call('POST', '/contact/list', { filter: { $and: [condition] } });
    expect(ids(json), JSON.stringify(condition)).toEqual(expected);
  }
  expect(new Set(cases.map(([, , operator]) => operator))).toEqual(new Set(thirteen));
});

test('conditions hold together, through pages and both ways', async () => {
  const { call } = await startForTest({ seed });
  const body = {
    filter: {
      $and: [
        { category: 'contactField', field: 'number', operator: 'doesNotExist' },
        { category: 'lifecycle', operator: 'doesNotExist' },
      ],
    },
  };
  const one = await call('POST', '/contact/list?limit=1', body);
  expect(ids(one.json)).toEqual([3]);
  const two = await call('POST', '/contact/list?limit=1&cursorId=3', body);
  expect(ids(two.json)).toEqual([4]);
  expect(two.json).toMatchObject({ pagination: { next: '' } });
  expect(ids((await call('POST', '/contact/list?limit=1&cursorId=-4', body)).json)).toEqual([3]);
});

test('a day is a day in the zone of the request', async () => {
  const { call } = await startForTest({ seed });
  const filter = {
    $and: [{ category: 'contactField', field: 'created_at', operator: 'isEqualTo', value: '2024-01-02' }],
  };
  const inZone = async (timezone: string): Promise<unknown> =>
    ids((await call('POST', '/contact/list', { timezone, filter })).json);
  expect(await inZone('Asia/Kuala_Lumpur')).toEqual([2]);
  expect(await inZone('America/New_York')).toEqual([3]);
});

test.each([
  ['', [1, 2, 3, 4, 5, 6]],
  ['ADA', [1]],
  ['ada love', [1]],
  ['+6012', [1]],
  ['@example', [1, 2]],
  ['0%', [2]],
  ['_', []],
  ['ÄNNE', [5, 6]],
  ['ba\u0308nne', [6]],
  ['strasse', [5]],
  ['οδός', [6]],
])('search for "%s"', async (search, expected) => {
  const { call, sandbox } = await startForTest({ seed });
  sandbox.add({
    contacts: [
      { firstName: 'Änne', lastName: 'Straße' },
      { firstName: 'Ba\u0308nne', lastName: 'ΟΔΌΣ' },
    ],
  });
  expect(ids((await call('POST', '/contact/list', { search })).json)).toEqual(expected);
});

test('a body that is no filter is refused', async () => {
  const { call } = await startForTest({ seed, strict: true });
  const condition = { category: 'contactField', field: 'firstName', operator: 'isEqualTo', value: 'Ada' };
  const bad: unknown[] = [
    [],
    { search: 1 },
    { timezone: 'Mars/Olympus' },
    { timezone: 8 },
    { filter: [] },
    { filter: { $or: [] } },
    { filter: { $and: {} } },
    { filter: { $and: ['x'] } },
    { colour: 'red' },
    ...[
      { category: 'contact' },
      { category: undefined },
      { operator: 'equals' },
      { operator: undefined },
      { operator: 'toString' },
      { field: undefined },
      { field: 'nope' },
      { field: 1 },
      { value: undefined },
      { value: 5 },
      { value: '' },
      { more: 1 },
      { field: 'number', value: 'x' },
      { field: 'isBlocked', value: 'yes' },
      { field: 'date', value: '2024-1-1' },
      { field: 'created_at', value: 'yesterday' },
      { field: 'created_at', value: '2024-02-30' },
      { operator: 'isGreaterThan' },
      { operator: 'isBetween' },
      { operator: 'isTimestampAfter' },
      { field: 'number', operator: 'isTimestampAfter', value: '5' },
      { field: 'number', operator: 'isBetween', value: '5' },
      { field: 'number', operator: 'isBetween', value: '1,2,3' },
      { operator: 'hasAnyOf', value: 'a,,b' },
      { category: 'contactTag', operator: 'isGreaterThan' },
      { category: 'lifecycle', operator: 'isLessThan' },
    ].map((change) => ({ filter: { $and: [{ ...condition, ...change }] } })),
  ];
  for (const body of bad) {
    expect((await call('POST', '/contact/list', body)).status, JSON.stringify(body)).toBe(400);
  }
});

const manyConditions: readonly [string, number, number, (n: number) => object][] = [
  ['a field', 1_000, 200, () => ({ category: 'contactField', field: 'firstName', operator: 'exists' })],
  ['tags', 1_000, 200, (n) => ({ category: 'contactTag', operator: 'isNotEqualTo', value: `t${n}` })],
  ['a field', 2_001, 400, () => ({ category: 'contactField', field: 'firstName', operator: 'exists' })],
];

test.each(manyConditions)('%s can be asked %i times: %i', async (_, count, status, condition) => {
  const { call } = await startForTest({ seed });
  const $and = Array.from({ length: count }, (__, n) => condition(n));
  const answered = await call('POST', '/contact/list', { filter: { $and } });
  expect(answered.status).toBe(status);
  if (status === 200) expect(ids(answered.json)).toEqual([1, 2, 3, 4]);
});

test.each([
  [2_000, 200],
  [2_001, 400],
])('a condition can have %i values: %i', async (count, status) => {
  const { call } = await startForTest({ seed });
  const value = ['Ada', ...Array.from({ length: count - 1 }, (_, n) => `N${n}`)].join(',');
  const condition = { category: 'contactField', field: 'firstName', operator: 'hasAnyOf', value };
  const answered = await call('POST', '/contact/list', { filter: { $and: [condition] } });
  expect(answered.status).toBe(status);
  if (status === 200) expect(ids(answered.json)).toEqual([1]);
});
