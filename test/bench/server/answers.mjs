import { emailOf, phoneOf } from '../run/people.mjs';
import { changed, page, pageOf } from './bodies.mjs';
import { rememberingContacts } from './contacts.mjs';

/** Messages on a page of them. */
export const perMessagePage = 3;

/**
 * What a request is answered, by who is there: `nobody`, and every create is accepted · `everybody`, each person of people.mjs with
 * other values than the input has · `remembered`, whom the requests so far have created.
 */
export function answersOf({ people = 'nobody', contacts = 0, messagePages = 1 }) {
  const there = { nobody, everybody: everybodyOf(contacts), remembered: rememberingContacts() }[people];
  const answer = (method, url, body) => {
    const [path, query = ''] = url.split('?');
    const [area, identifier = '', ...rest] = path.slice('/v1/'.length).split('/');
    if (area !== 'contact') return ok(path.endsWith('/user') ? users : noItems);
    if (identifier === 'list') return ok(there.list(new URLSearchParams(query)));
    if (rest[0] === 'message')
      return ok(messagesOf(numberIn(identifier), messagePages, new URLSearchParams(query)));
    const asked = decodeURIComponent(identifier);
    if (method === 'GET') {
      const contact = there.read(asked);
      return contact === undefined ? absent : ok(contact);
    }
    if (method === 'POST' && rest.length === 0) return ok(there.create(body) ?? accepted);
    return ok(there.change(asked, rest.join('/')));
  };
  answer.effects = () => there.effects?.() ?? {};
  return answer;
}

const noItems = JSON.stringify(page([]));
const accepted = JSON.stringify({ code: '200', message: 'ok' });
const user = {
  id: 1,
  firstName: 'A',
  lastName: 'B',
  email: 'a@example.com',
  role: 'owner',
  restrictions: [],
};
const users = JSON.stringify(page([{ ...user, team: { id: 1, name: 'One' } }]));
const absent = { status: 404, body: JSON.stringify({ code: 404, message: 'Contact not found' }) };

const nobody = {
  list: () => noItems,
  read: () => undefined,
  create: () => accepted,
  change: () => changed(1),
};

function everybodyOf(count) {
  const read = (identifier) => contactOf(numberIn(identifier));
  return {
    list: (query) => pageOf(query, count, (n) => contactOf(n)),
    read: (identifier) => JSON.stringify(read(identifier)),
    create: () => accepted,
    change: (identifier) => changed(numberIn(identifier)),
  };
}

function contactOf(n) {
  return {
    ...{ id: n + 1, firstName: `First${n}`, lastName: 'Before', email: emailOf(n), phone: phoneOf(n) },
    ...{ countryCode: 'US', custom_fields: [], status: 'closed', tags: [], lifecycle: null },
  };
}

/** A page of a person's messages, the newest first; the cursor is the id of the next to show. */
function messagesOf(n, pages, query) {
  const contactId = n + 1;
  const newest = contactId * 1_000 + pages * perMessagePage;
  const from = Number(query.get('cursorId') ?? newest);
  const items = Array.from({ length: perMessagePage }, (_, index) => messageOf(from - index, contactId));
  const cursorId = from - perMessagePage;
  const hasMore = cursorId > contactId * 1_000;
  const next = `http://127.0.0.1/v1/contact/id:${contactId}/message/list?limit=50&cursorId=${cursorId}`;
  return JSON.stringify(page(items, hasMore ? next : ''));
}

function messageOf(messageId, contactId) {
  const text = 'As long as people write when they ask where their order is.';
  return {
    ...{ messageId, contactId, channelId: 1, traffic: 'incoming', message: { type: 'text', text } },
    status: [{ value: 'delivered', timestamp: 1_700_000_000 }],
  };
}

/** Which person of people.mjs an identifier names. */
function numberIn(identifier) {
  const [, kind, digits] = /^(email:person|phone:\+1201|id:)(\d+)/.exec(decodeURIComponent(identifier)) ?? [];
  return Number(digits) - { 'email:person': 0, 'phone:+1201': 2_000_000, 'id:': 1 }[kind];
}

function ok(body) {
  return { status: 200, body };
}
