import { expect, it } from 'vitest';
import { createLosslessSchema, createPageResponseSchema } from '../../src/workspace/endpoints/answers.ts';
import { messageSchema } from '../../src/workspace/endpoints/schemas.ts';

const page = createPageResponseSchema(createLosslessSchema(messageSchema));
const message = { messageId: 1, contactId: 2, channelId: 3, traffic: 'incoming' };

it('keeps each item as it was sent, beside what is read of it', () => {
  const sent = { ...message, status: null, more: { deep: [1] } };
  const { items } = page.parse({ items: [sent], pagination: { next: '' } });
  expect(items).toEqual([{ given: sent, value: { ...sent, status: [] } }]);
});

it.each([
  [null, 'items.0: expected an object'],
  [[], 'items.0: expected an object'],
  ['text', 'items.0: expected an object'],
  [{ ...message, contactId: 'two' }, 'items.0.contactId: Invalid input: expected number, received string'],
  [
    { ...message, status: [{ value: 7 }] },
    'items.0.status.0.value: Invalid input: expected string, received number',
  ],
  [
    { ...message, messageId: 2 ** 53 },
    'items.0.messageId: messageId is not an integer below 2^53 and cannot be read exactly',
  ],
])('refuses %j', (item, words) => {
  const { error } = page.safeParse({ items: [item] });
  expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([words]);
});
