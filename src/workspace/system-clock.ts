import { performance } from 'node:perf_hooks';
import type { Clock, Randomness } from '../model/ports.ts';

/** The longest wait (ms) of a Node timer; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const wake = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(Math.max(ms, 0), longestTimer));
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
    }),
  worked: () => performance.eventLoopUtilization().active,
};

/** The random numbers of `Math.random`. */
export const systemRandomness: Randomness = { next: () => Math.random() };
