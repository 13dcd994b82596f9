import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
import { settingsOf } from '../../src/sandbox/options.ts';
import { endpointsOf } from '../../src/sandbox/routes/registry.ts';
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
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const all = {
      host: `127.0.0.1:${port}`,
      authorization: 'Bearer sandbox',
      'content-type': 'application/json',
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
    sent.end(method === 'GET' || method === 'OPTIONS' ? undefined : '{"firstName":"Mallory"}');
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
  ...endpointsOf(settingsOf({ extensions })).flatMap(({ method, template }) => {
    const path = template.replace('{identifier}', 'id:1').replace(/\{\w+\}/g, '1');
    return [`/v1${path}`, `/v2${path}`].map((each): [string, string] => [method, each]);
  }),
  ...['', '/health', '/log', '/contacts'].map((path): [string, string] => ['GET', `/sandbox${path}`]),
  ...['reset-log', 'faults', 'tokens', 'seed'].map((name): [string, string] => ['POST', `/sandbox/${name}`]),
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

test('every path of its own is among those that are tried, and each of them is there', async () => {
  const { sandbox } = await startForTest({ seed, extensions });
  const own = await readFile(new URL('../../src/sandbox/routes/control.ts', import.meta.url), 'utf8');
  const found = [...own.matchAll(/control\.(get|post)\('([^']*)'/g)];
  const written = found.map(([, method = '', path = '']) => `${method.toUpperCase()} /sandbox${path}`);
  const tried = paths.filter(([, path]) => path.startsWith('/sandbox'));
  expect(written.map((each) => each.replace(/\/$/, '')).sort()).toEqual(
    tried.map((each) => each.join(' ')).sort(),
  );
  for (const [method, path] of tried)
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

test.each(here)('%s is let in', async (_, headers) => {
  const { sandbox } = await startForTest({ seed });
  expect((await send(sandbox, 'GET', '/v1/contact/id:1', headers)).status).toBe(200);
});
