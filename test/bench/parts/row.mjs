import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figure } from '../report.mjs';
import { node, withFolder } from '../run/command.mjs';
import { writePipeline } from '../run/import.mjs';
import { readStages } from '../run/stages.mjs';
import { withServer } from '../server/start-server.mjs';

// Not the bundle: a profile of that does not say which module a call is in. Its flag is set by src/cli/load.ts.
const command = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const profiler = new URL('../run/profile.mjs', import.meta.url).href;

/** What is imported, and the most microseconds of a row (of a request, for a full import). */
const imports = [
  { name: 'new row, exclusive', atMost: 300, policy: { workspace: 'exclusive' } },
  { name: 'new row, shared', atMost: 450, policy: { workspace: 'shared' } },
  { name: 'request of a full import', atMost: 150, policy: { lookup: 'single' }, mapping: 'full' },
];

/** Where the processor time of an import goes, by stage of a row's way; answers take no time. */
export async function measureRow(size) {
  const figures = [];
  for (const each of imports) figures.push(...(await measureStages(each, size.processor)));
  return figures;
}

async function measureStages({ name, atMost, policy, mapping }, { rows, fullRows }) {
  const count = mapping === undefined ? rows : fullRows;
  const { ms, cpuMs, sent } = await withFolder((folder) =>
    withServer(mapping === undefined ? {} : { people: 'everybody' }, async ({ origin }) => {
      const limits = { concurrency: 'auto', ...(mapping === undefined && { settle: '0s' }) };
      const pipeline = await writePipeline({ folder, rows: count, name: 'row', limits, policy, mapping });
      const where = ['--workspace', `${origin}/v1`, '--work-dir', join(folder, 'row'), '--json'];
      const profile = join(folder, 'profile.json');
      const flags = ['--heap-growing-percent=40', '--import', profiler];
      const ended = await node([...flags, command, 'import', pipeline, ...where], {
        env: { BENCH_PROFILE: profile },
      });
      const requests = Object.values(JSON.parse(ended.output).requests);
      return {
        ms: readStages(profile),
        cpuMs: ended.cpuMs,
        sent: requests.reduce((sum, each) => sum + each.sent, 0),
      };
    }),
  );
  const of = mapping === undefined ? count : sent;
  const micro = (value) => (value * 1_000) / of;
  const busy = Object.values(ms).reduce((sum, value) => sum + value, 0);
  return [
    figure({
      name: `${name}: all threads`,
      rounds: [micro(cpuMs)],
      unit: ' µs',
      digits: 0,
      atMost,
      note: `under the profiler, start and end of the process included; the main thread ${micro(busy).toFixed(0)} µs, in stages:`,
    }),
    ...Object.entries(ms).map(([stage, value]) =>
      figure({ name: `${name}: ${stage}`, rounds: [micro(value)], unit: ' µs', digits: 0 }),
    ),
  ];
}
