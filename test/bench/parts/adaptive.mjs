import { figure, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { allCreated, importPeople } from '../run/import.mjs';
import { withServer } from '../server/start-server.mjs';

/** Servers that take only so much; `most` is what they take a second, in requests at once. */
const servers = [
  { name: 'takes 40 at once', kind: 'queues', at: 40, most: 40, fixed: [32, 40, 64] },
  { name: 'takes 200 at once', kind: 'queues', at: 200, most: 200, fixed: [128, 200, 256] },
  {
    name: 'slows down with more than 100',
    kind: 'slows',
    at: 100,
    most: 100,
    fixed: [64, 90, 100, 110],
  },
  { name: 'refuses more than 40 with 429', kind: 'limits', at: 40, most: 40, fixed: [32, 40, 48] },
];

/** Rows a second with `concurrency: auto`, its start included, against the best of fixed numbers, found by the import itself. */
export async function measureAdaptive(size) {
  const { autoSeconds, fixedSeconds } = size.adaptive;
  const figures = [];
  for (const { name, kind, at, most, fixed } of servers) {
    const perSecond = (most * 1_000) / size.latencyMs;
    const server = { latency: size.latencyMs, kind, at };
    const measure = (concurrency, seconds) => rateOf(server, concurrency, Math.ceil(seconds * perSecond));
    const rates = {};
    for (const concurrency of fixed) rates[concurrency] = (await measure(concurrency, fixedSeconds)).rate;
    const best = fixed.reduce((a, b) => (rates[b] > rates[a] ? b : a));
    const auto = await measure('auto', autoSeconds);
    const each = fixed.map((concurrency) => `${concurrency}: ${rounded(rates[concurrency])}/s`).join(', ');
    figures.push(
      figure({
        name: `server that ${name}: auto ÷ best fixed concurrency`,
        rounds: [auto.rate / rates[best]],
        atLeast: 0.95,
        note: `auto ${rounded(auto.rate)} rows/s, ${auto.limited} answers 429, at most ${auto.peak} in flight; fixed ${each}`,
      }),
    );
  }
  return figures;
}

/** Rows a second while requests were answered: what the command takes to start and to end is the same for all. */
async function rateOf(server, concurrency, rows) {
  return await withFolder(async (folder) => {
    return await withServer(server, async ({ origin, counts }) => {
      const limits = { concurrency, settle: '0s' };
      const settings = { folder, origin, rows, name: 'load', limits, policy: { workspace: 'exclusive' } };
      allCreated(await importPeople(settings), rows);
      const { firstCreateAt, lastCreateAt, limited, peak } = await counts();
      return { rate: (rows * 1_000) / (lastCreateAt - firstCreateAt), limited, peak };
    });
  });
}
