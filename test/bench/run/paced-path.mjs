// As many reads of one path as the client's own pace lets through, against a sandbox that counts requests in each of three ways and
// is as late as `jitter`. Usage: paced-path.mjs JSON, with seconds and jitters.
import { startSandbox } from '../../../dist/sandbox/index.js';
import {
  defaultWorkspaceLimits,
  openWorkspace,
  systemClock,
  systemRandomness,
} from '../../../dist/workspace/index.js';

const { seconds, jitters } = JSON.parse(process.argv[2]);
const { count } = defaultWorkspaceLimits.perPath;
const cases = ['fixed', 'sliding', 'bucket'].flatMap((window) =>
  jitters.map((jitter) => ({ window, jitter })),
);

async function measure({ window, jitter }) {
  // Half of the latency passes before a request is counted, half before its answer leaves.
  const sandbox = await startSandbox({ window, faults: { latency: { min: 0, max: jitter } } });
  const stop = new AbortController();
  const workspace = openWorkspace({
    baseUrl: sandbox.baseUrl,
    token: 'sandbox',
    limits: defaultWorkspaceLimits,
    clock: systemClock,
    randomness: systemRandomness,
    signal: stop.signal,
  });
  const begun = performance.now();
  let answered = 0;
  let lastAt = begun;
  const lane = async () => {
    while (performance.now() - begun < seconds * 1_000) {
      await workspace.users.list({ limit: 1 });
      answered += 1;
      lastAt = performance.now();
    }
  };
  await Promise.all(Array.from({ length: 16 }, lane));
  const { limited } = workspace.requests()['GET /space/user'];
  await workspace.close(0);
  await sandbox.close();
  const possible = count / (1 + jitter / 1_000);
  return { window, jitter, share: (answered * 1_000) / (lastAt - begun) / possible, limited };
}

process.stdout.write(JSON.stringify(await Promise.all(cases.map(measure))));
