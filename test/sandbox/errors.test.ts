import { request as httpRequest } from 'node:http';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { heldClock, startForTest } from './caller.ts';

const seed = { contacts: [{ firstName: 'A', email: 'a@example.com' }] };

/** Every operation that names a contact, a tag, a user or a channel, for one that is not there. */
const absent: readonly [string, string, unknown, documented: boolean, message: string][] = [
  ['GET', '/contact/id:9', undefined, true, 'Contact not found'],
  ['GET', '/contact/email:b@example.com', undefined, true, 'Contact not found'],
  ['GET', '/contact/phone:+60123456789', undefined, true, 'Contact not found'],
  ['PUT', '/contact/id:9', { firstName: 'A' }, false, 'Contact not found'],
  ['POST', '/contact/id:9/lifecycle/update', { name: 'x' }, false, 'Contact not found'],
  ['POST', '/contact/id:9/comment', { text: 'x' }, true, 'Contact not found'],
  ['POST', '/contact/id:9/conversation/status', { status: 'open' }, true, 'Contact not found'],
  ['POST', '/contact/id:9/conversation/assignee', { assignee: null }, true, 'Contact not found'],
  ['GET', '/contact/id:9/message/list', undefined, false, 'Contact not found'],
  ['GET', '/contact/id:1/message/9', undefined, false, 'Message not found'],
  ['PUT', '/space/tag', { currentName: 'x' }, true, 'Contact not found'],
  ['DELETE', '/space/tag', { name: 'x' }, true, 'Contact not found'],
  ['GET', '/space/user/9', undefined, false, 'User not found'],
  ['GET', '/space/channel/9/template', undefined, false, 'Channel not found'],
];

test.each([404, 400] as const)(
  'what is not there, where the table has no 404: %i',
  async (absentUndocumented) => {
    const { call } = await startForTest({ seed, absentUndocumented, explain: false });
    for (const [method, path, body, documented, message] of absent) {
      const status = documented ? 404 : absentUndocumented;
      const { json } = await call(method, path, body);
      expect(json, `${method} ${path}`).toEqual({
        code: status,
        message: status === 404 ? message : 'Validation error.',
      });
    }
  },
);

test('a token that is missing, wrong or revoked is answered with 401, before anything else', async () => {
  const { call, sandbox } = await startForTest({ seed, tokens: ['one', 'two'] });
  const status = async (authorization: string): Promise<number> =>
    (await call('PUT', '/contact/id:1', 'not json', { authorization })).status;
  expect(await status('Bearer one')).toBe(400);
  expect(await status('Bearer two')).toBe(400);
  for (const bad of ['', 'Bearer', 'Bearer three', 'bearer one', 'Basic one', 'one']) {
    expect(await status(bad), bad).toBe(401);
  }
  sandbox.revokeToken('two');
  const refused = await call('GET', '/contact/id:1', undefined, { authorization: 'Bearer two' });
  expect(refused.json).toEqual({ code: 401, message: 'UN_AUTHORIZED' });
  sandbox.acceptToken('two');
  expect(await status('Bearer two')).toBe(400);
});

test('ordered paths are answered with 403', async () => {
  const { call } = await startForTest({ seed, forbidden: ['/space/tag', '/contact/*/comment'] });
  expect((await call('POST', '/space/tag', { name: 'x' })).status).toBe(403);
  expect((await call('POST', '/contact/id:1/comment', { text: 'x' })).json).toMatchObject({ code: 403 });
  expect((await call('GET', '/contact/id:1')).status).toBe(200);
});

test('a 400 has the text of the table; its reason stands in the log, and in the text where it is asked for', async () => {
  const plain = await startForTest({ seed, explain: false, strict: true });
  const { json } = await plain.call('PUT', '/contact/id:1', {});
  expect(json).toEqual({ code: 400, message: 'Validation error.' });
  expect(plain.sandbox.log).toMatchObject([
    { status: 400, reason: 'firstName is required and must be text' },
  ]);
  const explained = await startForTest({ seed, strict: true });
  expect((await explained.call('PUT', '/contact/id:1', {})).json).toMatchObject({
    message: 'Validation error. firstName is required and must be text',
  });
});

test.each([
  ['GET', '/nowhere'],
  ['PATCH', '/contact/id:1'],
  ['DELETE', '/contact/id:1'],
  ['GET', '/space/tag'],
  ['HEAD', '/contact/id:1'],
])('%s %s is no operation', async (method, path) => {
  const { call } = await startForTest({ seed });
  expect((await call(method, path)).status).toBe(404);
});

test('a body must be JSON by its type, too', async () => {
  const { call } = await startForTest({ seed });
  const answered = async (type: string) =>
    (await call('PUT', '/contact/id:1', { firstName: 'A' }, { 'content-type': type })).status;
  for (const type of ['text/plain', 'application/json-seq', 'application/jsonl', 'application/json.x'])
    expect(await answered(type), type).toBe(400);
  for (const type of ['application/json', 'Application/JSON ; charset=utf-8'])
    expect(await answered(type), type).toBe(200);
});

interface Unreadable {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

/** What a server could answer before it has looked at the token. */
const unreadable: readonly [string, Unreadable][] = [
  ['an empty media type', { headers: { 'content-type': '' } }],
  ['half a media type', { headers: { 'content-type': 'application' } }],
  ['another media type', { headers: { 'content-type': 'text/plain' } }],
  ['a body that is not UTF-8', { body: Buffer.from('{"firstName":"\u00ff"}', 'latin1') }],
  ['a body that is not JSON', { body: '{"firstName":' }],
  ['a body of 5 MB', { body: JSON.stringify({ firstName: 'x'.repeat(5_000_000) }) }],
  ['a broken percent sequence', { path: '/v1/contact/email:%zz' }],
  ['a percent sequence that is not UTF-8', { path: '/v1/contact/email:%E0%A4%A' }],
];

function put({ port }: Sandbox, token: string, { path, headers, body }: Unreadable) {
  return new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    const sent = httpRequest(
      {
        ...{ port, host: '127.0.0.1', method: 'PUT', path: path ?? '/v1/contact/id:1' },
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
      },
    );
    sent.on('error', reject);
    sent.end(body ?? '{"firstName":"B"}');
  });
}

test.each(unreadable)(
  '%s passes token, rate limit and log before it is refused with 400',
  async (_, request) => {
    const clock = heldClock();
    const { sandbox } = await startForTest({ seed, rate: 5, clock, explain: false });
    expect(await put(sandbox, 'wrong', request)).toEqual({
      status: 401,
      body: { code: 401, message: 'UN_AUTHORIZED' },
    });
    for (let n = 1; n <= 5; n += 1) {
      expect(await put(sandbox, 'sandbox', request)).toEqual({
        status: 400,
        body: { code: 400, message: 'Validation error.' },
      });
    }
    expect(await put(sandbox, 'sandbox', request)).toMatchObject({ status: 429, body: { code: 429 } });
    const [first] = sandbox.log;
    expect(sandbox.log.map(({ status }) => status)).toEqual([401, 400, 400, 400, 400, 400, 429]);
    expect(sandbox.log[1]).toMatchObject({ method: 'PUT', path: first?.path, reason: expect.any(String) });
    expect(sandbox.contacts()).toMatchObject([{ firstName: 'A' }]);
  },
);

test.each([400, 409] as const)('a second tag of a name is answered with %i', async (duplicateTag) => {
  const { call } = await startForTest({ duplicateTag, seed: { tags: [{ name: 'a' }, { name: 'b' }] } });
  expect((await call('POST', '/space/tag', { name: 'a' })).json).toMatchObject({ code: duplicateTag });
  expect((await call('PUT', '/space/tag', { currentName: 'a', name: 'b' })).status).toBe(duplicateTag);
  expect((await call('PUT', '/space/tag', { currentName: 'a', name: 'a' })).status).toBe(200);
});
