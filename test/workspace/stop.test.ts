import { describe, expect, it } from 'vitest';
import { TimeSliceEndedError } from '../../src/model/fatal-error.ts';
import { defaultWorkspaceLimits } from '../../src/workspace/index.ts';
import { answer, emptyPage, errorAnswer, openOn } from './open.ts';

const id = (value: number) => ({ kind: 'id', value: String(value) }) as const;

/** A workspace that takes a second for each answer. */
function slow(concurrency = defaultWorkspaceLimits.concurrency) {
  const seen: string[] = [];
  const opened = openOn(
    async ({ method, path }) => {
      seen.push(`${method} ${path}`);
      await opened.clock.sleep(1_000);
      return path === '/space/user'
        ? emptyPage
        : answer(200, { contactId: 1, text: 'x', created_at: 1, id: 1 });
    },
    { limits: { ...defaultWorkspaceLimits, concurrency } },
  );
  return { ...opened, seen };
}

const reason = new Error('the user pressed Ctrl-C');

describe('when the run is stopped', () => {
  it('what is under way finishes; what waits for a connection rejects with the reason and never leaves', async () => {
    const { workspace, clock, stop, seen } = slow(2);
    const calls = [1, 2, 3, 4].map((contact) => workspace.contacts.comment(id(contact), 'x'));
    await clock.advance(500);
    stop.abort(reason);
    const results = await clock.run(Promise.allSettled(calls));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(results[2]).toEqual({ status: 'rejected', reason });
    await clock.advance(60_000);
    expect(seen).toEqual(['POST /contact/id:1/comment', 'POST /contact/id:2/comment']);
  });

  it('what waits for its pace rejects at once', async () => {
    const { workspace, clock, stop, seen } = slow();
    const calls = Array.from({ length: 8 }, () => workspace.users.list({}));
    await clock.advance(500);
    stop.abort(reason);
    await expect(calls[7]).rejects.toBe(reason);
    await clock.run(Promise.allSettled(calls));
    expect(seen).toHaveLength(5);
  });

  it('what waits for another attempt rejects at once', async () => {
    const { workspace, clock, stop } = openOn(async () => errorAnswer(500, 'no'));
    const call = workspace.contacts.read(id(1));
    const watched = expect(call).rejects.toBe(reason);
    await clock.advance(20);
    stop.abort(reason);
    await watched;
    expect(workspace.requests()['GET /contact/{identifier}']?.sent).toBeLessThan(5);
  });

  it('what waits for an outage to end rejects', async () => {
    const { workspace, clock, stop } = openOn(async () => errorAnswer(500, 'no'));
    const call = workspace.contacts.read(id(1));
    const watched = expect(call).rejects.toBe(reason);
    await clock.advance(200_000);
    stop.abort(reason);
    await clock.advance(1);
    await watched;
  });

  it('later calls reject and nothing leaves, also where the stop came before the opening', async () => {
    const stopped = AbortSignal.abort(reason);
    const seen: string[] = [];
    const { workspace } = openOn(
      async ({ path }) => {
        seen.push(path);
        return emptyPage;
      },
      { signal: stopped },
    );
    await expect(workspace.users.list({})).rejects.toBe(reason);
    expect(seen).toEqual([]);
  });
});

describe('when the slice of a run is over', () => {
  const over = new TimeSliceEndedError();
  const stoppedAfter = async (ms: number, send: Parameters<typeof openOn>[0]) => {
    const { workspace, clock, stop } = openOn(send);
    const first = Promise.allSettled([workspace.users.list({})]);
    const call = workspace.contacts.read(id(1)).catch((error: unknown) => error);
    await clock.advance(ms);
    stop.abort(over);
    const ended = await clock.run(call);
    await clock.run(first);
    return { ended, ofRun: workspace.whyStopped(over), ofPerson: workspace.whyStopped(reason) };
  };
  const never = () => new Promise<never>(() => undefined);

  it.each([
    ['429', 100, async () => errorAnswer(429, 'Too Many Requests')],
    ['500', 100, async () => errorAnswer(500, 'no')],
    ['nothing at all', 10_000, never],
  ] as const)(
    'and nothing came but %s, it ends as in an outage: the next slice would meet the same',
    async (_what, ms, send) => {
      const { ended, ofRun, ofPerson } = await stoppedAfter(ms, send);
      const unreachable = expect.objectContaining({
        reason: 'unreachable',
        message: expect.stringMatching(/^The workspace could not be reached for \d+ s. Last seen: /),
      });
      expect([ended, ofRun, ofPerson]).toEqual([unreachable, unreachable, reason]);
    },
  );

  it.each([
    [
      'something was answered',
      30_000,
      async ({ path }) => (path === '/space/user' ? emptyPage : await never()),
    ],
    ['nothing has been asked for long', 9_000, never],
  ] satisfies [string, number, Parameters<typeof openOn>[0]][])(
    'and %s, it is continued',
    async (_what, ms, send) => {
      const { ofRun } = await stoppedAfter(ms, send);
      expect(ofRun).toBe(over);
    },
  );
});

describe('closing', () => {
  it('waits for what is under way', async () => {
    const { workspace, clock } = slow();
    const call = workspace.contacts.comment(id(1), 'x');
    await clock.advance(100);
    await clock.run(workspace.close(10_000));
    expect(await call).toMatchObject({ kind: 'ok' });
    expect(clock.timers).toBe(0);
  });

  it('waits no longer than it was told', async () => {
    const { workspace, clock } = openOn(() => new Promise(() => undefined));
    const call = workspace.contacts.comment(id(1), 'x');
    call.catch(() => undefined);
    await clock.advance(100);
    const begun = clock.now();
    await clock.run(workspace.close(10_000));
    expect(clock.now() - begun).toBe(10_000);
  });
});

it('urgent requests go before others that wait for a connection', async () => {
  const { workspace, clock, seen } = slow(1);
  const calls = [
    workspace.contacts.read(id(1)),
    workspace.contacts.read(id(2)),
    workspace.contacts.read(id(3), { urgent: true }),
  ];
  await clock.run(Promise.all(calls));
  expect(seen).toEqual(['GET /contact/id:1', 'GET /contact/id:3', 'GET /contact/id:2']);
});
