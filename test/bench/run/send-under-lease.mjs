// Sends requests under a lease, and prints the times (µs) from the last look at it until the system has the bytes.
// Usage: send-under-lease.mjs JSON, with baseUrl, requests, concurrency.
import { connect } from 'node:net';
import { computeLeaseEnd, JobProcessLease, machineClock } from '../../../dist/fleet/lease/lease-end.js';
import { parseBaseUrl } from '../../../dist/workspace/address.js';
import { systemClock } from '../../../dist/workspace/index.js';
import { createPoolTransport } from '../../../dist/workspace/pool-transport.js';

const { baseUrl, requests, concurrency } = JSON.parse(process.argv[2]);
const address = parseBaseUrl(baseUrl);
const times = [];
let lookedAt;
let handedAt;

function endOfLast() {
  if (handedAt !== undefined) times.push(Number(handedAt - lookedAt) / 1_000);
  handedAt = undefined;
}

const time = {
  monotonic() {
    endOfLast();
    lookedAt = process.hrtime.bigint();
    return machineClock.monotonic();
  },
  wall: machineClock.wall,
};

/** Notes when each write has returned: it hands the bytes to the system before that, as far as it takes them. */
async function watchWrites() {
  const url = new URL(baseUrl);
  const socket = connect(Number(url.port), url.hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  let prototype = socket._handle;
  while (!Object.hasOwn(prototype, 'writev')) prototype = Object.getPrototypeOf(prototype);
  for (const name of ['writev', 'writeBuffer', 'writeUtf8String', 'writeAsciiString', 'writeLatin1String']) {
    const write = prototype[name];
    prototype[name] = function noted(...of) {
      const result = write.apply(this, of);
      if (lookedAt !== undefined) handedAt = process.hrtime.bigint();
      return result;
    };
  }
  socket.destroy();
}

await watchWrites();
const lease = new JobProcessLease(computeLeaseEnd(3_600_000, machineClock), time);
const transport = createPoolTransport({
  ...{
    address,
    token: 'sandbox',
    connections: concurrency,
    connectMs: 5_000,
    clock: systemClock,
    leave: lease,
  },
});
const body = JSON.stringify({ firstName: 'Ada', custom_fields: [{ name: 'Note', value: 'x'.repeat(230) }] });
let next = 0;
async function lane() {
  while (next < requests) {
    const n = next;
    next += 1;
    const path = `/contact/create_or_update/email:ada${n}@example.com`;
    const { status } = await transport.send({ method: 'POST', path, query: '', body });
    if (status >= 500) throw new Error(`the server answered ${status}`);
  }
}
await Promise.all(Array.from({ length: concurrency }, lane));
endOfLast();
await transport.close();
if (times.length !== requests) throw new Error(`${times.length} times of ${requests} requests`);
times.sort((a, b) => a - b);
const at = (part) => times[Math.min(times.length - 1, Math.floor(part * times.length))];
process.stdout.write(JSON.stringify({ requests, p50: at(0.5), p99: at(0.99), most: at(1) }));
