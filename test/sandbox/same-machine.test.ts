import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { toSandboxSettings } from '../../src/sandbox/options.ts';
import { controlRoutes } from '../../src/sandbox/routes/control.ts';
import { listEndpoints } from '../../src/sandbox/routes/registry.ts';
import { startForTest } from './caller.ts';

const seed = { contacts: [{ firstName: 'Ada' }] };

interface Sent {
  readonly status: number | undefined;
  readonly text: string;
}

/** A request with the headers that a browser sends and `fetch` does not let a program set. */
function send(
  { port }: Sandbox,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '{"firstName":"Mallory"}',
): Promise<Sent> {
  const content = method === 'GET' || method === 'OPTIONS' ? undefined : body;
  return new Promise((resolve, reject) => {
    const all = {
      host: `127.0.0.1:${port}`,
      authorization: 'Bearer sandbox',
      'content-type': 'application/json',
      // Node states no length for the body of a DELETE, which the server would then read as another request.
      ...(content !== undefined && { 'content-length': Buffer.byteLength(content) }),
      ...headers,
    };
    const sent = request({ host: '127.0.0.1', port, method, path, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject);
    sent.end(content);
  });
}

const elsewhere: readonly [string, Readonly<Record<string, string>>][] = [
  ['a name that a page rebound to this machine', { host: 'evil.example:4600' }],
  ['a name that begins like ours', { host: 'localhost.evil.example' }],
  ['another address', { host: '192.168.1.4:4600' }],
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a page of another local server', { origin: 'http://localhost:3000' }],
  ['a page in a sandboxed frame', { origin: 'null' }],
  ['a request across sites', { 'sec-fetch-site': 'cross-site' }],
  ['a request from another port', { 'sec-fetch-site': 'same-site' }],
  ['a form of another site', { origin: 'https://evil.example', 'content-type': 'text/plain' }],
];

const extensions = { attachTags: true };

/** Every operation that a sandbox can serve, every path of its own, and what is neither. */
const paths: readonly [string, string][] = [
  ...listEndpoints(toSandboxSettings({ extensions })).flatMap(({ method, template }) => {
    const path = template.replace('{identifier}', 'id:1').replace(/\{\w+\}/g, '1');
    return [`/v1${path}`, `/v2${path}`].map((each): [string, string] => [method, each]);
  }),
  ...controlRoutes.map(({ method, path }): [string, string] => [
    method,
    `/sandbox${path.replace('{name}', 'here')}`,
  ]),
  ['OPTIONS', '/v1/contact/id:1'],
  ['GET', '/v1/nowhere'],
  ['GET', '/v1/contact/%zz'],
];

test.each(elsewhere)('%s is refused on every path, before anything happens', async (_, headers) => {
  const { sandbox } = await startForTest({ seed, extensions });
  for (const [method, path] of paths) {
    const { status, text } = await send(sandbox, method, path, headers);
    expect({ method, path, status, body: JSON.parse(text) }).toEqual({
      ...{ method, path, status: 403 },
      body: { code: 403, message: expect.stringMatching(/^(Only|Not) for/) },
    });
    expect(text).not.toContain('Ada');
  }
  expect(sandbox.log).toEqual([]);
  expect(sandbox.contacts()).toMatchObject([{ firstName: 'Ada' }]);
});

test('each path of its own is there', async () => {
  const { sandbox } = await startForTest({ seed, extensions });
  for (const [method, path] of paths.filter((each) => each[1].startsWith('/sandbox')))
    expect((await send(sandbox, method, path, {})).status, path).toBeOneOf([200, 400]);
});

const here: readonly [string, Readonly<Record<string, string>>][] = [
  ['an address', {}],
  ['localhost', { host: 'localhost' }],
  ['localhost behind a tunnel', { host: 'LOCALHOST:8080' }],
  ['the address of version 6', { host: '[::1]:4600' }],
  ['its own origin', { host: 'localhost:4600', origin: 'http://localhost:4600' }],
  ['an address that somebody typed', { 'sec-fetch-site': 'none' }],
];

test('names of --allow-host are let in with their ports, others on no path, and pages stay under the name', async () => {
  const contacts = Array.from({ length: 11 }, (_, i) => ({ firstName: `Ada ${i}` }));
  const { sandbox } = await startForTest({
    ...{ extensions, seed: { contacts } },
    ...{ host: '0.0.0.0', allowedHosts: ['sandbox', 'CRM.test'] },
  });
  expect(sandbox.baseUrl).toBe(`http://127.0.0.1:${sandbox.port}/v1`);
  for (const host of ['sandbox:4600', 'sandbox', 'crm.TEST:1', '127.0.0.1:4600', 'localhost'])
    expect((await send(sandbox, 'GET', '/v1/space/user', { host })).status, host).toBe(200);
  const wrong = ['sandbox.evil.example', 'evil.sandbox', 'sandbox:x', 'sandbox:4600@evil.example', '0.0.0.0'];
  for (const [method, path] of paths)
    for (const headers of [
      ...wrong.map((host) => ({ host })),
      { host: 'sandbox', origin: 'http://evil.example' },
    ])
      expect((await send(sandbox, method, path, headers)).status, `${method} ${path} ${headers.host}`).toBe(
        403,
      );
  expect(sandbox.log).toHaveLength(5);
  const { text } = await send(sandbox, 'POST', '/v1/contact/list?limit=10', { host: 'crm.test:8080' }, '{}');
  expect(JSON.parse(text).pagination.next).toMatch(/^http:\/\/crm\.test:8080\/v1\/contact\/list\?/);
});

test('an address of its own that it listens on is one of its names', async () => {
  const { sandbox } = await startForTest({ host: '127.0.0.2' });
  expect(sandbox.baseUrl).toBe(`http://127.0.0.2:${sandbox.port}/v1`);
  const headers = { authorization: 'Bearer sandbox' };
  expect((await fetch(`${sandbox.baseUrl}/space/user`, { headers })).status).toBe(200);
});

test.each(here)('%s is let in', async (_, headers) => {
  const { sandbox } = await startForTest({ seed });
  expect((await send(sandbox, 'GET', '/v1/contact/id:1', headers)).status).toBe(200);
});
