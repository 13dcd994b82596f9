import { describe, expect, test } from 'vitest';
import type { Contact } from '../../src/model/contact.ts';
import { toContactRecordJson } from '../../src/model/contact-record.ts';
import type { Message } from '../../src/model/message.ts';
import { toMessageRecordsJson } from '../../src/model/message-record.ts';
import { formatMessageText } from '../../src/model/message-text.ts';
import { contact } from '../sources/workspace/live.ts';

const recordOf = (given: Contact, fields: readonly string[] = []): unknown =>
  JSON.parse(toContactRecordJson(given, fields));

describe('the record of a contact', () => {
  test('has every column also where nothing stands in it, and a custom field by its name', () => {
    const record = recordOf(contact(7), ['Plan', 'Score']);
    expect(record).toEqual({
      id: 7,
      firstName: 'P7',
      lastName: null,
      email: 'p7@example.com',
      phone: null,
      language: null,
      countryCode: null,
      profilePic: null,
      lifecycle: null,
      assignee: { id: null, firstName: null, lastName: null, email: null },
      status: 'open',
      isBlocked: false,
      created: '2023-11-14T22:13:20Z',
      tags: [],
      customFields: { Plan: null, Score: null },
    });
  });

  test('keeps what nobody knows, and no property of that name takes the place of a column', () => {
    const odd = { ...contact(7), mood: { today: 'good' }, created: 'never', customFields: 3 };
    expect(recordOf(odd)).toMatchObject({
      mood: { today: 'good' },
      created: '2023-11-14T22:13:20Z',
      customFields: {},
    });
  });

  test('custom fields may be called what they like', () => {
    const custom_fields = [
      { name: '__proto__', value: 'a' },
      { name: 'a.b', value: 'c' },
    ];
    expect(toContactRecordJson({ ...contact(7), custom_fields }, ['__proto__'])).toContain(
      '"customFields":{"__proto__":"a","a.b":"c"}',
    );
  });

  test('a time that no calendar has is none', () => {
    expect(recordOf({ ...contact(7), created_at: 1e18 })).toMatchObject({ created: null });
  });
});

const message = (messageId: number, more: Partial<Message> = {}): Message => ({
  messageId,
  channelId: 12,
  traffic: 'outgoing',
  message: { type: 'text', text: `t${messageId}` },
  status: [],
  ...more,
});

const listOf = (messages: readonly Message[]): unknown =>
  JSON.parse(
    toMessageRecordsJson(
      messages,
      { ...contact(7), firstName: 'Ada', lastName: 'Lang' },
      new Map([['31', { id: 31, firstName: 'Jane', lastName: 'Doe', email: 'jane@example.com' }]]),
    ),
  );

describe('the list of messages', () => {
  test('is in time order, each once, whatever the order of the pages', () => {
    const given = [message(3), message(1), message(3), message(2)];
    expect(listOf(given)).toMatchObject([{ text: 't1' }, { text: 't2' }, { text: 't3' }]);
  });

  test.each([
    [{ traffic: 'incoming' }, 'Ada Lang'],
    [{ sender: { source: 'user', userId: '31' } }, 'Jane Doe'],
    [{ sender: { source: 'user', userId: '32' } }, 'user 32'],
    [{ sender: { source: 'workflow' } }, 'workflow'],
    [{}, 'workspace'],
  ])('says who sent it: %o', (more, sender) => {
    expect(listOf([message(1, more)])).toMatchObject([{ sender }]);
  });

  test('takes the time of its first status and the value of its last', () => {
    const status = [
      { value: 'read', timestamp: 1_700_000_060 },
      { value: 'sent', timestamp: 1_700_000_000 },
    ];
    expect(listOf([message(1, { status })])).toMatchObject([
      { created: '2023-11-14T22:13:20Z', status: 'read' },
    ]);
    expect(listOf([message(1)])).toMatchObject([{ created: null, status: null }]);
  });

  test('half a sign and NUL, which nobody can send, are made good', () => {
    const text = `a\ud83d b\0c \ud83d\ude00`;
    expect(listOf([message(1, { message: { type: 'text', text } })])).toMatchObject([
      { text: 'a\ufffd bc \ud83d\ude00' },
    ]);
  });
});

test.each([
  [null, ''],
  [{ type: 'text', text: 'Hello' }, 'Hello'],
  [{ text: 'Hello' }, 'Hello'],
  [{ type: 'sticker' }, '[sticker]'],
  [
    { type: 'attachment', attachment: { type: 'image', url: 'https://x.test/a.png', fileName: 'a.png' } },
    '[attachment] a.png https://x.test/a.png',
  ],
  [
    { type: 'template', template: { name: 'welcome', components: [{ type: 'body', text: 'Welcome Ada' }] } },
    '[template] welcome Welcome Ada',
  ],
  [{ type: 'location', latitude: 3.1, longitude: 101.6 }, '[location] 3.1 101.6'],
])('the text of a message %o is "%s"', (given, text) => {
  expect(formatMessageText(given)).toBe(text);
});
