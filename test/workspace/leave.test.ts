import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { FatalError } from '../../src/model/fatal-error.ts';
import { type SendPermit, TransportError } from '../../src/model/ports.ts';
import { parseBaseUrl } from '../../src/workspace/address.ts';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
} from '../../src/workspace/index.ts';
import { createPoolTransport } from '../../src/workspace/pool-transport.ts';

const token = 'a-token';

/** A server that says what reached it: connections, and the bytes of requests. */
async function listening() {
  const reached = { connections: 0, requests: 0, bytes: 0 };
  const server = createServer((_, response) => {
    reached.requests += 1;
    response.setHeader('content-type', 'application/json').end('{"items":[],"pagination":{}}');
  });
  server.on('connection', (socket) => {
    reached.connections += 1;
    socket.on('data', (bytes) => {
      reached.bytes += bytes.length;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { reached, baseUrl: `http://127.0.0.1:${address.port}/v1` };
}

/** Lets so many requests leave, and none after them. */
class Counted implements SendPermit {
  #left: number;
  constructor(left: number) {
    this.#left = left;
  }
  assertHeld(): void {
    if (this.#left === 0) throw new FatalError('locked', 'the lease is over');
    this.#left -= 1;
  }
}

it('not a byte of a request is written once none may leave, and it counts as not sent', async () => {
  const { reached, baseUrl } = await listening();
  const transport = createPoolTransport({
    address: parseBaseUrl(baseUrl),
    ...{ token, connections: 1, connectMs: 10_000, clock: systemClock, leave: new Counted(1) },
  });
  onTestFinished(() => transport.close());
  const request = { method: 'POST', path: '/contact/id:1', query: '', body: '{"a":1}' } as const;
  await transport.send(request);
  const { bytes } = reached;
  const refused = await transport.send(request).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(TransportError);
  expect(refused).toMatchObject({ maybeSent: false, message: 'not sent: the lease is over' });
  // What is sent behind it on the same connection would bring its bytes along.
  await expect(transport.send(request)).rejects.toMatchObject({ maybeSent: false });
  await transport.close();
  expect(reached).toEqual({ connections: 1, requests: 1, bytes });
});

it('every call ends with what stopped the first one, instead of being tried again', async () => {
  const { reached, baseUrl } = await listening();
  const workspace = openWorkspace({
    ...{ baseUrl, token, limits: defaultWorkspaceLimits, clock: systemClock, randomness: systemRandomness },
    signal: new AbortController().signal,
    leave: new Counted(2),
  });
  onTestFinished(() => workspace.close(0));
  const calls = [1, 2, 3, 4, 5].map(() => workspace.users.list({ limit: 1 }));
  const ended = await Promise.allSettled(calls);
  const reasons = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(reached.requests).toBeLessThanOrEqual(2);
  expect(reasons.length).toBeGreaterThanOrEqual(3);
  for (const reason of reasons)
    expect(reason).toMatchObject({ reason: 'locked', message: 'the lease is over' });
});
