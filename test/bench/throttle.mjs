// The pace on one shared path over real HTTP, against a server that counts in each of three ways, with and without jitter.
// Needs a build. Usage: node test/bench/throttle.mjs [seconds]
import { startSandbox } from '../../dist/sandbox/index.js';
import { defaultLimits, openWorkspace, systemClock, systemRandomness } from '../../dist/workspace/index.js';

const seconds = Number(process.argv[2] ?? 15);
const { count } = defaultLimits.perPath;
const cases = ['fixed', 'sliding', 'bucket'].flatMap((window) =>
  [0, 30, 300].map((jitter) => ({ window, jitter })),
);

async function measure({ window, jitter }) {
  // Half of the latency passes before a request is counted, half before its answer leaves.
  const sandbox = await startSandbox({ window, faults: { latency: { min: 0, max: jitter } } });
  const stop = new AbortController();
  const workspace = openWorkspace({
    baseUrl: sandbox.baseUrl,
    token: 'sandbox',
    limits: defaultLimits,
    clock: systemClock,
    randomness: systemRandomness,
    signal: stop.signal,
  });
  const begun = performance.now();
  let answered = 0;
  let lastAt = begun;
  const lane = async () => {
    while (performance.now() - begun < seconds * 1000) {
      await workspace.users.list({ limit: 1 });
      answered += 1;
      lastAt = performance.now();
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  const { limited } = workspace.requests()['GET /space/user'];
  await workspace.close(0);
  await sandbox.close();
  const pace = (answered * 1000) / (lastAt - begun);
  const possible = count / (1 + jitter / 1000);
  return {
    window,
    jitter,
    'requests/s': pace.toFixed(2),
    'of what is possible': `${((100 * pace) / possible).toFixed(0)} %`,
    429: limited,
  };
}

console.table(await Promise.all(cases.map(measure)));
