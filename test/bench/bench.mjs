// npm run bench: every figure of docs/performance.md in one sitting, as a table and in bench.json. See usage below.
import { parseArgs } from 'node:util';
import { benchLarge } from './large/large.mjs';
import { measureAdaptive } from './parts/adaptive.mjs';
import { measureExport } from './parts/export.mjs';
import { measureFaults } from './parts/faults.mjs';
import { benchFiles } from './parts/files.mjs';
import { measureFleet } from './parts/fleet.mjs';
import { measureNight } from './parts/fleet-night.mjs';
import { measureFleetSize } from './parts/fleet-size.mjs';
import { measureWindow } from './parts/fleet-window.mjs';
import { benchFormats } from './parts/formats.mjs';
import { measureMemory } from './parts/memory.mjs';
import { measureMessages } from './parts/messages.mjs';
import { measureNewRows } from './parts/new-rows.mjs';
import { measurePeers } from './parts/peers.mjs';
import { benchPlan } from './parts/plan.mjs';
import { measureProcessor } from './parts/processor.mjs';
import { measureRequests } from './parts/requests.mjs';
import { measureResume } from './parts/resume.mjs';
import { measureRow } from './parts/row.mjs';
import { measureStart } from './parts/start.mjs';
import { benchStudio } from './parts/studio.mjs';
import { measureThrottle } from './parts/throttle.mjs';
import { measureWorkDir } from './parts/work-dir.mjs';
import { printFigures, writeFigures } from './report.mjs';
import { sizes } from './sizes.mjs';

const usage = `npm run bench -- [PART ...] [--quick] [--out FILE] [--folder FOLDER]

Without a part: all of the first list, in about thirteen minutes.`;

/** The figures, each part of them by itself. */
const parts = {
  requests: measureRequests,
  'new-rows': measureNewRows,
  adaptive: measureAdaptive,
  processor: measureProcessor,
  memory: measureMemory,
  peers: measurePeers,
  faults: measureFaults,
  messages: measureMessages,
  export: measureExport,
  throttle: measureThrottle,
  resume: measureResume,
  start: measureStart,
};

/** What is measured only when it is asked for: it takes long, or is of another kind. */
const apart = {
  fleet: measureFleet,
  'fleet-window': measureWindow,
  'fleet-night': measureNight,
  'fleet-size': measureFleetSize,
  'large-imports': (size) => measureMemory({ ...size, memory: size.large }),
  'large-exports': (size) => measureExport({ ...size, export: size.large }),
  'large-work-dirs': (size) => measureWorkDir({ ...size, workDir: size.large.workDir }),
  'large-inputs': (size, { folder }) => benchLarge(folder, size.large.gigabytes),
  files: benchFiles,
  formats: benchFormats,
  plan: benchPlan,
  row: measureRow,
  studio: benchStudio,
  'work-dir': measureWorkDir,
};

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    out: { type: 'string', default: 'bench.json' },
    folder: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const all = { ...parts, ...apart };
const unknown = positionals.filter((name) => !Object.hasOwn(all, name));
if (values.help === true || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no part ${unknown.join(', ')}.\n`);
  console.error(`${usage}\n  ${Object.keys(parts).join(', ')}\nApart: ${Object.keys(apart).join(', ')}`);
  process.exitCode = unknown.length > 0 ? 2 : 0;
} else await run(positionals.length === 0 ? Object.keys(parts) : positionals);

async function run(names) {
  const begun = performance.now();
  const figures = [];
  for (const name of names) {
    const since = performance.now();
    const measured = (await all[name](values.quick ? sizes.quick : sizes.usual, values)) ?? [];
    figures.push(...measured.map((figure) => ({ part: name, ...figure })));
    console.error(`${name}: measured in ${((performance.now() - since) / 1_000).toFixed(0)} s`);
    // After each part: who stops it keeps what was measured.
    writeFigures(values.out, figures, { quick: values.quick, seconds: (performance.now() - begun) / 1_000 });
  }
  if (figures.length > 0) printFigures(figures);
}
