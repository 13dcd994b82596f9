import { describe, expect, it } from 'vitest';
import { ContactLockQueue } from '../../../../src/app/import/person/turns.ts';

/** Whether a promise has been settled by now, and everything that needs no time has happened. */
async function isReady(ready: Promise<unknown> | undefined): Promise<boolean> {
  if (ready === undefined) return true;
  const pending = Symbol();
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([ready, Promise.resolve(pending)])) !== pending;
}

describe('a turn at a contact', () => {
  it('comes at once, and what was read before is fresh, where nobody is there', async () => {
    const turns = new ContactLockQueue();
    const since = turns.version();
    const turn = turns.take([7], since);
    expect(await isReady(turn.ready)).toBe(true);
    expect(turn.stale).toBe(false);
  });

  it('comes when those before it have left, one after the other, and what was read before is stale', async () => {
    const turns = new ContactLockQueue();
    const since = turns.version();
    const [first, second, third] = [turns.take([7], since), turns.take([7], since), turns.take([7], since)];
    expect([second.stale, third.stale]).toEqual([true, true]);
    expect(await isReady(second.ready)).toBe(false);
    first.leave();
    expect([await isReady(second.ready), await isReady(third.ready)]).toEqual([true, false]);
    second.leave();
    expect(await isReady(third.ready)).toBe(true);
  });

  it('does not wait for those at other contacts', async () => {
    const turns = new ContactLockQueue();
    turns.take([7], turns.version());
    const turn = turns.take([8, 9], turns.version());
    expect([await isReady(turn.ready), turn.stale]).toEqual([true, false]);
  });

  it('at several contacts waits for all of them, and holds all of them', async () => {
    const turns = new ContactLockQueue();
    const since = turns.version();
    const [seven, eight] = [turns.take([7], since), turns.take([8], since)];
    const both = turns.take([7, 8], since);
    const after = turns.take([8], since);
    seven.leave();
    expect(await isReady(both.ready)).toBe(false);
    eight.leave();
    expect([await isReady(both.ready), await isReady(after.ready)]).toEqual([true, false]);
    both.leave();
    expect(await isReady(after.ready)).toBe(true);
  });

  it('finds stale what was read before somebody left, and fresh what was read after', () => {
    const turns = new ContactLockQueue();
    const before = turns.version();
    turns.take([7], before).leave();
    expect(turns.take([8], before).stale).toBe(false);
    expect(turns.take([7], before).stale).toBe(true);
    const later = new ContactLockQueue();
    later.take([7], later.version()).leave();
    expect(later.take([7], later.version()).stale).toBe(false);
  });

  it('takes what was read before the longest memory for stale, and never the other way round', () => {
    const turns = new ContactLockQueue();
    const before = turns.version();
    for (let contact = 1; contact <= 20_001; contact += 1) turns.take([contact], before).leave();
    // Contact 1 is forgotten, so everybody counts as changed who was read before it was left.
    expect(turns.take([99_999], before).stale).toBe(true);
    expect(turns.take([99_998], turns.version()).stale).toBe(false);
    expect(turns.take([20_001], before).stale).toBe(true);
  });
});
