// Requests/s of the client that finds out how many may be under way at once, against the best fixed number, over real HTTP: a
// server that works on 40 or 200 at once and lets the others wait, one that refuses more than 40, and one that slows down.
import { createServer } from 'node:http';
import { defaultLimits, openWorkspace, systemClock, systemRandomness } from '../../dist/workspace/index.js';

const contact = JSON.stringify({ code: 404, message: 'Contact not found' });
const jittered = (ms) => ms * (0.5 + Math.random());

/** Each answers by `send(status)`, `underWay` requests being there. */
const servers = {
  'works on 40 at once': () => workers(40),
  'works on 200 at once': () => workers(200),
  'refuses more than 40': () => (send, underWay) =>
    underWay > 40 ? send(429) : setTimeout(send, jittered(200), 404),
  'slows down under load': () => (send, underWay) =>
    setTimeout(send, jittered(100) * (1 + (underWay / 80) ** 2), 404),
};

function workers(most) {
  const line = [];
  let working = 0;
  const work = (send) => {
    working += 1;
    setTimeout(() => {
      working -= 1;
      send(404);
      const next = line.shift();
      if (next !== undefined) work(next);
    }, jittered(200));
  };
  return (send) => (working < most ? work(send) : line.push(send));
}

export async function benchConcurrency({ fixed = [16, 32, 40, 64, 128, 200, 320] } = {}) {
  console.log(
    'Requests/s where it is found out how many at once, against the best fixed number   (aim: 0.90)',
  );
  for (const [name, answering] of Object.entries(servers)) {
    const rates = [];
    for (const concurrency of fixed)
      rates.push({ concurrency, ...(await measure(answering(), concurrency)) });
    const best = rates.reduce((most, each) => (each.perSecond > most.perSecond ? each : most));
    const auto = await measure(answering(), 'auto');
    const share = (auto.perSecond / best.perSecond).toFixed(2);
    console.log(
      `  ${name.padEnd(22)} ${auto.perSecond.toFixed(0)}/s at ${auto.found ?? 'no number yet'}, best ${best.perSecond.toFixed(0)}/s at ${best.concurrency}: ${share}; refused ${auto.refused}, best ${best.refused}`,
    );
  }
}

/** Reads different contacts for 15 s, and counts those of the last 10. */
async function measure(answering, concurrency) {
  let [underWay, refused] = [0, 0];
  const server = createServer((request, response) => {
    request.resume();
    underWay += 1;
    answering((status) => {
      underWay -= 1;
      if (status === 429) refused += 1;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(status === 429 && { 'retry-after': '1' }),
      });
      response.end(contact);
    }, underWay);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const workspace = openWorkspace({
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    token: 'bench',
    limits: { ...defaultLimits, concurrency },
    clock: systemClock,
    randomness: systemRandomness,
    signal: new AbortController().signal,
  });
  const startedAt = performance.now();
  let [id, counted] = [0, 0];
  const worker = async () => {
    for (;;) {
      const seconds = (performance.now() - startedAt) / 1_000;
      if (seconds > 15) return;
      id += 1;
      await workspace.contacts.read({ kind: 'id', value: String(id) });
      if (seconds > 5) counted += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency === 'auto' ? 512 : concurrency }, worker));
  const perSecond = counted / ((performance.now() - startedAt) / 1_000 - 5);
  const found = workspace.concurrencyFound();
  await workspace.close(0);
  server.close();
  return { perSecond, found, refused };
}
