import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import nock from 'nock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../src/model/ports.ts';
import { type Alert, sendAlert } from '../../src/notify/index.ts';
import { atReceiver } from './receiver.ts';

const alert: Alert = {
  event: 'failure',
  pipeline: 'nightly',
  kind: 'export',
  run: null,
  outcome: 'stopped',
  exitCode: 5,
  startedAt: '2026-03-01T02:30:00.000Z',
  finishedAt: '2026-03-01T02:30:02.000Z',
  seconds: 2,
  message: 'the workspace refused the token (401).',
  next: null,
  failures: 1,
  failingSince: '2026-03-01T02:30:02.000Z',
  rehearsal: false,
  host: 'a-machine',
};

const host = 'https://hooks.example.test';
const path = '/s3cret/path';
const start = Date.UTC(2026, 2, 1, 2, 30, 2);

/** Waits between attempts are over at once and noted; an attempt's own time limit never comes. */
function handClock(signal: AbortSignal): Clock & { readonly waits: number[] } {
  let now = start;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep(ms, until) {
      if (until !== signal) return new Promise((_, reject) => until?.addEventListener('abort', reject));
      now += ms;
      waits.push(ms);
      return Promise.resolve();
    },
  };
}

function send(more: Partial<Parameters<typeof sendAlert>[0]> = {}) {
  const signal = more.signal ?? new AbortController().signal;
  const clock = handClock(signal);
  const delivery = sendAlert({
    url: `${host}${path}`,
    secret: 'a-secret-of-this-test',
    alert,
    clock,
    randomness: { next: () => 0.5 },
    signal,
    ...more,
  });
  return { delivery, waits: clock.waits };
}

interface Received {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Answers one request after the other, each once. */
function answer(
  ...answers: readonly (number | Error | readonly [number, Record<string, string>])[]
): Received[] {
  const received: Received[] = [];
  for (const each of answers) {
    const waiting = nock(host).post(path);
    if (each instanceof Error) waiting.replyWithError(each);
    else {
      const [status, headers] = typeof each === 'number' ? [each, {}] : each;
      waiting.reply(function (_uri, body) {
        received.push({ headers: this.req.headers, body: JSON.stringify(body) });
        return [status, 'whatever', headers];
      });
    }
  }
  return received;
}

beforeEach(() => nock.disableNetConnect());
afterEach(() => {
  nock.cleanAll();
  nock.enableNetConnect();
});

test('posts the alert as JSON, signed so that the receiver can tell who sent it and when', async () => {
  const received = answer(204);
  await expect(send().delivery).resolves.toEqual({ delivered: true });
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  expect(JSON.parse(body)).toEqual(alert);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['longshore-delivery']).toMatch(/^[0-9a-f-]{36}$/);
  const seconds = start / 1_000;
  const code = createHmac('sha256', 'a-secret-of-this-test').update(`${seconds}.${body}`).digest('hex');
  expect(headers['longshore-signature']).toBe(`t=${seconds},v1=${code}`);
});

test('the docs show what is posted, and how a receiver verifies it', async () => {
  const page = fileURLToPath(new URL('../../docs/nightly-exports.md', import.meta.url));
  const section = readFileSync(page, 'utf8').split('\n## Alerts\n')[1] ?? '';
  const shown: unknown = JSON.parse(/^```json\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '');
  expect(Object.keys(Object(shown)).sort()).toEqual(Object.keys(alert).sort());
  const code = /^```js\n([\s\S]*?)^```$/m.exec(section)?.[1] ?? '';
  const { isFromLongshore } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`
  );
  const received = answer(200);
  await send().delivery;
  const { headers, body } = received[0] ?? { headers: {}, body: '' };
  const header = headers['longshore-signature'];
  const secret = 'a-secret-of-this-test';
  expect(isFromLongshore(header, body, secret, start)).toBe(true);
  expect(isFromLongshore(header, body.replace('failure', 'success'), secret, start)).toBe(false);
  expect(isFromLongshore(header, body, 'another secret', start)).toBe(false);
  expect(isFromLongshore(header, body, secret, start + 600_000)).toBe(false);
  expect(isFromLongshore('t=1', body, secret, start)).toBe(false);
});

test('without a secret it is not signed', async () => {
  const received = answer(200);
  await send({ secret: undefined }).delivery;
  expect(received[0]?.headers).not.toHaveProperty('longshore-signature');
});

test('tries again with growing waits where it may pass, always as the same delivery, signed again', async () => {
  const received = answer(
    500,
    408,
    503,
    Object.assign(new Error('s3cret'), { code: 'ECONNRESET' }),
    429,
    200,
  );
  const { delivery, waits } = send();
  await expect(delivery).resolves.toEqual({ delivered: true });
  expect(waits).toEqual([750, 1_500, 3_000, 6_000, 11_250]);
  expect(received).toHaveLength(5);
  expect(new Set(received.map(({ headers }) => headers['longshore-delivery'])).size).toBe(1);
  const stamps = received.map(
    ({ headers }) => Number(/^t=(\d+),/.exec(headers['longshore-signature'] ?? '')?.[1]) - start / 1_000,
  );
  expect(stamps).toEqual([0, 0, 2, 11, 22]);
});

test.each([
  ['seconds', '20', 20_000],
  ['a date', new Date(start + 30_000).toUTCString(), 30_000],
  ['nothing of use', 'soon', 750],
  ['no time at all', '0', 750],
])('Retry-After in %s', async (_what, header, wait) => {
  answer([429, { 'Retry-After': header }], 200);
  const { delivery, waits } = send();
  await expect(delivery).resolves.toEqual({ delivered: true });
  expect(waits).toEqual([wait]);
});

test.each([400, 401, 403, 404, 410, 422])('%i is final', async (status) => {
  answer(status, 200);
  await expect(send().delivery).resolves.toEqual({ delivered: false, reason: `answered ${status}` });
  expect(nock.pendingMocks()).toHaveLength(1);
});

test.each([301, 302, 307, 308])('a redirect (%i) is not followed', async (status) => {
  answer([status, { Location: `${host}/elsewhere` }]);
  const elsewhere = nock(host).post('/elsewhere').reply(200).get('/elsewhere').reply(200);
  await expect(send().delivery).resolves.toEqual({
    delivered: false,
    reason: `answered ${status}, and redirects are not followed`,
  });
  expect(elsewhere.pendingMocks()).toHaveLength(2);
});

test('gives up within a minute', async () => {
  answer(...Array.from({ length: 20 }, () => 503));
  const { delivery, waits } = send();
  await expect(delivery).resolves.toEqual({ delivered: false, reason: 'answered 503, tried 9 times' });
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(60_000);
});

test('does not wait for a Retry-After beyond that minute', async () => {
  answer([503, { 'Retry-After': '3600' }], 200);
  const { delivery, waits } = send();
  await expect(delivery).resolves.toEqual({ delivered: false, reason: 'answered 503, tried once' });
  expect(waits).toEqual([]);
});

test('what went wrong never repeats the address, which often is a secret itself', async () => {
  answer(...Array.from({ length: 20 }, () => new Error(`cannot reach ${host}${path}`)));
  const outcome = await send().delivery;
  expect(outcome).toMatchObject({ delivered: false, reason: expect.stringContaining('no connection') });
  expect(JSON.stringify(outcome)).not.toContain('s3cret');
});

test('a stop ends the waiting', async () => {
  answer(503);
  const stop = new AbortController();
  const clock: Clock = {
    now: () => start,
    sleep(_ms, until) {
      if (until === stop.signal) stop.abort(new Error('interrupted by SIGTERM.'));
      return Promise.reject(new Error('aborted'));
    },
  };
  const { delivery } = send({ signal: stop.signal, clock });
  await expect(delivery).resolves.toEqual({ delivered: false, reason: 'interrupted by SIGTERM.' });
});

test('a receiver that takes the connection and never answers is given ten seconds an attempt', () =>
  atReceiver(async (receiver) => {
    nock.enableNetConnect('127.0.0.1');
    receiver.answer = undefined;
    const { signal } = new AbortController();
    const limits: number[] = [];
    const { waits, ...waiting } = handClock(signal);
    const clock: Clock = {
      ...waiting,
      async sleep(ms, until) {
        if (until === signal) return waiting.sleep(ms, until);
        limits.push(ms);
        await receiver.came(limits.length);
      },
    };
    const { delivery } = send({ url: receiver.url, signal, clock });
    await expect(delivery).resolves.toMatchObject({
      delivered: false,
      reason: expect.stringMatching(/^no answer within \d+ s, tried 9 times$/),
    });
    expect(limits[0]).toBe(10_000);
    expect(waits).toHaveLength(8);
  }));

test('a stop ends a request that nobody answers', () =>
  atReceiver(async (receiver) => {
    nock.enableNetConnect('127.0.0.1');
    receiver.answer = undefined;
    const stop = new AbortController();
    const { delivery } = send({ url: receiver.url, signal: stop.signal });
    await receiver.came(1);
    stop.abort(new Error('interrupted by SIGTERM.'));
    await expect(delivery).resolves.toEqual({ delivered: false, reason: 'interrupted by SIGTERM.' });
  }));

test('nobody listens: said by the code of the trouble', async () => {
  nock.enableNetConnect('127.0.0.1');
  let url = '';
  await atReceiver((receiver) => {
    url = receiver.url;
    return Promise.resolve();
  });
  await expect(send({ url }).delivery).resolves.toEqual({
    delivered: false,
    reason: 'no connection (ECONNREFUSED), tried 9 times',
  });
});
