// A sandbox in a process of its own, filled with people and their messages, with its rate limit on; tells when each page of the
// contact list was asked for. Usage: filled-sandbox.mjs CONTACTS MESSAGES_EACH
import { startSandbox } from '../../../dist/sandbox/index.js';

const [contacts, each] = process.argv.slice(2).map(Number);
const pieces = 2_000;
const now = Math.floor(Date.now() / 1_000);
const customFields = [
  { name: 'Company', dataType: 'text' },
  { name: 'Score', dataType: 'number' },
];
const pages = { asked: [], limited: 0 };

const sandbox = await startSandbox({
  window: 'sliding',
  logSize: 0,
  seed: { customFields },
  onRequest({ path, at, status }) {
    if (status === 429) pages.limited += 1;
    else if (path === '/contact/list') pages.asked.push(at);
  },
});
for (let first = 1; first <= contacts; first += pieces)
  sandbox.add(piece(first, Math.min(pieces, contacts - first + 1)));

process.on('message', () => process.send({ pages }));
process.send({ baseUrl: sandbox.baseUrl });

function piece(first, count) {
  const ids = Array.from({ length: count }, (_, index) => first + index);
  return {
    contacts: ids.map((id) => ({
      id,
      firstName: `First${id}`,
      lastName: `Last${id}`,
      email: `person${id}@example.com`,
      phone: `+1201${String(2_000_000 + (id % 7_900_000)).padStart(7, '0')}`,
      countryCode: 'US',
      tags: ['bench', `group ${id % 10}`],
      custom_fields: [
        { name: 'Company', value: `Company ${id % 500}` },
        { name: 'Score', value: id % 100 },
      ],
    })),
    messages: ids.flatMap((id) => Array.from({ length: each }, (_, n) => message(id * 100 + n, id))),
  };
}

function message(messageId, contactId) {
  return {
    messageId,
    contactId,
    traffic: messageId % 2 === 0 ? 'incoming' : 'outgoing',
    message: {
      type: 'text',
      text: `Message ${messageId}: as long as people write when they ask where their order is.`,
    },
    status: [
      { value: 'sent', timestamp: now - 3_600 },
      { value: 'delivered', timestamp: now - 3_590 },
    ],
  };
}
