import { figure, rounded } from '../report.mjs';
import { script } from '../run/command.mjs';
import { withServer } from '../server/start-server.mjs';

const send = new URL('../run/send-under-lease.mjs', import.meta.url);

/**
 * The time between the last look at a lease, from before its clock is read, and the moment that the operating system has the
 * bytes of the request: what a machine may still send when it is stopped in between.
 */
export async function measureWindow({ window }) {
  return await withServer({ latency: 0 }, async ({ origin }) => {
    const { result } = await script(send, { baseUrl: `${origin}/v1`, ...window });
    const { requests, p50, p99, most } = result;
    const note = `${rounded(requests)} POSTs with a body of 300 bytes, ${window.concurrency} at once`;
    return [
      figure({ name: 'between lease and socket, median', value: p50, unit: ' µs', digits: 1, note }),
      figure({ name: 'between lease and socket, 99 of 100', value: p99, unit: ' µs', digits: 1 }),
      figure({ name: 'between lease and socket, longest', value: most, unit: ' µs', digits: 1 }),
    ];
  });
}
