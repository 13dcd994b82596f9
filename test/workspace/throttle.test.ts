import { describe, expect, it } from 'vitest';
import { defaultWorkspaceLimits } from '../../src/workspace/index.ts';
import { Throttle, type ThrottleSlot } from '../../src/workspace/throttle.ts';
import { answer, emptyPage, openOn } from './open.ts';
import { windows } from './rate-windows.ts';
import { seeded } from './seeded.ts';
import { VirtualClock } from './virtual-clock.ts';

const { count, ms } = defaultWorkspaceLimits.perPath;
const seeds = [1, 2, 3, 4, 5];
const requests = 300;

interface Pace {
  readonly limited: number;
  readonly perSecond: number;
}

/** Asks for the same list many times over at once, of a server that counts in its own way and is late at random. */
async function paceAgainst(window: string, jitterMs: number, latencyMs: number, seed: number): Promise<Pace> {
  const random = seeded(seed);
  const allowed = windows[window]?.(count, ms, random.next() * ms);
  if (allowed === undefined) throw new Error(`no such window: ${window}`);
  const tally = { limited: 0, lastAt: 0 };
  const { workspace, clock } = openOn(async () => {
    await clock.sleep(latencyMs + random.next() * jitterMs);
    tally.lastAt = clock.exact;
    const within = allowed(clock.exact);
    await clock.sleep(latencyMs + random.next() * jitterMs);
    if (within) return emptyPage;
    tally.limited += 1;
    return answer(429, { code: 429, message: 'Too Many Requests' }, 1);
  });
  const begun = clock.exact;
  await clock.run(Promise.all(Array.from({ length: requests }, () => workspace.users.list({}))));
  await clock.run(workspace.close(0));
  return { limited: tally.limited, perSecond: (requests * 1000) / (tally.lastAt - begun) };
}

describe.each(Object.keys(windows))('against a %s', (window) => {
  it.each([0, 30, 300])('with %i ms of jitter it is never refused and loses no pace', async (jitterMs) => {
    for (const seed of seeds) {
      const pace = await paceAgainst(window, jitterMs, 0, seed);
      expect(pace.limited, `seed ${seed}`).toBe(0);
      expect(pace.perSecond, `seed ${seed}`).toBeGreaterThanOrEqual((0.95 * count) / (1 + jitterMs / 1000));
    }
  });

  it('a server that is far away, but evenly so, costs no pace', async () => {
    const pace = await paceAgainst(window, 10, 200, 1);
    expect(pace.limited).toBe(0);
    expect(pace.perSecond).toBeGreaterThanOrEqual(0.95 * count);
  });
});

function throttleOn(clock: VirtualClock): { throttle: Throttle; stop: AbortController } {
  const stop = new AbortController();
  return { throttle: new Throttle({ count, ms }, clock, stop.signal), stop };
}

/** Takes what must be free. */
function free(throttle: Throttle, key: string): ThrottleSlot {
  const slot = throttle.take(key, false);
  if (slot instanceof Promise) throw new Error('no slot was free');
  return slot;
}

describe('buckets', () => {
  it('a million different paths leave none behind, and never hold more than a few seconds of them', async () => {
    const clock = new VirtualClock();
    const { throttle } = throttleOn(clock);
    let most = 0;
    for (let path = 0; path < 1_000_000; path += 1) {
      const slot = free(throttle, `GET /contact/id:${path}`);
      throttle.sent(slot);
      throttle.answered(slot);
      if (path % 1_000 === 0) {
        await clock.advance(100);
        most = Math.max(most, throttle.size);
      }
    }
    expect(most).toBeLessThan(60_000);
    await clock.advance(10_000);
    expect(throttle.size).toBe(0);
    expect(clock.timers).toBe(0);
  });

  it('one whose answer is late is still there for its 429', async () => {
    const clock = new VirtualClock();
    const { throttle } = throttleOn(clock);
    // Now the jitter is known, and slots are free again without an answer.
    for (let path = 0; path < 20; path += 1) {
      const slot = free(throttle, `GET /contact/id:${path}`);
      throttle.sent(slot);
      throttle.answered(slot);
    }
    const late = free(throttle, 'GET /space/user');
    throttle.sent(late);
    await clock.advance(10_000);
    throttle.limited(late, 5_000);
    throttle.answered(late);
    const next = throttle.take('GET /space/user', false);
    expect(next).toBeInstanceOf(Promise);
    await clock.advance(6_000);
    await next;
  });

  it('one that is swept while a request is under way does not forget what was counted', async () => {
    const clock = new VirtualClock();
    const { throttle } = throttleOn(clock);
    const slots = Array.from({ length: count }, () => free(throttle, 'GET /slow'));
    for (const slot of slots) throttle.sent(slot);
    await clock.advance(30_000);
    const next = throttle.take('GET /slow', false);
    expect(next).toBeInstanceOf(Promise);
    for (const slot of slots) throttle.answered(slot);
    await expect(clock.run(Promise.resolve(next))).resolves.toBeDefined();
  });

  it('a late answer frees only its own place, not that of the request that took it over', async () => {
    const clock = new VirtualClock();
    const { throttle } = throttleOn(clock);
    // Twenty quick answers elsewhere: from now on no slot waits for a slow answer.
    for (let quick = 0; quick < 20; quick += 1) {
      const slot = free(throttle, `GET /quick/${quick}`);
      throttle.sent(slot);
      throttle.answered(slot);
    }
    const slow = Array.from({ length: count }, () => free(throttle, 'GET /one'));
    for (const slot of slow) throttle.sent(slot);
    await clock.advance(1_100);
    for (let taken = 0; taken < count; taken += 1) free(throttle, 'GET /one');
    for (const slot of slow) throttle.answered(slot);
    await clock.advance(1_500);
    expect(throttle.take('GET /one', false)).toBeInstanceOf(Promise);
  });

  it('serve in order, and one that is sent again comes first', async () => {
    const clock = new VirtualClock();
    const { throttle } = throttleOn(clock);
    const order: string[] = [];
    const go = async (name: string, front: boolean) => {
      const slot = await throttle.take('GET /one', front);
      throttle.sent(slot);
      order.push(name);
      throttle.answered(slot);
    };
    const held = Array.from({ length: count }, () => free(throttle, 'GET /one'));
    const all = [go('first', false), go('second', false), go('again', true)];
    for (const slot of held) throttle.answered(slot);
    await clock.run(Promise.all(all));
    expect(order).toEqual(['again', 'first', 'second']);
  });

  it('are apart: one that is limited holds up no other', async () => {
    const clock = new VirtualClock();
    const { throttle } = throttleOn(clock);
    const slot = free(throttle, 'GET /a');
    throttle.sent(slot);
    throttle.limited(slot, 60_000);
    throttle.answered(slot);
    expect(throttle.take('GET /b', false)).not.toBeInstanceOf(Promise);
    const waiting = Promise.resolve(throttle.take('GET /a', false));
    const begun = clock.now();
    await clock.run(waiting);
    expect(clock.now() - begun).toBeGreaterThanOrEqual(60_000);
  });

  it('a clock that is set back an hour does not stop them for an hour', async () => {
    const clock = new VirtualClock();
    const { throttle } = throttleOn(clock);
    for (let request = 0; request < count; request += 1) {
      const slot = free(throttle, 'GET /one');
      throttle.sent(slot);
      throttle.answered(slot);
    }
    clock.jump(-3_600_000);
    const begun = clock.now();
    await clock.run(Promise.resolve(throttle.take('GET /one', false)));
    expect(clock.now() - begun).toBeLessThan(2_000);
  });

  it('tell whoever waits when the run stops', async () => {
    const clock = new VirtualClock();
    const { throttle, stop } = throttleOn(clock);
    for (let request = 0; request < count; request += 1) free(throttle, 'GET /one');
    const waiting = Promise.resolve(throttle.take('GET /one', false));
    stop.abort(new Error('stopped'));
    await expect(waiting).rejects.toThrow('stopped');
    expect(clock.timers).toBe(0);
  });
});
