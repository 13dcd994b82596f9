import { describe, expect, it } from 'vitest';
import { FatalError } from '../../src/model/fatal-error.ts';
import { TransportError, type TransportRequest, type TransportResponse } from '../../src/model/ports.ts';
import { defaultWorkspaceLimits, type WorkspaceEvent } from '../../src/workspace/index.ts';
import { answer, emptyPage, errorAnswer, openOn } from './open.ts';

const ada = { kind: 'email', value: 'ada@example.com' } as const;
const minute = 60_000;

/** A network that is away from one instant to another, and counts what is asked of it meanwhile. */
function networkAway(from: number, until: number) {
  const events: WorkspaceEvent[] = [];
  const asked: { at: number; path: string }[] = [];
  const opened = openOn(
    async (request: TransportRequest): Promise<TransportResponse> => {
      const at = opened.clock.now() - begun;
      asked.push({ at, path: request.path });
      await opened.clock.sleep(20);
      if (at >= from && at < until) throw new TransportError('the network is away', true);
      return request.path.startsWith('/space') ? emptyPage : answer(200, { id: 1, contactId: 1 });
    },
    { onEvent: (event) => events.push(event) },
  );
  const begun = opened.clock.now();
  return { ...opened, events, asked, since: () => opened.clock.now() - begun };
}

function silentMs(event: WorkspaceEvent | undefined): number | undefined {
  return event !== undefined && 'silentMs' in event ? event.silentMs : undefined;
}

describe('an outage', () => {
  it('of some seconds is blamed on no row, however many attempts it costs', async () => {
    const net = networkAway(0, 50_000);
    const answers = await net.clock.run(
      Promise.all(
        Array.from({ length: 20 }, (_, id) => net.workspace.contacts.read({ kind: 'id', value: `${id}` })),
      ),
    );
    expect(answers.every(({ kind }) => kind === 'ok')).toBe(true);
    expect(net.asked.length).toBeGreaterThan(20 * 6);
    expect(net.events.map(({ kind }) => kind)).not.toContain('paused');
  });

  it('of ten minutes pauses everything, sends single probes, and resumes', async () => {
    const net = networkAway(0, 10 * minute);
    const all = Array.from({ length: 20 }, (_, id) =>
      net.workspace.contacts.read({ kind: 'id', value: `${id}` }),
    );
    const answers = await net.clock.run(Promise.all(all));
    expect(answers.every(({ kind }) => kind === 'ok')).toBe(true);
    const pauses = net.events.filter(({ kind }) => kind !== 'waiting');
    expect(pauses.map(({ kind }) => kind)).toEqual(['paused', 'resumed']);
    expect(silentMs(pauses[0])).toBeGreaterThanOrEqual(minute);
    expect(silentMs(pauses[0])).toBeLessThan(1.6 * minute);
    const paused = net.asked.filter(({ at }) => at > 2 * minute && at < 10 * minute);
    expect(paused.length).toBeGreaterThan(8);
    expect(paused.length).toBeLessThan(80);
    expect(new Set(paused.map(({ path }) => path))).toEqual(new Set(['/space/user']));
  });

  it('that begins in the middle of a run is blamed on no row either', async () => {
    const net = networkAway(5_000, 3 * minute);
    const kinds = new Set<string>();
    const worker = async (lane: number) => {
      for (let row = 0; row < 120; row += 1) {
        const { kind } = await net.workspace.contacts.update(
          { kind: 'id', value: `${lane}-${row}` },
          { firstName: 'A' },
        );
        kinds.add(kind);
        await net.clock.sleep(100);
      }
    };
    await net.clock.run(Promise.all(Array.from({ length: 10 }, (_, lane) => worker(lane))));
    expect([...kinds]).toEqual(['ok']);
  });

  it('also holds back what was waiting for its pace already', async () => {
    const net = networkAway(0, 10 * minute);
    const all = Array.from({ length: 200 }, () => net.workspace.closingNotes.list({}));
    await net.clock.advance(9 * minute);
    const pausedAt = silentMs(net.events.find(({ kind }) => kind === 'paused')) ?? Number.NaN;
    const paused = net.asked.filter(({ at }) => at > pausedAt);
    expect(new Set(paused.map(({ path }) => path))).toEqual(new Set(['/space/user']));
    const answers = await net.clock.run(Promise.all(all));
    expect(answers.every(({ kind }) => kind === 'ok')).toBe(true);
  });

  it('is none where failures are scattered among answers, however long that goes on', async () => {
    const events: WorkspaceEvent[] = [];
    const sent = { times: 0 };
    const { workspace, clock } = openOn(
      async () => {
        sent.times += 1;
        return sent.times % 3 === 0 ? errorAnswer(502, 'bad gateway') : answer(200, { id: 1 });
      },
      { onEvent: (event) => events.push(event) },
    );
    const worker = async () => {
      for (let row = 0; row < 200; row += 1) {
        await workspace.contacts.read({ kind: 'id', value: `${row}` });
        await clock.sleep(1_000);
      }
    };
    await clock.run(worker());
    expect(events).toEqual([]);
  });

  it('that lasts stops every call with "unreachable", and every later one at once', async () => {
    const net = networkAway(0, Number.POSITIVE_INFINITY);
    const calls = Array.from({ length: 3 }, (_, id) =>
      net.workspace.contacts.read({ kind: 'id', value: `${id}` }),
    );
    const results = await net.clock.run(Promise.allSettled(calls));
    for (const result of results) {
      expect(result).toMatchObject({ status: 'rejected', reason: { reason: 'unreachable' } });
    }
    expect(net.since()).toBeGreaterThanOrEqual(15 * minute);
    expect(net.since()).toBeLessThan(16.5 * minute);
    const before = net.asked.length;
    await expect(net.clock.run(net.workspace.users.list({}))).rejects.toThrow(FatalError);
    expect(net.asked.length).toBe(before);
  });

  it('holds back what may not be sent twice: one loses its answer, the others wait', async () => {
    const net = networkAway(0, 10 * minute);
    const reading = net.workspace.contacts.read(ada);
    const first = await net.clock.run(net.workspace.contacts.comment(ada, 'hello'));
    expect(first).toMatchObject({ kind: 'unknown', message: expect.stringContaining('the network is away') });
    await net.clock.advance(2 * minute);
    const second = net.workspace.contacts.comment(ada, 'hello again');
    expect(await net.clock.run(Promise.all([reading, second]))).toMatchObject([
      { kind: 'ok' },
      { kind: 'unknown' },
    ]);
    expect(net.asked.filter(({ path, at }) => path.endsWith('/comment') && at < 10 * minute)).toHaveLength(1);
  });
});

describe('trouble of one request', () => {
  it('is its own once the workspace answers others: it runs out of attempts', async () => {
    const opened = openOn(async ({ path }) =>
      path.startsWith('/space') ? emptyPage : errorAnswer(500, 'Unexpected error occurred'),
    );
    const { workspace, clock } = opened;
    const begun = clock.now();
    expect(await clock.run(workspace.contacts.read(ada))).toEqual({
      kind: 'unknown',
      message: 'the workspace answered 500: Unexpected error occurred',
    });
    expect(clock.now() - begun).toBeLessThan(minute);
  });

  it('counts five attempts among answered ones', async () => {
    const sent = { bad: 0 };
    const { workspace, clock } = openOn(async ({ path }) => {
      if (!path.includes('bad')) return answer(200, { id: 1 });
      sent.bad += 1;
      await clock.sleep(50);
      return errorAnswer(503, 'overloaded');
    });
    const others = { go: true };
    const other = (async () => {
      for (let id = 0; others.go; id += 1) {
        await workspace.contacts.read({ kind: 'id', value: `${id}` });
        await clock.sleep(10);
      }
    })();
    const bad = await clock.run(workspace.contacts.read({ kind: 'email', value: 'bad@example.com' }));
    others.go = false;
    await clock.run(other);
    expect(bad.kind).toBe('unknown');
    expect(sent.bad).toBe(5);
    expect(workspace.requests()['GET /contact/{identifier}']).toMatchObject({ retried: 4 });
  });

  /** A workspace whose contact list alone answers 503 until some time, and whose contacts are read meanwhile. */
  function listAway(until: number) {
    const events: WorkspaceEvent[] = [];
    const opened = openOn(
      async ({ path }) => {
        await opened.clock.sleep(50);
        if (path !== '/contact/list') return answer(200, { id: 1 });
        return opened.clock.now() - begun < until ? errorAnswer(503, 'overloaded') : emptyPage;
      },
      { onEvent: (event) => events.push(event) },
    );
    const { workspace, clock } = opened;
    const begun = clock.now();
    const others = { go: true };
    const other = (async () => {
      for (let id = 0; others.go; id += 1) {
        await workspace.contacts.read({ kind: 'id', value: `${id}` });
        await clock.sleep(1_000);
      }
    })();
    const listed = async () => {
      const found = await clock.run(workspace.contacts.list({}));
      others.go = false;
      await clock.run(other);
      return { found, ms: clock.now() - begun, events, list: workspace.requests()['POST /contact/list'] };
    };
    return { listed };
  }

  it('that is a list of the workspace is waited out as an outage of everything is, and the wait is reported', async () => {
    const { found, ms, events } = await listAway(8 * minute).listed();
    expect(found).toMatchObject({ kind: 'ok' });
    expect(ms).toBeGreaterThanOrEqual(8 * minute);
    expect(ms).toBeLessThan(9 * minute);
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'waiting', reason: expect.stringContaining('503: overloaded') }),
    );
  });

  it('that is a list of the workspace and lasts is given up after `outage`', async () => {
    const { found, ms } = await listAway(Number.POSITIVE_INFINITY).listed();
    expect(found).toMatchObject({ kind: 'unknown', message: expect.stringContaining('503') });
    expect(ms).toBeGreaterThanOrEqual(15 * minute);
    expect(ms).toBeLessThan(16 * minute);
  });

  it('a request that surely never left is sent again, whatever it is', async () => {
    const sent = { times: 0 };
    const { workspace, clock } = openOn(async () => {
      sent.times += 1;
      if (sent.times < 4) throw new TransportError('connection refused', false);
      return answer(201, { contactId: 1, text: 'hello', created_at: 1 });
    });
    expect(await clock.run(workspace.contacts.comment(ada, 'hello'))).toMatchObject({ kind: 'ok' });
    expect(sent.times).toBe(4);
  });

  it.each(['setLifecycle', 'assign', 'setStatus'])(
    '%s is not sent again after a lost answer',
    async (operation) => {
      const sent = { times: 0 };
      const { workspace, clock } = openOn(async () => {
        sent.times += 1;
        return errorAnswer(502, 'bad gateway');
      });
      const calls: Readonly<Record<string, () => Promise<{ kind: string }>>> = {
        setLifecycle: () => workspace.contacts.setLifecycle(ada, 'Customer'),
        assign: () => workspace.conversations.assign(ada, null),
        setStatus: () => workspace.conversations.setStatus(ada, { status: 'open' }),
      };
      expect(await clock.run(calls[operation]?.() ?? Promise.reject(new Error(operation)))).toMatchObject({
        kind: 'unknown',
      });
      expect(sent.times).toBe(1);
    },
  );

  it('unless the caller says that it may be', async () => {
    const sent = { times: 0 };
    const { workspace, clock } = openOn(async () => {
      sent.times += 1;
      return sent.times === 1 ? errorAnswer(502, 'bad gateway') : answer(200, { code: 1, message: 'ok' });
    });
    const call = workspace.contacts.setLifecycle(ada, 'Customer', { idempotent: true });
    expect(await clock.run(call)).toMatchObject({ kind: 'ok' });
    expect(sent.times).toBe(2);
  });
});

describe('a 429', () => {
  it.each([
    ['with', 7, 7_000],
    ['without', undefined, 1_000],
  ])(
    '%s Retry-After is waited out on its bucket only, and costs no attempt',
    async (_name, retryAfter, least) => {
      const sent = { times: 0 };
      const { workspace, clock } = openOn(async ({ path }) => {
        if (path.includes('id')) return answer(200, { id: 1 });
        sent.times += 1;
        return sent.times <= 12
          ? answer(429, { code: 429, message: 'Too Many Requests' }, retryAfter)
          : emptyPage;
      });
      const begun = clock.now();
      const limited = workspace.users.list({});
      await clock.run(workspace.contacts.read({ kind: 'id', value: '1' }));
      expect(clock.now() - begun).toBe(0);
      expect(await clock.run(limited)).toMatchObject({ kind: 'ok' });
      expect(clock.now() - begun).toBeGreaterThanOrEqual(12 * least);
      expect(workspace.requests()['GET /space/user']).toMatchObject({
        sent: 13,
        ok: 1,
        retried: 0,
        limited: 12,
        queued: 0,
      });
    },
  );
});

it('a 449 is asked again for a quarter of an hour, and is the answer then', async () => {
  const asked: number[] = [];
  const { workspace, clock } = openOn(async () => {
    asked.push((clock.now() - begun) / 1_000);
    return errorAnswer(449, 'queued, try again in a few minutes');
  });
  const begun = clock.now();
  expect(await clock.run(workspace.contacts.update(ada, { firstName: 'Ada' }))).toEqual({
    kind: 'queued',
    message: 'queued, try again in a few minutes',
  });
  expect(workspace.requests()['PUT /contact/{identifier}']).toMatchObject({ sent: 21, queued: 21 });
  expect(asked.slice(0, 9)).toEqual([0, 2, 4, 8, 16, 32, 64, 124, 184]);
  expect(asked.at(-1)).toBe(900);
});

it.each([
  ['was created lately is asked for until it must show', 20_000, 20_000],
  ['was there before is not waited for', undefined, 0],
  ['had its time is not waited for', -1, 0],
])('a 404 about a contact that %s', async (_what, left, waited) => {
  const { workspace, clock } = openOn(async () => errorAnswer(404, 'Contact not found'));
  const begun = clock.now();
  const waits = { showsBy: left === undefined ? undefined : begun + left };
  const answer = await clock.run(workspace.contacts.comment(ada, 'hello', { waits }));
  expect(answer).toEqual({ kind: 'absent', message: 'Contact not found' });
  expect(clock.now() - begun).toBe(waited);
});

it('while a call waits for the workspace to be ready it holds no connection, and its caller no slot', async () => {
  const waiting: string[] = [];
  const { workspace, clock } = openOn(
    async ({ path }) => (path.includes('ada') ? errorAnswer(449, 'queued') : answer(200, { id: 1 })),
    { limits: { ...defaultWorkspaceLimits, concurrency: 1 } },
  );
  const queued = workspace.contacts.read(ada, {
    waits: {
      async withoutSlot(wait, why) {
        waiting.push(`${why} begins`);
        await wait();
        waiting.push(`${why} ends`);
      },
    },
  });
  await clock.advance(1_000);
  expect(waiting).toEqual(['queued begins']);
  expect(await clock.run(workspace.contacts.read({ kind: 'id', value: '1' }))).toMatchObject({ kind: 'ok' });
  expect(waiting).toEqual(['queued begins']);
  expect(await clock.run(queued)).toMatchObject({ kind: 'queued' });
  expect(waiting.slice(0, 3)).toEqual(['queued begins', 'queued ends', 'queued begins']);
});
