import { describe, expect, it } from 'vitest';
import { backoffForQueuedRequest, createBackoffForNewContact, pollUntil } from '../../src/workspace/index.ts';
import { VirtualClock } from './virtual-clock.ts';

/** Asks on a virtual clock; gives the milliseconds at which it asked. */
async function asking(
  { pauses, total }: { readonly pauses: readonly number[]; readonly total: number },
  options: { readonly since?: number; readonly answerAt?: number; readonly slow?: number } = {},
): Promise<{ readonly answer: string | undefined; readonly asked: number[] }> {
  const clock = new VirtualClock();
  const begun = clock.now();
  const asked: number[] = [];
  const answer = await clock.run(
    pollUntil(
      { clock, signal: new AbortController().signal },
      async () => {
        asked.push(clock.now() - begun);
        if (options.slow !== undefined) await clock.sleep(options.slow);
        return clock.now() - begun >= (options.answerAt ?? Number.POSITIVE_INFINITY) ? 'here' : undefined;
      },
      (here) => (here === undefined ? { pauses, until: begun + (options.since ?? 0) + total } : undefined),
    ),
  );
  return { answer, asked };
}

describe('asking until there is an answer', () => {
  it('for a new contact: from 250 ms, doubling to 5 s, for two minutes, the last time when they are over', async () => {
    const { answer, asked } = await asking(createBackoffForNewContact(120_000));
    expect(answer).toBeUndefined();
    expect(asked.slice(0, 8)).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 12_750, 17_750]);
    expect(asked.at(-1)).toBe(120_000);
  });

  it('for a queued request: from 2 s, each wait as long as all before up to a minute, for a quarter of an hour', async () => {
    const { asked } = await asking(backoffForQueuedRequest);
    expect(asked.slice(0, 9)).toEqual([0, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 124_000, 184_000]);
    expect(asked.at(-1)).toBe(900_000);
  });

  it('ends with the answer', async () => {
    expect(await asking(createBackoffForNewContact(120_000), { answerAt: 700 })).toEqual({
      answer: 'here',
      asked: [0, 250, 750],
    });
  });

  it('takes the time from the moment it counts from', async () => {
    const { asked } = await asking(createBackoffForNewContact(10_000), { since: -9_000 });
    expect(asked).toEqual([0, 250, 750, 1_000]);
  });

  it('asks once where the time is over already', async () => {
    expect(await asking(createBackoffForNewContact(10_000), { since: -20_000 })).toEqual({
      answer: undefined,
      asked: [0],
    });
    expect(await asking({ pauses: [1], total: 0 })).toEqual({ answer: undefined, asked: [0] });
  });

  it('believes no question that was asked before the time was over, however late its answer came', async () => {
    const { asked } = await asking(createBackoffForNewContact(1_000), { slow: 5_000 });
    expect(asked).toEqual([0, 5_000]);
  });

  it('stops with the reason of the signal', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const wait = { ...backoffForQueuedRequest, until: clock.now() + backoffForQueuedRequest.total };
    const waiting = pollUntil(
      { clock, signal: stop.signal },
      async () => {
        if (clock.timers === 0) stop.abort(new Error('enough'));
      },
      () => wait,
    );
    await expect(clock.run(waiting)).rejects.toThrow('enough');
  });
});
