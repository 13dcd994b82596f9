// npm run bench: an import against a bare loop of the same requests and its memory, the pace on one path, every input format, every format of
// exports, and exports of 5,000 and 200,000 contacts (seven minutes, at the pace of the contact list).
// `npm run bench -- 5000` measures the import alone, with so many rows; `-- import`, `-- plan`, `-- concurrency`, `-- throttle`, `-- formats [rows]`, `-- export-formats [rows]`,
// `-- export [CONTACTS MESSAGES_EACH] [JITTER_MS]` one part alone,
// and only when asked for `-- large [FOLDER] [GB]`: a dump and an NDJSON of 1 GB, written into that folder and removed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchConcurrency } from './concurrency.mjs';
import { benchExport } from './export.mjs';
import { benchExportFormats } from './export-formats/export-formats.mjs';
import { benchFormats } from './formats/formats.mjs';
import { benchImport } from './import.mjs';
import { benchLarge } from './large/large.mjs';
import { benchPlan } from './plan.mjs';

const [part, ...more] = process.argv.slice(2);
const parts = {
  import: () => benchImport(),
  plan: benchPlan,
  concurrency: () => benchConcurrency(),
  throttle: benchThrottle,
  formats: (rows) => benchFormats(rows === undefined ? undefined : Number(rows)),
  'export-formats': (rows) => benchExportFormats(rows === undefined ? undefined : Number(rows)),
  export: (contacts, each, jitter) =>
    benchExport({
      ...(contacts !== undefined && { sizes: [[Number(contacts), Number(each ?? 3)]] }),
      jitter: Number(jitter ?? 0),
    }),
  large: (folder, gigabytes) => benchLarge(folder, gigabytes === undefined ? undefined : Number(gigabytes)),
};

if (part === undefined) {
  await benchImport();
  console.log('');
  benchThrottle();
  console.log('');
  await benchFormats();
  console.log('');
  await benchExportFormats();
  console.log('');
  await benchExport();
} else if (/^\d+$/.test(part)) {
  await benchImport({ compareRows: Number(part), memoryRows: [Number(part)], rounds: 1 });
} else if (Object.hasOwn(parts, part)) {
  await parts[part](...more);
} else {
  console.error(
    `There is no part "${part}": ${Object.keys(parts).join(', ')}, or a number of rows to import.`,
  );
  process.exitCode = 2;
}

function benchThrottle() {
  console.log('Pace on one path over real HTTP');
  const script = fileURLToPath(new URL('throttle.mjs', import.meta.url));
  spawnSync(process.execPath, [script], { stdio: 'inherit' });
}
