import { script } from '../run/command.mjs';
import { withServer } from '../server/start-server.mjs';

const bareLoop = new URL('../peers/bare-loop.mjs', import.meta.url);
let found;

/**
 * The best concurrency of a server that takes any number at once: the one of those searched with which a bare loop of creates gets most
 * done. The last of them is the most that an import ever has in flight. Searched once.
 */
export function bestConcurrency({ latencyMs, searched }) {
  found ??= withServer({ latency: latencyMs }, async ({ origin }) => {
    const rates = {};
    for (const concurrency of searched) {
      const rows = Math.round((concurrency * 3_000) / latencyMs);
      const { result } = await script(bareLoop, { origin, rows, concurrency, requestsPerRow: 1 });
      rates[concurrency] = result.requests / result.seconds;
    }
    const best = searched.reduce((a, b) => (rates[b] > rates[a] ? b : a));
    return { best, rates };
  });
  return found;
}
