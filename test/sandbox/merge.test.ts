import { expect, test } from 'vitest';
import { startForTest } from './caller.ts';

const tags = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${letter}${i}`);

const seed = {
  customFields: ['body', 'primary', 'secondary', 'both'].map((name) => ({ name, dataType: 'text' as const })),
  contacts: [
    {
      id: 1,
      firstName: 'Younger',
      lastName: 'Y',
      email: 'younger@example.com',
      phone: '+60111111111',
      language: 'ms',
      lifecycle: 'Cold',
      assignee: 'agent@sandbox.test',
      tags: ['shared', ...tags('y', 5)],
      created_at: 200,
      custom_fields: [
        { name: 'secondary', value: 's' },
        { name: 'both', value: 's' },
        { name: 'body', value: 's' },
      ],
    },
    {
      id: 2,
      firstName: 'Older',
      email: 'older@example.com',
      tags: ['shared', ...tags('o', 5)],
      created_at: 100,
      custom_fields: [
        { name: 'primary', value: 'p' },
        { name: 'both', value: 'p' },
        { name: 'body', value: 'p' },
      ],
    },
    { id: 3, firstName: 'Same age', created_at: 100 },
  ],
  messages: [
    { messageId: 1, contactId: 1 },
    { messageId: 2, contactId: 2 },
  ],
};

test('the older contact stays; the body goes before its values, and those before the other ones', async () => {
  const { call, sandbox } = await startForTest({ seed });
  await call('POST', '/contact/id:1/comment', { text: 'of the younger' });
  await call('POST', '/contact/id:2/comment', { text: 'of the older' });
  const body = {
    firstName: 'Body',
    lastName: null,
    contactIds: [1, 2],
    custom_fields: [{ name: 'body', value: 'b' }],
  };
  expect((await call('POST', '/contact/merge', body)).json).toEqual({ contactId: 2 });

  const { json } = await call('GET', '/contact/id:2');
  expect(json).toMatchObject({
    firstName: 'Body',
    lastName: null,
    email: 'older@example.com',
    phone: '+60111111111',
    language: 'ms',
    lifecycle: 'Cold',
    assignee: { email: 'agent@sandbox.test' },
    created_at: 100,
    tags: ['shared', ...tags('o', 5), ...tags('y', 4)],
    custom_fields: [
      { name: 'body', value: 'b' },
      { name: 'primary', value: 'p' },
      { name: 'secondary', value: 's' },
      { name: 'both', value: 'p' },
    ],
  });
  expect((await call('GET', '/contact/id:1')).status).toBe(404);
  expect((await call('GET', '/contact/email:younger@example.com')).status).toBe(404);
  expect(sandbox.comments(2).map(({ text }) => text)).toEqual(['of the younger', 'of the older']);
  expect((await call('GET', '/contact/id:2/message/list')).json).toMatchObject({
    items: [
      { messageId: 2, contactId: 2 },
      { messageId: 1, contactId: 2 },
    ],
  });
});

test('of two that are equally old the lower id stays', async () => {
  const { call } = await startForTest({ seed });
  const body = { firstName: 'X', contactIds: [3, 2] };
  expect((await call('POST', '/contact/merge', body)).json).toEqual({ contactId: 2 });
});

test('the id of a merged contact is not given again', async () => {
  const { call } = await startForTest({ seed });
  await call('POST', '/contact/merge', { firstName: 'X', contactIds: [2, 3] });
  await call('POST', '/contact/email:new@example.com', { firstName: 'New' });
  expect((await call('GET', '/contact/email:new@example.com')).json).toMatchObject({ id: 4 });
});
