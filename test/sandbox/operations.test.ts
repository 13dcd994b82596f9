import { expect, test } from 'vitest';
import { fieldOfEachType, heldClock, startForTest } from './caller.ts';

const seed = {
  customFields: fieldOfEachType,
  tags: [{ name: 'vip', description: 'Very', colorCode: '#fff', emoji: '⭐' }],
  channels: [
    { id: 12, templates: [{ id: 7, name: 'hello', languageCode: 'en', category: 'UTILITY', botId: 3 }] },
  ],
  contacts: [
    {
      id: 1,
      firstName: 'Ada',
      email: 'Ada@Example.com',
      phone: '+60123456789',
      tags: ['vip'],
      created_at: 100,
    },
    { id: 2, firstName: 'Bob', email: 'bob@example.com', created_at: 50 },
  ],
  messages: [
    {
      messageId: 5,
      contactId: 1,
      channelId: 12,
      traffic: 'outgoing' as const,
      message: { type: 'text', text: 'Hi' },
      status: [{ value: 'sent', timestamp: 99 }],
    },
  ],
};

const ada = {
  id: 1,
  firstName: 'Ada',
  lastName: null,
  phone: '+60123456789',
  email: 'Ada@Example.com',
  language: null,
  profilePic: null,
  countryCode: null,
  custom_fields: fieldOfEachType.map(({ name }) => ({ name, value: null })),
  status: 'open',
  tags: ['vip'],
  assignee: null,
  lifecycle: null,
  created_at: 100,
  isBlocked: false,
};
const message = {
  messageId: 5,
  contactId: 1,
  channelId: 12,
  traffic: 'outgoing',
  message: { type: 'text', text: 'Hi' },
  status: [{ value: 'sent', timestamp: 99 }],
};
const owner = {
  id: 1,
  firstName: 'Olive',
  lastName: 'Owner',
  email: 'owner@sandbox.test',
  role: 'owner',
  team: { id: 1, name: 'Everybody' },
  restrictions: [],
};
const lastPage = { next: '', previous: '' };

/** Every operation of the specification: the request, and its whole answer. */
const operations: readonly [string, string, unknown, number, object][] = [
  ['POST', '/contact/email:new@example.com', { firstName: 'New' }, 201, { code: '201' }],
  ['POST', '/contact/phone:+4915112345678', { firstName: 'New', language: 'de' }, 201, { code: '201' }],
  ['GET', '/contact/id:1', undefined, 200, ada],
  ['GET', '/contact/email%3Aada%40example.com', undefined, 200, ada],
  ['GET', '/contact/phone:+60123456789', undefined, 200, ada],
  ['GET', '/contact/phone%3A%2B60123456789', undefined, 200, ada],
  ['PUT', '/contact/id:2', { firstName: 'Robert', lastName: null }, 200, { contactId: 2 }],
  ['POST', '/contact/merge', { firstName: 'Bob', contactIds: [1, 2] }, 200, { contactId: 2 }],
  [
    'POST',
    '/contact/list?limit=5',
    { search: 'ada', timezone: 'Asia/Kuala_Lumpur', filter: { $and: [] } },
    200,
    { items: [ada], pagination: lastPage },
  ],
  [
    'POST',
    '/contact/id:1/lifecycle/update',
    { name: 'Hot' },
    200,
    { code: 200, message: 'Lifecycle updated successfully' },
  ],
  [
    'POST',
    '/contact/id:1/comment',
    { text: 'Hello {{@user.1}}' },
    201,
    { contactId: 1, text: 'Hello {{@user.1}}', created_at: 1_700_000_000 },
  ],
  [
    'POST',
    '/contact/id:1/conversation/status',
    { status: 'close', category: 'Migrated', summary: 'Done' },
    200,
    { contactId: 1 },
  ],
  ['POST', '/contact/id:1/conversation/assignee', { assignee: 'agent@sandbox.test' }, 200, { contactId: 1 }],
  ['GET', '/contact/id:1/message/list', undefined, 200, { items: [message], pagination: lastPage }],
  ['GET', '/contact/id:1/message/5', undefined, 200, message],
  [
    'GET',
    '/space/custom_field?limit=1',
    undefined,
    200,
    { items: [{ id: 1, name: 'text', description: '', dataType: 'text' }] },
  ],
  [
    'POST',
    '/space/custom_field',
    { name: 'Plan', dataType: 'list', allowedValues: ['a'], slug: 'plan', description: 'd' },
    201,
    { id: 9, name: 'Plan', description: 'd', dataType: 'list', allowedValues: ['a'] },
  ],
  [
    'POST',
    '/space/tag',
    { name: 'new', description: 'd', colorCode: '#000', emoji: '🙂' },
    201,
    { id: 2, name: 'new', description: 'd', colorCode: '#000', emoji: '🙂' },
  ],
  [
    'PUT',
    '/space/tag',
    { currentName: 'vip', name: 'VIP' },
    200,
    { id: 1, name: 'VIP', description: 'Very', colorCode: '#fff', emoji: '⭐' },
  ],
  ['DELETE', '/space/tag', { name: 'vip' }, 200, { code: 200, message: 'Tag deleted successfully' }],
  ['GET', '/space/user?limit=1', undefined, 200, { items: [owner] }],
  ['GET', '/space/user/1', undefined, 200, owner],
  [
    'GET',
    '/space/closing_notes',
    undefined,
    200,
    {
      items: [{ category: 'Migrated' }, { category: 'Resolved' }, { category: 'Spam' }],
      pagination: lastPage,
    },
  ],
  [
    'GET',
    '/space/channel/12/template',
    undefined,
    200,
    { items: [{ id: 7, channelId: 12, name: 'hello', botId: 3, components: [] }], pagination: lastPage },
  ],
];

test.each(operations)('%s %s', async (method, path, body, status, json) => {
  const { call } = await startForTest({ seed, clock: heldClock() });
  const answered = await call(method, path, body);
  expect(answered.status).toBe(status);
  expect(answered.json).toMatchObject(json);
});

test('a read shows every change that was made, values as text', async () => {
  const { call } = await startForTest({ seed, clock: heldClock() });
  const custom_fields = [
    { name: 'text', value: 'word' },
    { name: 'number', value: 42.5 },
    { name: 'email', value: 'x@example.com' },
    { name: 'url', value: 'www.site' },
    { name: 'list', value: 'gold' },
    { name: 'date', value: '2024-02-29' },
    { name: 'time', value: '23:59' },
    { name: 'checkbox', value: false },
  ];
  await call('PUT', '/contact/id:2', { firstName: 'Robert', countryCode: 'MY', custom_fields });
  await call('POST', '/contact/id:2/lifecycle/update', { name: 'Hot' });
  await call('POST', '/contact/id:2/conversation/status', { status: 'close' });
  await call('POST', '/contact/id:2/conversation/assignee', { assignee: '3' });
  const { json } = await call('GET', '/contact/id:2');
  expect(json).toEqual({
    ...ada,
    id: 2,
    firstName: 'Robert',
    phone: null,
    email: 'bob@example.com',
    countryCode: 'MY',
    custom_fields: custom_fields.map(({ name, value }) => ({ name, value: String(value) })),
    status: 'closed',
    tags: [],
    assignee: { id: 3, firstName: 'Ada', lastName: 'Agent', email: 'agent@sandbox.test' },
    lifecycle: 'Hot',
    created_at: 50,
  });
});

test('null unassigns, an empty name removes the stage, open opens', async () => {
  const { call, sandbox } = await startForTest({
    seed: {
      contacts: [{ firstName: 'A', assignee: 'agent@sandbox.test', lifecycle: 'Hot', status: 'closed' }],
    },
  });
  await call('POST', '/contact/id:1/conversation/assignee', { assignee: null });
  await call('POST', '/contact/id:1/lifecycle/update', { name: '' });
  await call('POST', '/contact/id:1/conversation/status', { status: 'open' });
  expect(sandbox.contacts()).toMatchObject([{ assignee: null, lifecycle: null, status: 'open' }]);
});

test.each([
  ['replace', { a: null, b: '2' }],
  ['merge', { a: '1', b: '2' }],
] as const)('custom field arrays of an update: %s', async (customFieldArrays, left) => {
  const { call } = await startForTest({
    customFieldArrays,
    seed: {
      customFields: [
        { name: 'a', dataType: 'text' },
        { name: 'b', dataType: 'number' },
      ],
      contacts: [{ firstName: 'A', custom_fields: [{ name: 'a', value: '1' }] }],
    },
  });
  await call('PUT', '/contact/id:1', { firstName: 'A', custom_fields: [{ name: 'b', value: 2 }] });
  const { json } = await call('GET', '/contact/id:1');
  expect(json).toMatchObject({
    custom_fields: Object.entries(left).map(([name, value]) => ({ name, value })),
  });
});

test.each([
  ['refuse', 400, 1],
  ['duplicate', 201, 2],
] as const)('a create of somebody who is there: %s', async (existing, status, contacts) => {
  const { call, sandbox } = await startForTest({ existing });
  await call('POST', '/contact/email:a@example.com', { firstName: 'A' });
  const second = await call('POST', '/contact/email:A@Example.com', { firstName: 'B' });
  expect(second.status).toBe(status);
  expect(sandbox.contacts()).toHaveLength(contacts);
  expect((await call('GET', '/contact/email:a@example.com')).json).toMatchObject({ id: 1, firstName: 'A' });
  await call('PUT', '/contact/email:a@example.com', { firstName: 'C' });
  expect(sandbox.contacts()[0]).toMatchObject({ firstName: 'C' });
});

test('renaming a tag renames it at its contacts, deleting it takes it away', async () => {
  const { call } = await startForTest({ seed });
  await call('PUT', '/space/tag', { currentName: 'vip', name: 'VIP' });
  expect((await call('GET', '/contact/id:1')).json).toMatchObject({ tags: ['VIP'] });
  await call('DELETE', '/space/tag', { name: 'VIP' });
  expect((await call('GET', '/contact/id:1')).json).toMatchObject({ tags: [] });
});

test('attaching and detaching tags is served only where it is switched on', async () => {
  const off = await startForTest({ seed });
  expect((await off.call('POST', '/contact/id:1/tag', ['a'])).status).toBe(404);
  const on = await startForTest({ seed, extensions: { attachTags: true } });
  expect((await on.call('POST', '/contact/id:1/tag', ['a', 'vip'])).status).toBe(200);
  expect((await on.call('GET', '/contact/id:1')).json).toMatchObject({ tags: ['vip', 'a'] });
  const ten = Array.from({ length: 10 }, (_, i) => `t${i}`);
  for (const body of [[], ['a', 'a'], [...ten, 'eleventh'], ten, [1], {}]) {
    expect((await on.call('POST', '/contact/id:1/tag', body)).status).toBe(400);
  }
  expect((await on.call('GET', '/contact/id:1')).json).toMatchObject({ tags: ['vip', 'a'] });
  expect((await off.call('DELETE', '/contact/id:1/tag', ['vip'])).status).toBe(404);
  expect((await on.call('DELETE', '/contact/id:1/tag', ['vip', 'unknown'])).json).toEqual({ contactId: 1 });
  expect((await on.call('GET', '/contact/id:1')).json).toMatchObject({ tags: ['a'] });
  for (const body of [[], ['a', 'a'], [1], {}]) {
    expect((await on.call('DELETE', '/contact/id:1/tag', body)).status).toBe(400);
  }
  expect((await on.call('GET', '/contact/id:1')).json).toMatchObject({ tags: ['a'] });
});

test.each([
  ['text', '5', 'true'],
  ['typed', 5, true],
] as const)('custom field values are answered as %s', async (customFieldValues, number, checkbox) => {
  const { call } = await startForTest({
    customFieldValues,
    seed: {
      customFields: fieldOfEachType,
      contacts: [
        {
          firstName: 'A',
          custom_fields: [
            { name: 'number', value: 5 },
            { name: 'checkbox', value: true },
            { name: 'date', value: '2024-01-31' },
          ],
        },
      ],
    },
  });
  const shown = {
    custom_fields: expect.arrayContaining([
      { name: 'number', value: number },
      { name: 'checkbox', value: checkbox },
      { name: 'date', value: '2024-01-31' },
      { name: 'text', value: null },
    ]),
  };
  expect((await call('GET', '/contact/id:1')).json).toMatchObject(shown);
  expect((await call('POST', '/contact/list', {})).json).toMatchObject({ items: [shown] });
});
