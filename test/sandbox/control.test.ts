import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { controlRoutes } from '../../src/sandbox/routes/control.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Call, startForTest } from './caller.ts';

async function control(
  sandbox: Sandbox,
  path: string,
  body?: unknown,
  headers = {},
  method = 'POST',
): Promise<Response> {
  return fetch(`http://127.0.0.1:${sandbox.port}/sandbox${path}`, {
    headers: { authorization: 'Bearer sandbox', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method, body: JSON.stringify(body) }),
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

const orders: Readonly<Record<string, unknown>> = {
  '/faults': { rules: [] },
  '/tokens': { accept: ['mine'] },
  '/seed': { contacts: [{ firstName: 'Planted' }] },
};

test.each(controlRoutes.filter(({ withoutToken }) => withoutToken !== true))(
  '$method /sandbox$path needs a token that the sandbox was started with',
  async ({ method, path }) => {
    const { sandbox } = await startForTest();
    sandbox.acceptToken('later');
    await control(sandbox, '/snapshots/here', {});
    const body = method === 'GET' ? undefined : (orders[path] ?? {});
    const url = path.replace('{name}', 'here');
    for (const authorization of ['', 'Bearer wrong', 'Bearer later']) {
      const refused = await control(sandbox, url, body, { authorization }, method);
      expect({ status: refused.status, body: await refused.json() }).toEqual({
        status: 401,
        body: { code: 401, message: 'UN_AUTHORIZED' },
      });
    }
    expect(sandbox.contacts()).toEqual([]);
    sandbox.revokeToken('sandbox');
    expect((await control(sandbox, url, body, {}, method)).status).toBe(200);
  },
);

test('docs/sandbox.md lists each of its paths, and no other', async () => {
  const page = await readFile(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `((?:GET|POST|DELETE) \/sandbox\S*)` \|/gm)].map(([, path]) => path);
  expect(listed.sort()).toEqual(
    controlRoutes.map(({ method, path }) => `${method} /sandbox${path.replace('{name}', 'NAME')}`).sort(),
  );
});

test('a seed that repeats something of the workspace names it, and changes nothing', async () => {
  const { sandbox, call } = await startForTest();
  const seed = {
    customFields: [{ name: 'Score', dataType: 'number' }],
    users: [{ firstName: 'U', lastName: 'V', email: 'u@example.com' }],
    tags: [{ name: 'vip' }],
    contacts: [{ id: 7, firstName: 'A' }],
  };
  await control(sandbox, '/seed', seed);
  const refused = async (again: object) => {
    const answer = await control(sandbox, '/seed', again);
    return `${answer.status} ${JSON.parse(await answer.text()).message}`;
  };
  const taken = (what: string, of: string) =>
    `400 The seed's ${what} cannot be added: its ${of} is taken already.`;
  expect(await refused({ ...seed, contacts: [] })).toBe(taken('user "u@example.com"', 'email'));
  expect(await refused({ customFields: seed.customFields })).toBe(taken('custom field "Score"', 'name'));
  const sameSlug = [{ name: 'Points', slug: 'score', dataType: 'number' }];
  expect(await refused({ customFields: sameSlug })).toBe(taken('custom field "Points"', 'slug'));
  expect(await refused({ tags: seed.tags })).toBe(taken('tag "vip"', 'name'));
  expect(await refused({ contacts: seed.contacts })).toBe(taken('contact "id:7"', 'id'));
  expect(await refused({ closingNotes: [{ category: 'Spam' }] })).toBe(
    taken('closing note "Spam"', 'category'),
  );
  expect(sandbox.contacts()).toHaveLength(1);
  // What was taken back is not remembered either.
  const field = { name: 'New', dataType: 'text' };
  await refused({ customFields: [field], contacts: seed.contacts });
  expect((await call('POST', '/space/custom_field', field)).status).toBe(201);
});

describe.each(['in memory', 'in a file'])('a workspace %s', (where) => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  let made = 0;
  const started = async () => {
    made += 1;
    const file = where === 'in a file' ? join(folder.path, `${made}.db`) : undefined;
    const customFields = [{ name: 'Score', dataType: 'number' as const }];
    const custom_fields = [{ name: 'Score', value: 1 }];
    const contacts = [{ firstName: 'Ada', email: 'ada@example.com', tags: ['vip'], custom_fields }];
    return await startForTest({ file, seed: { customFields, contacts } });
  };
  const change = async (call: Call) => {
    await call('POST', '/contact/email:b@example.com', { firstName: 'Bob' });
    await call('POST', '/contact/email:ada@example.com/comment', { text: 'x' });
    await call('POST', '/space/custom_field', { name: 'Later', dataType: 'text' });
    await call('DELETE', '/contact/email:ada@example.com');
  };
  const shown = async (sandbox: Sandbox, call: Call) => ({
    contacts: sandbox.contacts(),
    fields: (await call('GET', '/space/custom_field')).json,
  });

  test('goes back to its seed, ids and fields with it, and keeps its own id', async () => {
    const { sandbox, call } = await started();
    const before = await shown(sandbox, call);
    for (const _ of [1, 2]) {
      await change(call);
      expect(await shown(sandbox, call)).not.toEqual(before);
      expect((await control(sandbox, '/reset', {})).status).toBe(200);
      const after = await shown(sandbox, call);
      expect(after.fields).toEqual(before.fields);
      expect(after.contacts).toMatchObject([{ id: 1, firstName: 'Ada', tags: ['vip'], comments: [] }]);
    }
    await call('POST', '/contact/email:b@example.com', { firstName: 'Bob' });
    expect(sandbox.contacts()[1]?.id).toBe(2);
    expect(await (await control(sandbox, '')).json()).toMatchObject({ id: sandbox.id });
  });

  test('goes back to a snapshot as often as asked', async () => {
    const { sandbox, call } = await started();
    await change(call);
    const before = await shown(sandbox, call);
    expect((await control(sandbox, '/snapshots/before_it', {})).status).toBe(200);
    for (const _ of [1, 2]) {
      await control(sandbox, '/reset', {});
      expect(await shown(sandbox, call)).not.toEqual(before);
      expect((await control(sandbox, '/snapshots/before_it/restore', {})).status).toBe(200);
      expect(await shown(sandbox, call)).toEqual(before);
    }
    expect(await (await control(sandbox, '/snapshots')).json()).toEqual({ names: ['before_it'] });
    await control(sandbox, '/snapshots/before_it', {}, {}, 'DELETE');
    expect((await control(sandbox, '/snapshots/before_it/restore', {})).status).toBe(404);
  });
});

test('names of snapshots are checked, and there are 20 at most', async () => {
  const { sandbox } = await startForTest();
  for (const name of ['a%20b', '..%2f..%2fetc', 'x.db', 'n'.repeat(65), '%00'])
    for (const path of [`/snapshots/${name}`, `/snapshots/${name}/restore`])
      expect((await control(sandbox, path, {})).status, path).toBe(400);
  for (let i = 0; i < 20; i += 1) await control(sandbox, `/snapshots/s${i}`, {});
  const answer = await control(sandbox, '/snapshots/s20', {});
  expect(await answer.json()).toMatchObject({ code: 400, message: expect.stringContaining('20 snapshots') });
  expect((await control(sandbox, '/snapshots/s0', {})).status).toBe(200);
});
