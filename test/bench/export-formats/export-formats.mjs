// Rows/s and peak memory of every format of exports on the same contacts, beside csv-stringify alone.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { exporters } from '../../../dist/exporters/registry.js';
import { table } from '../formats/table.mjs';
import { columns } from './contacts.mjs';

const writer = fileURLToPath(new URL('write-alone.mjs', import.meta.url));

export async function benchExportFormats(count = 200_000) {
  console.log(
    `Writing ${count.toLocaleString('en-US')} contacts with ${columns.length} columns, each line in a process of its own`,
  );
  const show = table(['writer', 'rows/s', 'of csv-stringify', 'peak MiB', 'file MiB']);
  const bare = await writeAlone(null, count);
  const line = (name, { seconds, peakMiB, fileMiB }) =>
    show([
      name,
      Math.round(count / seconds).toLocaleString('en-US'),
      (bare.seconds / seconds).toFixed(2),
      peakMiB === null ? '?' : peakMiB.toFixed(0),
      fileMiB.toFixed(0),
    ]);
  line('csv-stringify alone', bare);
  for (const { name } of exporters) line(name, await writeAlone(name, count));
}

/** Writes in one format of the registry, or by csv-stringify alone where that is null. */
async function writeAlone(format, count) {
  const job = JSON.stringify({ format, count });
  const { stdout } = await promisify(execFile)(process.execPath, [writer, job]);
  return JSON.parse(stdout);
}
