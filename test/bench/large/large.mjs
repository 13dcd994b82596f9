// A dump and an NDJSON of 1 GB each, streamed through their source: how fast, and in how much memory.
import { createWriteStream, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { sourceFormats } from '../../../dist/sources/registry.js';
import { readAlone } from '../formats/read-alone.mjs';
import { writeFileOf } from '../formats/stream-file.mjs';
import { table } from '../formats/table.mjs';
import { dumpText } from './dump-text.mjs';
import { ndjsonText } from './ndjson-text.mjs';

const spare = 1e9;
const never = new AbortController().signal;

/** Writes into a folder within `parent`, and removes it afterwards. */
export async function benchLarge(parent = tmpdir(), gigabytes = 1) {
  const bytes = gigabytes * 1e9;
  const { bavail, bsize } = statfsSync(parent);
  if (bavail * bsize < 2 * bytes + spare)
    throw new Error(`${parent} has no room for ${2 * gigabytes + spare / 1e9} GB: name another folder.`);
  const folder = mkdtempSync(join(parent, 'longshore-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  console.log(`Streaming large inputs through their source, written into ${folder}`);
  try {
    const show = table(['input', 'GB', 'rows', 'inspect', 'read', 'MB/s', 'rows/s', 'peak MiB']);
    await measured('sql', dumpText, ({ contacts }) => contacts, { table: 'contacts' });
    await measured('ndjson', ndjsonText, ({ lines }) => lines, {});
    console.log('  (aim: under 250 MiB; MB/s is of the file, inspected and read)');

    async function measured(format, textOf, wanted, options) {
      const path = join(folder, `large.${format}`);
      const counts = {};
      await writeFileOf(path, textOf(bytes, counts));
      const size = statSync(path).size;
      const found = await readAlone({ format, path, options, folder });
      const { rows, broken, inspectSeconds, seconds, peakMiB } = found;
      if (rows !== wanted(counts) || broken > 0)
        throw new Error(`${format}: ${rows} rows and ${broken} broken ones of ${wanted(counts)}`);
      show([
        format,
        (size / 1e9).toFixed(2),
        rows.toLocaleString('en-US'),
        `${inspectSeconds.toFixed(1)} s`,
        `${seconds.toFixed(1)} s`,
        (size / 1e6 / ((inspectSeconds + seconds) / 2)).toFixed(0),
        Math.round(rows / seconds).toLocaleString('en-US'),
        peakMiB === null ? '?' : peakMiB.toFixed(0),
      ]);
      const csv = join(folder, 'same.csv');
      await writeCsv(csv, format, path, options, folder);
      rmSync(path);
      const bare = await readAlone({ format: null, path: csv, folder });
      if (bare.rows !== rows) throw new Error(`csv-parse gives ${bare.rows} rows of ${rows}`);
      show([
        '  csv-parse on its rows',
        (statSync(csv).size / 1e9).toFixed(2),
        bare.rows.toLocaleString('en-US'),
        '',
        `${bare.seconds.toFixed(1)} s`,
        (statSync(csv).size / 1e6 / bare.seconds).toFixed(0),
        Math.round(bare.rows / bare.seconds).toLocaleString('en-US'),
        bare.peakMiB === null ? '?' : bare.peakMiB.toFixed(0),
      ]);
      rmSync(csv);
    }
  } finally {
    remove();
  }
}

/** The same rows as a CSV, for csv-parse: every column of the input, in each row. */
async function writeCsv(path, format, source, options, folder) {
  const input = sourceFormats
    .find(({ name }) => name === format)
    .open(options, { path: source, spoolDir: join(folder, 'spool') });
  const { columns } = await input.inspect(never);
  const records = async function* () {
    yield columns;
    for await (const batch of input.read(0, never))
      for (const row of batch) yield columns.map((column) => row.cell(column) ?? '');
  };
  await pipeline(Readable.from(records()), stringify(), createWriteStream(path));
}
