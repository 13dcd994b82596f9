import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Sandbox } from '../../src/sandbox/index.ts';
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

const paths: readonly [string, string][] = [
  ['PUT', '/v1/contact/id:1'],
  ['GET', '/v1/contact/id:1'],
  ['OPTIONS', '/v1/contact/id:1'],
  ['GET', '/v1/nowhere'],
  ['GET', '/v1/contact/%zz'],
  ['GET', '/sandbox/contacts'],
  ['POST', '/sandbox/seed'],
];

test.each(elsewhere)('%s is refused on every path, before anything happens', async (_, headers) => {
  const { sandbox } = await startForTest({ seed });
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
