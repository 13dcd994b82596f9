// Rows/s and peak memory of every source format of the registry on the same rows, beside csv-parse and other tools on them as CSV.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sourceFormats } from '../../../dist/sources/registry.js';
import { isInstalled, peers } from './peers.mjs';
import { columns } from './people.mjs';
import { readAlone } from './read-alone.mjs';
import { table } from './table.mjs';
import { gzippedCsv, writers } from './writers.mjs';

export async function benchFormats(count = 200_000) {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-bench-'));
  console.log(
    `Reading ${count.toLocaleString('en-US')} people with ${columns.length} columns, each line in a process of its own`,
  );
  try {
    const plain = await written('csv', writers.csv, folder, count);
    const bare = await readAlone({ format: null, path: plain, folder });
    const show = table(['reader', 'inspect', 'rows/s', 'of csv-parse', 'peak MiB']);
    const line = (name, { inspectSeconds, rows, broken, seconds, peakMiB }) => {
      if (rows !== count || broken > 0) throw new Error(`${name}: ${rows} rows and ${broken} broken ones`);
      show([
        name,
        inspectSeconds === null ? '' : `${inspectSeconds.toFixed(1)} s`,
        Math.round(rows / seconds).toLocaleString('en-US'),
        (bare.seconds / seconds).toFixed(2),
        peakMiB === null ? '?' : peakMiB.toFixed(0),
      ]);
    };
    line('csv-parse alone', bare);
    for (const [peer, tool] of Object.entries(peers)) {
      if (isInstalled(tool.package)) line(peer, await readAlone({ format: null, peer, path: plain, folder }));
      else show([peer, `not measured: npm install --no-save ${tool.package}`]);
    }
    for (const { name } of sourceFormats) {
      const writer = writers[name] ?? 'test/bench/formats/writers.mjs writes none';
      if (typeof writer === 'string') show([name, `not measured: ${writer}`]);
      else {
        const path = name === 'csv' ? plain : await written(name, writer, folder, count);
        line(name, await readAlone({ format: name, path, options: writer.options, folder }));
        if (name !== 'csv') rmSync(path, { recursive: true });
      }
    }
    const packed = await written('csv', gzippedCsv, folder, count);
    line('csv-parse, gzipped', await readAlone({ format: null, path: packed, folder }));
    line('csv, gzipped', await readAlone({ format: 'csv', path: packed, folder }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function written(name, { extension, write }, folder, count) {
  const path = join(folder, `${name}.${extension}`);
  await write(path, count);
  return path;
}
