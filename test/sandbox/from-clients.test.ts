import { describe, expect, test } from 'vitest';
import { fieldOfEachType, startForTest } from './caller.ts';

const seed = {
  customFields: fieldOfEachType.map((field, n) => ({ ...field, id: n + 11, slug: `slug_${field.dataType}` })),
  tags: [{ name: 'vip', description: 'Very' }],
  contacts: [
    {
      id: 1,
      firstName: 'Ada',
      email: 'ada@example.com',
      tags: ['vip'],
      lifecycle: 'Lead',
      created_at: 100,
      custom_fields: [{ name: 'number', value: 5 }],
      assignee: 'agent@sandbox.test',
    },
    { id: 2, firstName: 'Bob', lastName: 'Builder', phone: '+60123456789', tags: ['a,b'], created_at: 200 },
  ],
};

type Form = readonly [name: string, method: string, path: string, body: object | null, shows: object];

const status = '/contact/id:1/conversation/status';
const assignee = '/contact/id:1/conversation/assignee';
const lifecycle = '/contact/id:1/lifecycle/update';

/** A condition alone in a filter, and whom it finds. */
const listed = (name: string, condition: object, ids: readonly number[]): Form => [
  name,
  'POST',
  '/contact/list',
  { filter: { $and: [condition] } },
  { items: ids.map((id) => ({ id })) },
];

/** What the service's published clients send although the specification does not have it, and what comes of it. */
const forms: readonly Form[] = [
  [
    'an update without a first name',
    'PUT',
    '/contact/id:1',
    { lastName: 'L' },
    { firstName: 'Ada', lastName: 'L' },
  ],
  ['an update of nothing', 'PUT', '/contact/id:1', {}, { firstName: 'Ada' }],
  [
    'a merge without a first name',
    'POST',
    '/contact/merge',
    { contactIds: [2, 1] },
    { firstName: 'Ada', lastName: 'Builder', phone: '+60123456789' },
  ],
  ['no alternatives', 'POST', '/contact/list', { filter: { $or: [] } }, { items: [{ id: 1 }, { id: 2 }] }],
  [
    'a list as an integration asks for it',
    'POST',
    '/contact/list?limit=10',
    { search: '', timezone: 'utc', filter: { $or: [] } },
    { items: [{ id: 1 }, { id: 2 }] },
  ],
  [
    'alternatives',
    'POST',
    '/contact/list',
    {
      filter: {
        $and: [],
        $or: ['Lead', 'Customer'].map((value) => ({ category: 'lifecycle', operator: 'isEqualTo', value })),
      },
    },
    { items: [{ id: 1 }] },
  ],
  listed('a lifecycle without a field', { category: 'lifecycle', operator: 'isEqualTo', value: 'Lead' }, [1]),
  listed('tags without a field', { category: 'contactTag', operator: 'isEqualTo', value: 'vip' }, [1]),
  listed(
    'a field and a value that are null',
    { category: 'contactTag', field: null, operator: 'exists', value: null },
    [1, 2],
  ),
  listed(
    'an array of tags, commas and all',
    { category: 'contactTag', field: '', operator: 'hasAnyOf', value: ['a,b', 'c'] },
    [2],
  ),
  listed(
    'an array that must all be there',
    { category: 'contactTag', field: '', operator: 'hasAllOf', value: ['vip', 'a,b'] },
    [],
  ),
  listed(
    'an array of which none may be there',
    { category: 'contactField', field: 'firstName', operator: 'hasNoneOf', value: ['Ada'] },
    [2],
  ),
  listed(
    'a range of numbers',
    { category: 'contactField', field: 'number', operator: 'isBetween', value: { from: 4, to: '6' } },
    [1],
  ),
  listed(
    'a range of time',
    {
      category: 'contactField',
      field: 'created_at',
      operator: 'isTimestampBetween',
      value: { from: '150', to: '250' },
    },
    [2],
  ),
  [
    'opening with nothing to note',
    'POST',
    status,
    { status: 'open', category: '', summary: '' },
    { status: 'open' },
  ],
  [
    'closing without a note',
    'POST',
    status,
    { status: 'close', category: '', summary: '' },
    { status: 'closed', closing: null },
  ],
  ['a user as a number', 'POST', assignee, { assignee: 3 }, { assignee: { id: 3 } }],
  ['a lifecycle of null', 'POST', lifecycle, { name: null }, { lifecycle: null }],
  ['null in place of a lifecycle', 'POST', lifecycle, null, { lifecycle: null }],
  [
    'custom fields by their slug, and by their id as text',
    'PUT',
    '/contact/id:1',
    {
      firstName: 'Ada',
      custom_fields: [
        { name: 'slug_text', value: 'x' },
        { name: '12', value: 6 },
      ],
    },
    {
      custom_fields: expect.arrayContaining([
        { name: 'text', value: 'x' },
        { name: 'number', value: '6' },
      ]),
    },
  ],
  listed(
    'the id of the assignee',
    { category: 'contactField', field: 'assigneeUserId', operator: 'isEqualTo', value: '3' },
    [1],
  ),
  listed(
    'a range as an array',
    { category: 'contactField', field: 'number', operator: 'isBetween', value: [4, '6'] },
    [1],
  ),
  listed(
    'a range of time as an array',
    {
      category: 'contactField',
      field: 'created_at',
      operator: 'isTimestampBetween',
      value: ['150', '250'],
    },
    [2],
  ),
  [
    'a field with an empty list of values',
    'POST',
    '/space/custom_field',
    { name: 'New', dataType: 'number', description: '', slug: '', allowedValues: [] },
    { name: 'New', dataType: 'number', description: '' },
  ],
  [
    'a field with nulls',
    'POST',
    '/space/custom_field',
    { name: 'New', dataType: 'text', description: null, slug: null, allowedValues: null },
    { name: 'New', dataType: 'text', description: '' },
  ],
  [
    'a tag that keeps its name',
    'PUT',
    '/space/tag',
    { currentName: 'vip', name: '', description: 'New' },
    { name: 'vip', description: 'New' },
  ],
];

describe.each(forms)('%s', (_, method, path, body, shows) => {
  test('is accepted', async () => {
    const { call, sandbox } = await startForTest({ seed });
    const { status: answered, text, json } = await call(method, path, body);
    expect({ answered, text }).toMatchObject({ answered: expect.toBeOneOf([200, 201]) });
    const shown =
      path.startsWith('/contact/list') || path.startsWith('/space') ? json : sandbox.contacts()[0];
    expect(shown).toMatchObject(shows);
  });

  test('is refused under strict, and changes nothing', async () => {
    const { call, sandbox } = await startForTest({ seed, strict: true });
    const before = sandbox.contacts();
    expect((await call(method, path, body)).json).toMatchObject({ code: 400 });
    expect(sandbox.contacts()).toEqual(before);
    expect(Object.values(sandbox.counts()).every(({ applied }) => applied === 0)).toBe(true);
  });
});

const condition = { category: 'contactField', field: 'number', operator: 'isBetween', value: '1,2' };
const filtered = (change: object): object => ({ filter: { $and: [{ ...condition, ...change }] } });

test.each([
  ['PUT', '/contact/id:1', { firstName: '' }],
  ['PUT', '/contact/id:1', { firstName: null }],
  ['POST', '/contact/email:new@example.com', { lastName: 'L' }],
  ['POST', '/contact/merge', { contactIds: [1, 2], firstName: null }],
  ['POST', '/contact/list', { filter: { $or: {} } }],
  ['POST', '/contact/list', { filter: { $or: ['x'] } }],
  ['POST', '/contact/list', { filter: { $not: [] } }],
  ['POST', '/contact/list', filtered({ field: null })],
  ['POST', '/contact/list', filtered({ value: ['1'] })],
  ['POST', '/contact/list', filtered({ value: ['1', '2', '3'] })],
  ['POST', '/contact/list', filtered({ value: { from: '1' } })],
  ['POST', '/contact/list', filtered({ value: { from: '1', to: '2', step: '1' } })],
  ['POST', '/contact/list', filtered({ value: null })],
  ['POST', '/contact/list', filtered({ operator: 'hasAnyOf', value: [] })],
  ['POST', '/contact/list', filtered({ operator: 'hasAnyOf', value: ['1', ''] })],
  ['POST', '/contact/list', filtered({ operator: 'hasAnyOf', value: [['1']] })],
  ['POST', '/contact/list', filtered({ operator: 'hasAnyOf', value: { from: '1', to: '2' } })],
  ['POST', '/contact/list', filtered({ operator: 'isEqualTo', value: ['1'] })],
  ['POST', '/contact/list', filtered({ operator: 'isGreaterThan', value: { from: '1', to: '2' } })],
  ['POST', status, { status: 'close', category: 'Nobody knows it', summary: '' }],
  ['POST', status, { status: 'close', category: null }],
  ['POST', assignee, { assignee: 99 }],
  ['POST', assignee, { assignee: 1.5 }],
  ['POST', assignee, {}],
  ['POST', lifecycle, {}],
  ['POST', status, null],
  ['PUT', '/contact/id:1', { custom_fields: [{ name: '99', value: 'x' }] }],
  ['POST', '/space/custom_field', { name: 'New', dataType: 'text', allowedValues: ['a'] }],
  ['POST', '/space/custom_field', { name: null, dataType: 'text' }],
  ['PUT', '/space/tag', { currentName: '', name: 'x' }],
])('%s %s %j is refused all the same', async (method, path, body) => {
  const { call, sandbox } = await startForTest({ seed });
  const before = sandbox.contacts();
  expect((await call(method, path, body)).json).toMatchObject({ code: 400 });
  expect(sandbox.contacts()).toEqual(before);
});

test('custom fields by their slug and their name are one field', async () => {
  const { call } = await startForTest({ seed });
  const custom_fields = [
    { name: 'text', value: 'x' },
    { name: 'slug_text', value: 'y' },
  ];
  expect((await call('PUT', '/contact/id:1', { custom_fields })).status).toBe(400);
});

test('/v2 is a base path as well, with pages of its own, and none under strict', async () => {
  const { sandbox, call } = await startForTest({ seed });
  const v2 = sandbox.baseUrl.replace(/v1$/, 'v2');
  expect((await call('GET', `${v2}/contact/id:1`)).json).toMatchObject({ id: 1 });
  expect((await call('POST', `${v2}/contact/list?limit=1`, {})).json).toMatchObject({
    pagination: { next: expect.stringContaining(`${v2}/contact/list?`) },
  });
  expect(sandbox.log.map(({ path, template }) => [path, template])).toEqual([
    ['/contact/id:1', '/contact/{identifier}'],
    ['/contact/list', '/contact/list'],
  ]);
  const strict = await startForTest({ seed, strict: true });
  const path = `${strict.sandbox.baseUrl.replace(/v1$/, 'v2')}/contact/id:1`;
  expect((await strict.call('GET', path)).status).toBe(404);
  expect((await call('GET', `${sandbox.baseUrl.replace(/v1$/, 'v3')}/contact/id:1`)).status).toBe(404);
});
