// Rows/s and peak memory of every format of exports on the same contacts, beside csv-stringify and other tools alone.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exporters } from '../../../dist/exporters/registry.js';
import { isInstalled, peers } from '../formats/peers.mjs';
import { table } from '../formats/table.mjs';
import { columns } from './contacts.mjs';

const writer = fileURLToPath(new URL('write-alone.mjs', import.meta.url));

export async function benchExportFormats(count = 200_000) {
  console.log(
    `Writing ${count.toLocaleString('en-US')} contacts with ${columns.length} columns, each line in a process of its own`,
  );
  const show = table(['writer', 'rows/s', 'of csv-stringify', 'peak MiB', 'file MiB']);
  const bare = await writeAlone({ format: null, count });
  const line = (name, { seconds, peakMiB, fileMiB }) =>
    show([
      name,
      Math.round(count / seconds).toLocaleString('en-US'),
      (bare.seconds / seconds).toFixed(2),
      peakMiB === null ? '?' : peakMiB.toFixed(0),
      fileMiB.toFixed(0),
    ]);
  line('csv-stringify alone', bare);
  for (const [peer, tool] of Object.entries(peers)) {
    if (tool.write === undefined) continue;
    if (isInstalled(tool.package)) line(peer, await writeAlone({ format: null, peer, count }));
    else show([peer, `not measured: npm install --no-save ${tool.package}`]);
  }
  for (const { name } of exporters) line(name, await writeAlone({ format: name, count }));
}

/** Writes in one format of the registry, by a peer, or by csv-stringify alone where the format is null. */
async function writeAlone(job) {
  const { stdout } = await promisify(execFile)(process.execPath, [writer, JSON.stringify(job)]);
  return JSON.parse(stdout);
}
