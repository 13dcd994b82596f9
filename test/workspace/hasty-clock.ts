import type { Clock } from '../../src/model/ports.ts';
import { defaultWorkspaceLimits, systemClock } from '../../src/workspace/index.ts';

/** A clock that runs a hundred times as fast: for waits of seconds against a real server. */
export function hastyClock(): Clock {
  const begun = systemClock.now();
  const times = 100;
  return {
    now: () => begun + (systemClock.now() - begun) * times,
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
  };
}

/** The usual limits for it, but for the time of an answer: the server does not run a hundred times as fast. */
export const hastyLimits = { ...defaultWorkspaceLimits, answerMs: 100 * defaultWorkspaceLimits.answerMs };
