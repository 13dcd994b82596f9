import { expect, test } from 'vitest';
import { createFaultInjector, type FaultKind, faultKinds } from '../../src/sandbox/faults.ts';
import { type Call, heldClock, startForTest } from './caller.ts';

const seed = { contacts: [{ firstName: 'A' }] };

/** What each fault looks like to a client, and whether the change was made. */
const shapes: {
  readonly [K in FaultKind]: readonly [seen: number | 'dropped' | 'broken', applied: boolean];
} = {
  429: [429, false],
  449: [449, false],
  500: [500, false],
  502: [502, false],
  503: [503, false],
  504: [504, false],
  dropBefore: ['dropped', false],
  dropAfter: ['dropped', true],
  brokenBody: ['broken', true],
  '500After': [500, true],
  '502After': [502, true],
  '503After': [503, true],
  '504After': [504, true],
};

async function seen(
  call: Call,
  method: string,
  path: string,
  body?: unknown,
): Promise<number | 'dropped' | 'broken'> {
  try {
    const { status, json } = await call(method, path, body);
    return status < 300 && json === undefined ? 'broken' : status;
  } catch (error) {
    if (error instanceof TypeError) return 'dropped';
    throw error;
  }
}

test.each(faultKinds)('%s on order, once', async (kind) => {
  const { call, sandbox } = await startForTest({ seed });
  const [expected, applied] = shapes[kind];
  sandbox.scriptFault({ kind, method: 'POST', path: '/contact/*/comment' });
  expect(await seen(call, 'GET', '/contact/id:1')).toBe(200);
  expect(await seen(call, 'POST', '/contact/id:1/comment', { text: 'x' })).toBe(expected);
  expect(sandbox.comments(1)).toHaveLength(applied ? 1 : 0);
  expect(await seen(call, 'POST', '/contact/id:1/comment', { text: 'y' })).toBe(201);
  expect(sandbox.log.map(({ fault, applied: made }) => [fault, made])).toEqual([
    [undefined, false],
    [kind, applied],
    [undefined, true],
  ]);
});

test('error bodies and headers of faults are those of the table', async () => {
  const { call, sandbox } = await startForTest({ seed });
  const answered = async (kind: FaultKind) => {
    sandbox.scriptFault({ kind });
    return call('GET', '/contact/id:1');
  };
  expect((await answered('500')).json).toEqual({ code: 500, message: 'Unexpected error occurred' });
  expect((await answered('449')).json).toMatchObject({ code: 449 });
  expect((await answered('429')).headers.get('retry-after')).toBe('1');
});

test('a scripted fault can come several times, and later', async () => {
  const { call, sandbox } = await startForTest({ seed });
  sandbox.scriptFault({ kind: '503', path: '/contact/{identifier}', skip: 2, times: 2 });
  const all: unknown[] = [];
  for (let i = 0; i < 6; i += 1) all.push(await seen(call, 'GET', '/contact/id:1'));
  expect(all).toEqual([200, 200, 503, 503, 200, 200]);
});

test('the same seed gives the same faults, in whatever order the requests come', () => {
  const rules = [{ rates: Object.fromEntries(faultKinds.map((kind) => [kind, 0.05])) }];
  const paths = Array.from({ length: 400 }, (_, i) => `/contact/id:${i}`);
  const decide = (randomSeed: number, order: readonly string[]): string[] => {
    const faults = createFaultInjector(randomSeed, rules);
    return order.map((path) => `${path} ${faults.decide('GET', path, '/contact/{identifier}').kind}`).sort();
  };
  expect(decide(7, paths)).toEqual(decide(7, [...paths].reverse()));
  expect(decide(7, paths)).not.toEqual(decide(8, paths));
});

test('449 comes at random only where the table lists it, and on order everywhere', async () => {
  const { call, sandbox } = await startForTest({ seed, faults: { rates: { 449: 1 } } });
  expect((await call('GET', '/contact/id:1')).status).toBe(200);
  expect((await call('POST', '/contact/id:1/lifecycle/update', { name: 'x' })).status).toBe(200);
  expect((await call('PUT', '/contact/id:1', { firstName: 'B' })).status).toBe(449);
  sandbox.scriptFault({ kind: '449' });
  expect((await call('GET', '/contact/id:1')).status).toBe(449);
  const everywhere = await startForTest({
    seed,
    faults: { rates: { 449: 1 } },
    processingUndocumented: 'queued',
  });
  expect((await everywhere.call('GET', '/contact/id:1')).status).toBe(449);
});

test('rates are kept, for each kind', () => {
  const faults = createFaultInjector(3, [{ rates: { 500: 0.1, dropAfter: 0.02 } }]);
  const count = { 500: 0, dropAfter: 0 };
  const total = 50_000;
  for (let i = 0; i < total; i += 1) {
    const { kind } = faults.decide('PUT', `/contact/id:${i % 5000}`, '');
    if (kind === '500' || kind === 'dropAfter') count[kind] += 1;
  }
  expect(count[500] / total).toBeCloseTo(0.1, 2);
  expect(count.dropAfter / total).toBeCloseTo(0.02, 2);
});

test('the first rule whose method and path fit decides', async () => {
  const { call, sandbox } = await startForTest({
    seed,
    faults: [
      { method: 'get', path: '/contact/*', rates: { 502: 1 } },
      { path: '/space/user', rates: { 504: 1 } },
    ],
  });
  expect(await seen(call, 'GET', '/contact/id:1')).toBe(502);
  expect(await seen(call, 'PUT', '/contact/id:1', { firstName: 'A' })).toBe(200);
  expect(await seen(call, 'GET', '/space/user')).toBe(504);
  sandbox.setFaults([]);
  expect(await seen(call, 'GET', '/space/user')).toBe(200);
});

test('latency lies half before a request is counted, half before its answer', async () => {
  const held = heldClock();
  const slept: number[] = [];
  const clock = {
    now: held.now,
    sleep: async (ms: number) => {
      slept.push(ms);
      held.move(ms);
    },
  };
  const { call, sandbox } = await startForTest({ seed, clock, faults: { latency: { min: 100, max: 300 } } });
  await call('POST', '/contact/id:1/comment', { text: 'x' });
  const [before, after] = slept;
  expect(before).toBe(after);
  expect(before).toBeGreaterThanOrEqual(50);
  expect(before).toBeLessThanOrEqual(150);
  expect(sandbox.log[0]?.ms).toBe((before ?? 0) + (after ?? 0));
});
