import { expect, test } from 'vitest';
import { type Call, startForTest } from './caller.ts';

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly pagination: { readonly next?: string | null; readonly previous?: string | null };
}

const count = 23;
const numbers = Array.from({ length: count }, (_, i) => i + 1);

const seed = {
  users: numbers.map((id) => ({
    id,
    firstName: `U${id}`,
    lastName: 'X',
    email: `u${id}@example.com`,
    pending: id === 5,
  })),
  customFields: numbers.map((id) => ({ id, name: `F${id}`, dataType: 'text' as const })),
  closingNotes: numbers.map((id) => ({ category: `N${String((id * 7) % count).padStart(2, '0')}` })),
  channels: [{ id: 4, templates: numbers.map((id) => ({ id, name: `T${id}` })) }],
  contacts: numbers.map((id) => ({ id, firstName: `C${id}` })),
  messages: numbers.map((messageId) => ({ messageId, contactId: 3 })),
};

/** Every list: its request, what identifies an item, all of them in order, and the largest page. */
const lists: readonly [method: string, path: string, key: string, all: readonly unknown[], max: number][] = [
  ['POST', '/contact/list', 'id', numbers, 100],
  ['GET', '/contact/id:3/message/list', 'messageId', [...numbers].reverse(), 50],
  ['GET', '/space/custom_field', 'id', numbers, 100],
  ['GET', '/space/user', 'id', numbers.filter((id) => id !== 5), 100],
  ['GET', '/space/closing_notes', 'category', numbers.map((_, i) => `N${String(i).padStart(2, '0')}`), 100],
  ['GET', '/space/channel/4/template', 'id', numbers, 100],
];

async function page(call: Call, method: string, path: string): Promise<Page> {
  const answered = await call(method, path, method === 'POST' ? {} : undefined);
  expect(answered.status, answered.text).toBe(200);
  return JSON.parse(answered.text);
}

/** Follows `next` or `previous` from an address to the end; at most 50 pages. */
async function follow(call: Call, method: string, start: string, way: 'next' | 'previous'): Promise<Page[]> {
  const pages: Page[] = [];
  let address: string | null | undefined = start;
  while (address && pages.length < 50) {
    const found: Page = await page(call, method, address);
    pages.push(found);
    address = found.pagination[way];
  }
  return pages;
}

test.each(lists)('%s %s can be read to its end and back', async (method, path, key, all) => {
  const { call, sandbox } = await startForTest({ seed });
  const keys = (pages: readonly Page[]): unknown[] =>
    pages.flatMap(({ items }) => items.map((item) => item[key]));
  for (const limit of [1, 4, 10, 50]) {
    const forth = await follow(call, method, `${path}?limit=${limit}`, 'next');
    expect(keys(forth)).toEqual(all);
    expect(forth.at(-1)?.pagination.next).toBe('');
    expect(forth[0]?.pagination.previous).toBe('');

    const last = forth.at(-1)?.pagination.previous;
    if (!last) continue;
    expect(last).toMatch(new RegExp(`^${sandbox.baseUrl}${path}\\?limit=${limit}&cursorId=-\\d+$`));
    const back = (await follow(call, method, last, 'previous')).reverse();
    expect(keys(back)).toEqual(all.slice(0, all.length - (forth.at(-1)?.items.length ?? 0)));
    // A page reached backwards leads forwards again.
    const again = await page(call, method, String(back.at(-1)?.pagination.next));
    expect(again.items).toEqual(forth.at(-1)?.items);
  }
});

test.each(lists)('%s %s has 10 items a page, and limits', async (method, path, _, __, max) => {
  const { call } = await startForTest({ seed });
  expect((await page(call, method, path)).items).toHaveLength(10);
  expect((await page(call, method, `${path}?limit=${max}`)).items.length).toBeGreaterThan(20);
  for (const query of [
    `limit=${max + 1}`,
    'limit=0',
    'limit=-1',
    'limit=x',
    'limit=',
    'limit=1.5',
    'limit=1&limit=2',
    'cursorId=x',
    'cursorId=1.5',
  ]) {
    const answered = await call(method, `${path}?${query}`, method === 'POST' ? {} : undefined);
    expect(answered.status, query).toBe(400);
  }
});

test('the contact list can refuse a page of 100', async () => {
  const { call } = await startForTest({ seed, listLimit: 99 });
  expect((await call('POST', '/contact/list?limit=100', {})).status).toBe(400);
  expect((await call('POST', '/contact/list?limit=99', {})).status).toBe(200);
});

test.each([
  ['empty', { next: '', previous: '' }],
  ['null', { next: null, previous: null }],
  ['absent', {}],
] as const)('a page that is not there is %s', async (lastNext, pagination) => {
  const { call } = await startForTest({ lastNext });
  expect((await page(call, 'POST', '/contact/list')).pagination).toEqual(pagination);
});

test('messages can come oldest first', async () => {
  const { call } = await startForTest({ seed, messageOrder: 'oldest' });
  const { items } = await page(call, 'GET', '/contact/id:3/message/list?limit=2');
  expect(items).toMatchObject([{ messageId: 1 }, { messageId: 2 }]);
});

test('messages whose ids are microseconds are listed to the end and read one by one', async () => {
  const ids = [1_700_000_000_000_001, 1_700_000_000_000_002, Number.MAX_SAFE_INTEGER];
  const messages = ids.map((messageId) => ({ messageId, contactId: 3 }));
  const { call } = await startForTest({ seed: { ...seed, messages } });
  const pages = await follow(call, 'GET', '/contact/id:3/message/list?limit=1', 'next');
  expect(pages.flatMap(({ items }) => items.map(({ messageId }) => messageId))).toEqual(ids.reverse());
  const one = await call('GET', `/contact/id:3/message/${Number.MAX_SAFE_INTEGER}`);
  expect(one.json).toMatchObject({ messageId: Number.MAX_SAFE_INTEGER });
  // What a number does not hold exactly would be another message's id.
  expect((await call('GET', '/contact/id:3/message/list?cursorId=9007199254740993')).status).toBe(400);
});

test('a list that changes while it is read neither repeats nor skips what stays', async () => {
  const { call, sandbox } = await startForTest({ seed });
  const first = await page(call, 'POST', '/contact/list?limit=10');
  await call('POST', '/contact/merge', { firstName: 'X', contactIds: [1, 10] });
  await call('POST', '/contact/merge', { firstName: 'X', contactIds: [2, 11] });
  sandbox.add({ contacts: [{ id: 99, firstName: 'Late' }] });
  const rest = await follow(call, 'POST', String(first.pagination.next), 'next');
  expect(rest.flatMap(({ items }) => items.map(({ id }) => id))).toEqual([...numbers.slice(11), 99]);
});

test('the page before one behind the end is the last one', async () => {
  const { call } = await startForTest({ seed });
  const { items, pagination } = await page(call, 'POST', '/contact/list?limit=3&cursorId=500');
  expect(items).toEqual([]);
  const last = await page(call, 'POST', String(pagination.previous));
  expect(last.items.map(({ id }) => id)).toEqual([21, 22, 23]);
});
