import { expect, it } from 'vitest';
import { CurrentWaitTracker } from '../../src/workspace/wait-notices.ts';

const waiting = { kind: 'waiting', reason: 'asked for a wait', until: 1_000 } as const;
const paused = { kind: 'paused', silentMs: 60_000, message: 'no answer', until: 5_000 } as const;

it('a wait is over at its time, and with the first good answer before', () => {
  const wait = new CurrentWaitTracker();
  expect(wait.at(0, 0)).toBeUndefined();
  wait.take(waiting, 7);
  expect(wait.at(999, 7)).toEqual(waiting);
  expect(wait.at(1_000, 7)).toBeUndefined();
  expect(wait.at(10, 8)).toBeUndefined();
});

it('a pause lasts until it is said to be over, whatever arrives late', () => {
  const wait = new CurrentWaitTracker();
  wait.take(paused, 7);
  wait.take({ kind: 'warning', text: 'something else' }, 7);
  expect(wait.at(10, 9)).toEqual({ kind: 'paused', reason: 'no answer', until: 5_000 });
  wait.take({ kind: 'resumed', silentMs: 70_000 }, 9);
  expect(wait.at(10, 9)).toBeUndefined();
});
