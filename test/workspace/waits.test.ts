import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/model/ports.ts';
import {
  defaultWorkspaceLimits,
  type OpenWorkspaceOptions,
  type WorkspaceEvent,
} from '../../src/workspace/index.ts';
import { answer, emptyPage, errorAnswer, openOn } from './open.ts';

const minute = 60_000;
const forAges = 999_999_999;
const ada = { kind: 'email', value: 'ada@example.com' } as const;

type Send = Parameters<typeof openOn>[0];

/** A workspace that says what it waits for. */
function listening(send: Send, options: Partial<OpenWorkspaceOptions> = {}) {
  const said: { at: number; event: WorkspaceEvent }[] = [];
  const opened = openOn(send, {
    onEvent: (event) => said.push({ at: opened.clock.now() - begun, event }),
    ...options,
  });
  const begun = opened.clock.now();
  return { ...opened, said, since: () => opened.clock.now() - begun };
}

/** What a call comes to while another request is answered every second; after two hours all of it is stopped. */
async function besideOthers<T>(net: ReturnType<typeof listening>, call: Promise<T>): Promise<T> {
  const until = { ended: false };
  const others = async () => {
    while (!until.ended && net.since() < 120 * minute) {
      await net.workspace.contacts.read({ kind: 'id', value: '1' });
      await net.clock.sleep(1_000);
    }
    if (!until.ended) net.stop.abort(new Error('not ended within two hours'));
  };
  const answered = others();
  const result = await net.clock.run(call);
  until.ended = true;
  await net.clock.run(answered);
  return result;
}

const never: Send = () => new Promise(() => undefined);
const tooMany = answer(429, { code: 429, message: 'Too Many Requests' }, forAges);
const tooManyNow = errorAnswer(429, 'Too Many Requests');
const overloaded = answer(503, { code: 503, message: 'overloaded' }, forAges);

describe('an answer that does not come to its end', () => {
  it('is given up after limits.answer, headers and body together', async () => {
    const net = listening(never);
    const added = await net.clock.run(net.workspace.contacts.comment(ada, 'hello'));
    expect(added).toEqual({ kind: 'unknown', message: 'no answer: no complete answer within 60 s' });
    expect(net.since()).toBe(minute);
  });

  it('ends the run once nothing else has come for limits.outage', async () => {
    const net = listening(never);
    await expect(net.clock.run(net.workspace.contacts.read(ada))).rejects.toMatchObject({
      reason: 'unreachable',
      message: expect.stringContaining('could not be reached for 15 minutes'),
    });
    expect(net.since()).toBeLessThan(16 * minute);
  });

  it('tells the transport that nobody wants it any more', async () => {
    const given: Error[] = [];
    const { workspace, clock } = openOn(never, {
      transport: {
        send: (_request, wanted) => {
          wanted?.onCancelled((reason) => given.push(reason));
          return new Promise(() => undefined);
        },
        close: () => Promise.resolve(),
      },
    });
    await clock.run(workspace.contacts.comment(ada, 'hello'));
    expect(given).toMatchObject([{ message: 'no complete answer within 60 s' }]);
  });
});

describe.each([
  [
    'a 503 that asks for 31 years',
    overloaded,
    /^the workspace answered 503: overloaded; it asked for this wait/,
  ],
  ['a 429 that asks for 31 years', tooMany, /^the workspace answered 429, too many requests; it asked/],
])('%s', (_name, refusal, reason) => {
  it('is waited for as long as an outage may last, which is said at once, and then the run stops', async () => {
    const asked: number[] = [];
    const net = listening(async ({ path }) => {
      if (path !== '/space/user') asked.push(net.since());
      return refusal;
    });
    await expect(net.clock.run(net.workspace.contacts.read(ada))).rejects.toMatchObject({
      reason: 'unreachable',
    });
    expect(net.since()).toBeGreaterThanOrEqual(15 * minute);
    expect(net.since()).toBeLessThan(16 * minute);
    // Retry-After is obeyed: nothing is asked again before.
    expect(asked.filter((at) => at < 15 * minute)).toEqual([0]);
    const [first] = net.said;
    expect(first).toMatchObject({ at: 0, event: { kind: 'waiting', reason: expect.stringMatching(reason) } });
  });

  it('of one path is waited for that long before each attempt, while others are answered', async () => {
    const net = listening(async ({ path }) => (path.includes('ada') ? refusal : answer(200, { id: 1 })));
    const ended = await besideOthers(net, net.workspace.contacts.read(ada));
    expect(['refused', 'unknown']).toContain(ended.kind);
    expect(net.since()).toBeGreaterThanOrEqual(15 * minute);
    expect(net.since()).toBeLessThan(defaultWorkspaceLimits.attempts * 15 * minute);
  });
});

it('429 without end and without Retry-After stops the run like an outage, and says what it waits for', async () => {
  const net = listening(async () => errorAnswer(429, 'Too Many Requests'));
  await expect(net.clock.run(net.workspace.contacts.read(ada))).rejects.toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('429'),
  });
  expect(net.since()).toBeLessThan(16 * minute);
  expect(net.said.map(({ event }) => event.kind)).toContain('waiting');
});

it('429 without end of one path fails that request alone, while others are answered', async () => {
  const net = listening(async ({ path }) =>
    path.includes('ada') ? errorAnswer(429, 'Too Many Requests') : answer(200, { id: 1 }),
  );
  const refused = await besideOthers(net, net.workspace.contacts.read(ada));
  expect(refused).toMatchObject({ kind: 'refused', status: 429 });
  expect(net.since()).toBeGreaterThanOrEqual(15 * minute);
  expect(net.since()).toBeLessThan(16 * minute);
});

it('429 without end of a list that the run needs stops it, though others are answered', async () => {
  const net = listening(async ({ path }) => (path.startsWith('/contact/list') ? tooManyNow : emptyPage));
  const list = async () => {
    for await (const _ of net.workspace.paginate((page) => net.workspace.contacts.list(page)));
  };
  await expect(besideOthers(net, list())).rejects.toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('429'),
    next: expect.stringContaining('again'),
  });
});

it('what is waited for ends later than now, also where the first failure is older than an outage may last', async () => {
  const net = listening(never, { limits: { ...defaultWorkspaceLimits, outageMs: 20_000, answerMs: 60_000 } });
  const read = net.workspace.contacts.read(ada);
  await expect(net.clock.run(read)).rejects.toMatchObject({ reason: 'unreachable' });
  const begun = net.clock.now() - net.since();
  const ends = net.said.flatMap(({ at, event }) => ('until' in event ? [event.until - begun - at] : []));
  expect(net.said.map(({ event }) => event.kind)).toContain('paused');
  expect(Math.min(...ends)).toBeGreaterThan(0);
});

describe('at first contact', () => {
  const refused: Send = () => Promise.reject(new TransportError('connect ECONNREFUSED', false));

  it.each([
    [
      'refuses the connection',
      refused,
      'https://workspace.test/v1 accepts no requests (connect ECONNREFUSED)',
    ],
    ['never answers', never, 'no answer from https://workspace.test/v1 yet'],
  ])('a host that %s is named after two seconds, with when it is given up', async (_name, send, reason) => {
    const net = listening(send);
    net.workspace.users.list({}).catch(() => undefined);
    await net.clock.advance(2_100);
    const until = net.clock.now() - net.since() + 15_000;
    expect(net.said).toEqual([
      {
        at: 2_000,
        event: { kind: 'waiting', reason, until },
      },
    ]);
  });

  it('a command that answers somebody gives up after limits.connect', async () => {
    const net = listening(refused, { unanswered: 'give up' });
    await expect(net.clock.run(net.workspace.users.list({}))).rejects.toMatchObject({
      reason: 'unreachable',
      message: 'https://workspace.test/v1 does not answer: no response within 15 s (connect ECONNREFUSED).',
    });
    expect(net.since()).toBe(15_000);
  });

  it('a run says so then, and goes on trying as long as an outage may last', async () => {
    const net = listening(async (request) => (net.since() < 5 * minute ? await refused(request) : emptyPage));
    const list = net.workspace.users.list({});
    await net.clock.advance(15_100);
    expect(net.said.at(-1)).toMatchObject({
      at: 15_000,
      event: { reason: 'https://workspace.test/v1 does not answer (connect ECONNREFUSED)' },
    });
    expect(await net.clock.run(list)).toMatchObject({ kind: 'ok' });
  });

  it('is over with the first answer: from then on silence is an outage', async () => {
    const net = listening(async (request) => (net.since() === 0 ? emptyPage : await refused(request)), {
      unanswered: 'give up',
    });
    await net.clock.run(net.workspace.users.list({}));
    await net.clock.advance(minute);
    const list = net.workspace.users.list({});
    await net.clock.advance(minute);
    expect(net.said[0]).toMatchObject({ at: minute + 10_000, event: { kind: 'waiting' } });
    await expect(net.clock.run(list)).rejects.toMatchObject({
      message: expect.stringContaining('could not be reached'),
    });
  });
});

it('an answer that takes more than ten seconds is said once, and nothing is said where answers come', async () => {
  const net = listening(async ({ path }) => {
    await net.clock.sleep(path.includes('ada') ? 45_000 : 500);
    return answer(200, { id: 1 });
  });
  await net.clock.run(net.workspace.contacts.read({ kind: 'id', value: '1' }));
  await net.clock.run(net.workspace.contacts.read(ada));
  expect(net.said).toMatchObject([{ at: 10_500, event: { kind: 'waiting' } }]);
});

it('each silence is said, also where another one was said that was shorter than it could have been', async () => {
  const net = listening(async () => {
    await net.clock.sleep(30_000);
    return answer(200, { id: 1 });
  });
  for (let n = 0; n < 3; n += 1)
    await net.clock.run(net.workspace.contacts.read({ kind: 'id', value: `${n}` }));
  expect(net.said.map(({ at }) => at)).toEqual([2_000, 15_000, 40_000, 70_000]);
});

it('449 is said where nothing else has come for ten seconds, and not where others are answered', async () => {
  const net = listening(async ({ path }) =>
    path.includes('ada') ? errorAnswer(449, 'queued') : answer(200, { id: 1 }),
  );
  const others = async (seconds: number) => {
    for (let n = 0; n < seconds; n += 1) {
      await net.workspace.contacts.read({ kind: 'id', value: '1' });
      await net.clock.sleep(1_000);
    }
  };
  const queued = net.workspace.contacts.read(ada);
  await net.clock.run(others(30));
  expect(net.said).toEqual([]);
  // Asked again at 32, 64 and 124 seconds.
  await net.clock.advance(33_000);
  expect(net.said).toEqual([]);
  await net.clock.advance(2_000);
  expect(net.said).toMatchObject([{ at: 64_000, event: { reason: expect.stringContaining('449') } }]);
  expect(await net.clock.run(queued)).toMatchObject({ kind: 'queued' });
});

it('at a stop a request that changes nothing is not waited for', async () => {
  const { workspace, clock, stop } = openOn(never, { limits: { ...defaultWorkspaceLimits } });
  const reading = workspace.contacts.read(ada);
  const listing = workspace.contacts.list({});
  const writing = workspace.contacts.comment(ada, 'hello');
  await clock.advance(100);
  const reason = new Error('SIGTERM');
  stop.abort(reason);
  await expect(reading).rejects.toBe(reason);
  await expect(listing).rejects.toBe(reason);
  expect(await clock.run(writing)).toMatchObject({ kind: 'unknown' });
});
