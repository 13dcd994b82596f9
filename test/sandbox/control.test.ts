import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { startForTest } from './caller.ts';

async function control(sandbox: Sandbox, path: string, body?: unknown, headers = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${sandbox.port}/sandbox${path}`, {
    headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

test('tells who it is, its switches and what it holds, and no token', async () => {
  const { sandbox } = await startForTest({
    tokens: ['very-secret'],
    seed: { contacts: [{ firstName: 'A' }] },
  });
  const authorization = 'Bearer very-secret';
  const text = await (await control(sandbox, '', undefined, { authorization })).text();
  expect(JSON.parse(text)).toMatchObject({
    id: sandbox.id,
    baseUrl: sandbox.baseUrl,
    switches: { existing: 'refuse', rate: 'off' },
    objects: { contacts: 1, comments: 0 },
  });
  expect(text).not.toContain('very-secret');
});

test('shows and empties the log', async () => {
  const { sandbox, call } = await startForTest({ seed: { contacts: [{ firstName: 'A' }] }, logBodies: true });
  await call('PUT', '/contact/id%3A1?x=1', { firstName: 'B' });
  const log = await (await control(sandbox, '/log')).json();
  expect(log).toMatchObject({
    counts: { 'PUT /contact/{identifier}': { requests: 1, applied: 1, statuses: { 200: 1 } } },
    entries: [
      {
        n: 1,
        method: 'PUT',
        path: '/contact/id:1',
        rawPath: '/contact/id%3A1',
        template: '/contact/{identifier}',
        query: 'x=1',
        status: 200,
        applied: true,
        body: { firstName: 'B' },
      },
    ],
  });
  await control(sandbox, '/reset-log', {});
  expect(await (await control(sandbox, '/log')).json()).toEqual({ counts: {}, entries: [] });
});

test('the log keeps the last requests only, and no bodies unless asked', async () => {
  const { sandbox, call } = await startForTest({ logSize: 3 });
  for (let i = 1; i <= 5; i += 1) await call('PUT', `/contact/id:${i}`, { firstName: 'A' });
  expect(sandbox.log.map(({ path }) => path)).toEqual(['/contact/id:3', '/contact/id:4', '/contact/id:5']);
  expect(sandbox.log.some((entry) => 'body' in entry)).toBe(false);
  expect(sandbox.counts()['PUT /contact/{identifier}']?.requests).toBe(5);
});

test('streams every contact with its comments, those in processing too', async () => {
  const { sandbox, call } = await startForTest({ processingMs: 60_000 });
  sandbox.add({ contacts: Array.from({ length: 1200 }, (_, i) => ({ firstName: `C${i}` })) });
  await call('POST', '/contact/id:1/comment', { text: 'x' });
  await call('POST', '/contact/email:a@example.com', { firstName: 'Late' });
  const response = await control(sandbox, '/contacts');
  expect(response.headers.get('content-type')).toContain('ndjson');
  const contacts: unknown[] = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(contacts).toEqual(JSON.parse(JSON.stringify(sandbox.contacts())));
  expect(contacts).toHaveLength(1201);
  expect(contacts[0]).toMatchObject({ comments: [{ contactId: 1, text: 'x' }], processing: false });
  expect(contacts[1200]).toMatchObject({ firstName: 'Late', processing: true });
});

test('takes faults, tokens and contacts from another process', async () => {
  const { sandbox, call } = await startForTest();
  await control(sandbox, '/faults', {
    rules: [{ method: 'GET', rates: { 500: 1 } }],
    script: [{ kind: '503' }],
  });
  expect((await call('GET', '/space/user')).status).toBe(503);
  expect((await call('GET', '/space/user')).status).toBe(500);
  await control(sandbox, '/faults', { rules: [] });
  expect((await call('GET', '/space/user')).status).toBe(200);
  await control(sandbox, '/tokens', { accept: ['new'], revoke: ['sandbox'] });
  expect((await call('GET', '/space/user')).status).toBe(401);
  expect((await call('GET', '/space/user', undefined, { authorization: 'Bearer new' })).status).toBe(200);
  await control(sandbox, '/seed', { contacts: [{ firstName: 'A' }] });
  expect(sandbox.contacts()).toHaveLength(1);
});

test('takes the same seed once, however often it is sent', async () => {
  const { sandbox } = await startForTest();
  const seed = { customFields: [{ name: 'Score', dataType: 'number' }], contacts: [{ firstName: 'A' }] };
  for (const _ of [1, 2]) expect((await control(sandbox, '/seed', seed)).status).toBe(200);
  expect(sandbox.contacts()).toHaveLength(1);
  const refused = { contacts: [{ firstName: 'B', custom_fields: [{ name: 'Nope', value: 1 }] }] };
  for (const _ of [1, 2]) expect((await control(sandbox, '/seed', refused)).status).toBe(400);
  await control(sandbox, '/seed', { contacts: [{ firstName: 'B' }] });
  expect(sandbox.contacts()).toHaveLength(2);
});

test.each([
  ['/faults', { rules: [{ rates: { 418: 1 } }] }],
  ['/faults', { script: [{ kind: 'explode' }] }],
  ['/faults', { rules: [{ rates: { 500: 2 } }] }],
  ['/tokens', { accept: [''] }],
  ['/seed', { contacts: [{ email: 'x' }] }],
  ['/seed', []],
])('refuses an order to %s that it does not know: %j', async (path, order) => {
  const { sandbox } = await startForTest();
  expect((await control(sandbox, path, order)).status).toBe(400);
});

const orders: readonly [string, unknown?][] = [
  [''],
  ['/log'],
  ['/contacts'],
  ['/reset-log', {}],
  ['/faults', { rules: [] }],
  ['/tokens', { accept: ['mine'] }],
  ['/seed', { contacts: [{ firstName: 'Planted' }] }],
];

test.each(orders)('%s needs a token that the sandbox was started with', async (path, body) => {
  const { sandbox } = await startForTest();
  sandbox.acceptToken('later');
  for (const authorization of ['', 'Bearer wrong', 'Bearer later']) {
    const refused = await control(sandbox, path, body, { authorization });
    expect({ status: refused.status, body: await refused.json() }).toEqual({
      status: 401,
      body: { code: 401, message: 'UN_AUTHORIZED' },
    });
  }
  expect(sandbox.contacts()).toEqual([]);
  sandbox.revokeToken('sandbox');
  expect((await control(sandbox, path, body)).status).toBe(200);
});
