import { describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { type dataTypeNames, fieldOfEachType, startForTest } from './caller.ts';

/** What each plain contact field takes and refuses. */
const plain: Record<string, { good: unknown[]; bad: unknown[] }> = {
  firstName: { good: ['A', 'Ünï'], bad: ['', ' ', null, 1, undefined] },
  lastName: { good: ['B', '', null], bad: [1, {}, ['B']] },
  email: {
    good: ['a@example.com', 'a.b+c@sub.example.co', 'jürgen@müller.de', null],
    bad: [
      '',
      'a',
      'a@b',
      'a@@example.com',
      'a b@example.com',
      '.a@example.com',
      'a..b@example.com',
      'a@-x.com',
      1,
    ],
  },
  phone: {
    good: ['+60123456789', null],
    bad: ['', '60123456789', '+0123456789', '+60 12', '+12345678901234567', '+6012345678x12', 1],
  },
  language: { good: ['en', 'zh', null], bad: ['', 'EN', 'english', 'xx', 'eng'] },
  countryCode: { good: ['MY', 'GB', null], bad: ['', 'my', 'UK', 'MYS', 'EU'] },
  profilePic: {
    good: ['https://x.test/a.png', null],
    bad: ['', 'x.test/a.png', 'ftp://x.test/a', 'https://', 5],
  },
};

/** What a custom field of each data type takes and refuses. */
const custom: { [T in (typeof dataTypeNames)[number]]: { good: unknown[]; bad: unknown[] } } = {
  text: { good: ['word', '', null], bad: [1, true, {}] },
  number: { good: [0, -1.5, 1e6, null], bad: ['1', '', true] },
  email: { good: ['a@example.com', null], bad: ['a', '', 1] },
  url: {
    good: ['www.site', 'https://www.site', 'site', 'http://site/x?y#z', null],
    bad: ['a b', '', 'ftp://x', 1],
  },
  list: { good: ['gold', null], bad: ['Gold', 'bronze', '', 1] },
  date: {
    good: ['2024-02-29', null],
    bad: ['2023-02-29', '2024-13-01', '24-01-01', '2024-1-1', '2024/01/01', '', 20240101],
  },
  time: { good: ['00:00', '23:59', null], bad: ['24:00', '9:00', '09:60', '09:00:00', ''] },
  checkbox: { good: [true, false, null], bad: ['true', 1, ''] },
};

const anywhere: [string, unknown, number, object][] = [
  ['custom field', 'unknown', 400, { custom_fields: [{ name: 'nope', value: 'x' }] }],
  ['custom field', 'nameless', 400, { custom_fields: [{ value: 'x' }] }],
  ['custom field', 'no value', 200, { custom_fields: [{ name: 'text' }] }],
  [
    'custom field',
    'twice',
    400,
    {
      custom_fields: [
        { name: 'text', value: 'x' },
        { name: 'text', value: 'y' },
      ],
    },
  ],
  ['custom_fields', 'null', 200, { custom_fields: null }],
  ['custom_fields', 'an object', 400, { custom_fields: {} }],
  ['custom_fields', 'of texts', 400, { custom_fields: ['text'] }],
  ['a stranger', 'refused', 400, { tags: ['x'] }],
];

const cases: readonly [string, unknown, number, object][] = [
  ...Object.entries(plain).flatMap(([name, { good, bad }]) => [
    ...good.map((value): [string, unknown, number, object] => [name, value, 200, { [name]: value }]),
    ...bad.map((value): [string, unknown, number, object] => [name, value, 400, { [name]: value }]),
  ]),
  ...Object.entries(custom).flatMap(([name, { good, bad }]) => {
    const field = (value: unknown): object => ({ custom_fields: [{ name, value }] });
    return [
      ...good.map((value): [string, unknown, number, object] => [name, value, 200, field(value)]),
      ...bad.map((value): [string, unknown, number, object] => [name, value, 400, field(value)]),
    ];
  }),
  ...anywhere,
];

/** Where each case is sent: the method, the path, and what the body needs besides. */
type Target = (sandbox: Sandbox, fields: object) => [method: string, path: string, more: object];

const targets: Record<string, Target> = {
  update: () => ['PUT', '/contact/id:1', {}],
  // An e-mail or phone in the body must be that of the path, so these go by the other identifier.
  create: (_, fields) => [
    'POST',
    'email' in fields ? '/contact/phone:+60111111111' : '/contact/email:new@example.com',
    {},
  ],
  merge: (sandbox) => {
    sandbox.add({ contacts: [{ firstName: 'One' }, { firstName: 'Two' }] });
    return [
      'POST',
      '/contact/merge',
      {
        contactIds: sandbox
          .contacts()
          .slice(-2)
          .map(({ id }) => id),
      },
    ];
  },
};

describe.each(Object.entries(targets))('the contact fields of a %s', (_, target) => {
  test('are taken as the specification describes them, and refused otherwise', async () => {
    const seed = { customFields: fieldOfEachType, contacts: [{ firstName: 'A' }] };
    const { call, sandbox } = await startForTest({ seed, existing: 'duplicate', strict: true });
    for (const [name, value, status, fields] of cases) {
      const [method, path, more] = target(sandbox, fields);
      const answered = await call(method, path, { firstName: 'A', ...more, ...fields });
      const label = `${name}: ${JSON.stringify(value)} gave ${answered.text}`;
      expect(answered.status === 201 ? 200 : answered.status, label).toBe(status);
    }
  });
});

/** Bodies and paths that must be refused, besides contact fields. */
const refused: readonly [string, string, unknown, RegExp?][] = [
  ...['1', 'id:', 'id:x', 'id:0', 'id:-1', 'email:', 'email:x', 'phone:60123456789', 'name:Ada', ':'].flatMap(
    (identifier): [string, string, unknown][] => [
      ['GET', `/contact/${encodeURIComponent(identifier)}`, undefined],
      ['PUT', `/contact/${encodeURIComponent(identifier)}`, { firstName: 'A' }],
      ['POST', `/contact/${encodeURIComponent(identifier)}`, { firstName: 'A' }],
      ['POST', `/contact/${encodeURIComponent(identifier)}/comment`, { text: 'A' }],
    ],
  ),
  ['POST', '/contact/id:1', { firstName: 'A' }, /by email or phone/],
  [
    'POST',
    '/contact/email:b@example.com',
    { firstName: 'A', email: 'c@example.com' },
    /not that of the path/,
  ],
  ['POST', '/contact/email:b@example.com', { firstName: 'A', email: null }, /not that of the path/],
  ['PUT', '/contact/id:1', 'not json', /not JSON/],
  ['PUT', '/contact/id:1', '[]', /JSON object/],
  ['PUT', '/contact/id:1', undefined, /firstName/],
  ...[[1], [1, 1], [1, 9], [1, 2, 3], ['1', '2'], [1.5, 2], undefined, {}].map(
    (contactIds): [string, string, unknown, RegExp] => [
      'POST',
      '/contact/merge',
      { firstName: 'A', contactIds },
      /contact/,
    ],
  ),
  ['POST', '/contact/merge', { contactIds: [1, 2] }, /firstName/],
  ...[{}, { name: null }, { name: 1 }, { name: 'x', y: 1 }].map((body): [string, string, unknown] => [
    'POST',
    '/contact/id:1/lifecycle/update',
    body,
  ]),
  ...[{}, { text: '' }, { text: null }, { text: 1 }].map((body): [string, string, unknown] => [
    'POST',
    '/contact/id:1/comment',
    body,
  ]),
  ['POST', '/contact/id:1/comment', { text: 'x'.repeat(1001) }, /length must not exceed 1000 characters/],
  ...[
    {},
    { status: 'closed' },
    { status: 'close', category: 'Nobody knows it' },
    { status: 'close', category: 'x'.repeat(129) },
    { status: 'close', category: 'Spam', summary: 'x'.repeat(513) },
    { status: 'close', category: 1 },
  ].map((body): [string, string, unknown] => ['POST', '/contact/id:1/conversation/status', body]),
  ...[{}, { assignee: 'nobody@example.com' }, { assignee: '99' }, { assignee: 1 }, { assignee: 'x' }].map(
    (body): [string, string, unknown] => ['POST', '/contact/id:1/conversation/assignee', body],
  ),
  ['GET', '/contact/id:1/message/list?limit=51', undefined, /limit/],
  ['GET', '/contact/id:1/message/x', undefined],
  ['GET', '/space/user/x', undefined],
  ['GET', '/space/channel/x/template', undefined],
  ...[
    { dataType: 'text' },
    { name: 'A' },
    { name: 'A', dataType: 'Text' },
    { name: 'A', dataType: 'text', slug: 'a b' },
    { name: 'A', dataType: 'text', slug: '' },
    { name: 'A', dataType: 'text', slug: 'text' },
    { name: 'A', dataType: 'text', allowedValues: ['a'] },
    { name: 'A', dataType: 'list', allowedValues: ['a', 'a'] },
    { name: 'A', dataType: 'list', allowedValues: 'a' },
    { name: 'text', dataType: 'text' },
    { name: 'A', dataType: 'text', description: 1 },
  ].map((body): [string, string, unknown] => ['POST', '/space/custom_field', body]),
  ...[{}, { name: '' }, { name: 'vip' }, { name: 'x', emoji: 1 }].map((body): [string, string, unknown] => [
    'POST',
    '/space/tag',
    body,
  ]),
  ...[{}, { currentName: 'vip', name: '' }, { currentName: 'vip', name: 'old' }].map(
    (body): [string, string, unknown] => ['PUT', '/space/tag', body],
  ),
  ['DELETE', '/space/tag', {}],
];

test('what breaks a rule is answered with 400, and changes nothing', async () => {
  const { call, sandbox } = await startForTest({
    strict: true,
    seed: {
      customFields: fieldOfEachType,
      tags: [{ name: 'vip' }, { name: 'old' }],
      contacts: [{ firstName: 'A', email: 'a@example.com' }, { firstName: 'B' }],
    },
  });
  const before = sandbox.contacts();
  for (const [method, path, body, text] of refused) {
    const answered = await call(method, path, body);
    const label = `${method} ${path} ${JSON.stringify(body)} gave ${answered.text}`;
    expect(answered.status, label).toBe(400);
    expect(answered.text, label).toMatch(text ?? /./);
  }
  expect(sandbox.contacts()).toEqual(before);
  expect(Object.values(sandbox.counts()).every(({ applied }) => applied === 0)).toBe(true);
});

test('limits are reached, not fallen short of', async () => {
  const { call, sandbox } = await startForTest({
    seed: { closingNotes: [{ category: 'x'.repeat(128) }], contacts: [{ firstName: 'A' }] },
  });
  const closing = { status: 'close', category: 'x'.repeat(128), summary: 'y'.repeat(512) };
  expect((await call('POST', '/contact/id:1/comment', { text: 'x'.repeat(1000) })).status).toBe(201);
  expect((await call('POST', '/contact/id:1/conversation/status', closing)).status).toBe(200);
  expect(sandbox.contacts()).toMatchObject([
    { closing: { category: closing.category, summary: closing.summary }, comments: [{ contactId: 1 }] },
  ]);
});

test('a summary counts only beside a category', async () => {
  const { call, sandbox } = await startForTest({ seed: { contacts: [{ firstName: 'A' }] } });
  await call('POST', '/contact/id:1/conversation/status', { status: 'close', summary: 'Lost' });
  expect(sandbox.contacts()).toMatchObject([{ status: 'closed', closing: null }]);
});

test('strangers in a body can be ignored', async () => {
  const { call } = await startForTest({
    unknownProperties: 'ignore',
    seed: { contacts: [{ firstName: 'A' }] },
  });
  expect((await call('PUT', '/contact/id:1', { firstName: 'B', tags: ['x'] })).status).toBe(200);
});
