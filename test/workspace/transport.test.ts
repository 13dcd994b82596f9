import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { TransportError, type TransportRequest } from '../../src/model/ports.ts';
import { parseBaseUrl } from '../../src/workspace/address.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
} from '../../src/workspace/index.ts';
import { createPoolTransport } from '../../src/workspace/pool-transport.ts';
import { VirtualClock } from './virtual-clock.ts';

const token = 'a-token-that-nobody-may-see';
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

/** A server on loopback; gives its address. */
async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return `127.0.0.1:${portOf(server.address())}`;
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

function transportTo(baseUrl: string) {
  const transport = createPoolTransport({
    address: parseBaseUrl(baseUrl),
    token,
    connections: 2,
    connectMs: 10_000,
    clock: new VirtualClock(),
  });
  closing.push(() => transport.close());
  return transport;
}

function openOver(baseUrl: string) {
  const workspace = openWorkspace({
    baseUrl,
    token,
    limits: defaultWorkspaceLimits,
    clock: systemClock,
    randomness: systemRandomness,
    signal: new AbortController().signal,
  });
  closing.push(() => workspace.close(0));
  return workspace;
}

const get: TransportRequest = { method: 'GET', path: '/space/user', query: 'limit=1', body: undefined };

async function failureOf(promise: Promise<unknown>): Promise<TransportError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof TransportError) return error;
  throw new Error(`not a transport error: ${String(error)}`);
}

describe('over the network', () => {
  it('a request is what it says, and the token goes in its header', async () => {
    const seen: unknown[] = [];
    const host = await serve((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { authorization, 'content-type': type } = request.headers;
        seen.push([request.method, request.url, authorization, type, Buffer.concat(parts).toString()]);
        response.end('{"a":"é"}');
      });
    });
    const transport = transportTo(`http://${host}/api/v1/`);
    expect(await transport.send(get)).toEqual({ status: 200, retryAfter: undefined, body: '{"a":"é"}' });
    await transport.send({ method: 'DELETE', path: '/space/tag', query: '', body: '{"name":"é"}' });
    expect(seen).toEqual([
      ['GET', '/api/v1/space/user?limit=1', `Bearer ${token}`, undefined, ''],
      ['DELETE', '/api/v1/space/tag', `Bearer ${token}`, 'application/json', '{"name":"é"}'],
    ]);
  });

  it.each([301, 302, 303, 307, 308])(
    'a %i is not followed, and the token goes nowhere else',
    async (status) => {
      const elsewhere: string[] = [];
      const other = await serve((request, response) => {
        elsewhere.push(request.url ?? '');
        response.end('{}');
      });
      const host = await serve((_request, response) => {
        response.writeHead(status, { location: `http://${other}/v1/steal` }).end();
      });
      const workspace = openOver(`http://${host}/v1`);
      const ada = { kind: 'email', value: 'ada@example.com' } as const;
      expect(await workspace.contacts.read(ada)).toMatchObject({ kind: 'refused', status });
      expect(await workspace.contacts.create(ada, { firstName: 'Ada' })).toMatchObject({
        kind: 'refused',
        status,
      });
      expect(elsewhere).toEqual([]);
    },
  );

  it.each([
    ['email', '../../space/tag', '/v1/contact/email:..%2F..%2Fspace%2Ftag'],
    ['email', 'a?b=c#d@example.com', '/v1/contact/email:a%3Fb%3Dc%23d%40example.com'],
    ['email', '100%25@example.com', '/v1/contact/email:100%2525%40example.com'],
    ['email', 'jörg@exämple.com', '/v1/contact/email:j%C3%B6rg%40ex%C3%A4mple.com'],
    ['email', 'a b\r\nx: y', '/v1/contact/email:a%20b%0D%0Ax%3A%20y'],
    ['phone', '+60123456789', '/v1/contact/phone:%2B60123456789'],
    ['id', '42', '/v1/contact/id:42'],
  ] as const)('the identifier %s:%s cannot leave its place in the path', async (kind, value, url) => {
    const seen: string[] = [];
    const host = await serve((request, response) => {
      seen.push(request.url ?? '');
      response.end('{"id":1}');
    });
    expect(await openOver(`http://${host}/v1`).contacts.read({ kind, value })).toMatchObject({ kind: 'ok' });
    expect(seen).toEqual([url]);
  });

  it('half a surrogate pair is refused before anything is sent', async () => {
    const workspace = openOver('http://127.0.0.1:1/v1');
    expect(await workspace.contacts.read({ kind: 'email', value: 'a\ud800@example.com' })).toMatchObject({
      kind: 'refused',
      status: 400,
    });
    expect(workspace.requests()).toEqual({});
  });

  it.each([
    ['7', 7],
    ['0', 0],
    ['1.5', 1.5],
    ['Sat, 01 Jan 2028 00:00:30 GMT', 30],
    ['Sat, 01 Jan 2027 00:00:00 GMT', 0],
    ['soon', undefined],
  ])('Retry-After: %s is understood', async (header, seconds) => {
    const host = await serve((_request, response) => {
      response.writeHead(429, { 'retry-after': header, date: 'Sat, 01 Jan 2028 00:00:00 GMT' }).end('{}');
    });
    expect(await transportTo(`http://${host}/v1`).send(get)).toMatchObject({
      status: 429,
      retryAfter: seconds,
    });
  });
});

describe('where no whole answer comes', () => {
  it('a refused connection surely sent nothing', async () => {
    expect(await failureOf(transportTo('http://127.0.0.1:1/v1').send(get))).toMatchObject({
      maybeSent: false,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it('a host without an address surely sent nothing', async () => {
    expect(await failureOf(transportTo('https://no-such-host.invalid/v1').send(get))).toMatchObject({
      maybeSent: false,
    });
  });

  it('a TLS handshake that fails surely sent nothing', async () => {
    const host = await serve((_request, response) => response.end('{}'));
    expect(await failureOf(transportTo(`https://${host}/v1`).send(get))).toMatchObject({ maybeSent: false });
  });

  it.each([
    ['before the answer', (response: ServerResponse) => response.destroy()],
    [
      'in the middle of the answer',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"id":', () => response.destroy());
      },
    ],
  ])('a connection that breaks %s may have sent it', async (_name, breakIt) => {
    const host = await serve((_request, response) => breakIt(response));
    const failure = await failureOf(transportTo(`http://${host}/v1`).send(get));
    expect(failure.maybeSent).toBe(true);
    expect(failure.message).not.toContain(token);
    expect(failure.cause).toBeUndefined();
  });

  it('a second request on a connection that broke after the first may have been sent', async () => {
    const host = await serve((request, response) => {
      if (request.url?.includes('second')) request.socket.destroy();
      else response.end('{}');
    });
    const transport = transportTo(`http://${host}/v1`);
    await transport.send(get);
    expect(await failureOf(transport.send({ ...get, path: '/second' }))).toMatchObject({ maybeSent: true });
  });
});
