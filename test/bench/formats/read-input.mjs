// Reads one input in a process of its own, so that the peak of its memory is its own: by a format of the registry, by another tool,
// or by csv-parse alone.
import { createReadStream, readFileSync } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { parse } from 'csv-parse';
import { sourceFormats } from '../../../dist/sources/registry.js';
import { peers } from './peers.mjs';

const { format, peer, path, options, spoolDir } = JSON.parse(process.argv[2]);
const read = peer !== undefined ? await byPeer() : format === null ? await byCsvParse() : await byFormat();
process.stdout.write(JSON.stringify({ ...read, peakMiB: peakMiB() }));

async function byFormat() {
  const source = sourceFormats.find(({ name }) => name === format).open(options, { path, spoolDir });
  const never = new AbortController().signal;
  const begun = performance.now();
  const { items, columns, notes } = await source.inspect(never);
  const inspected = performance.now();
  let [rows, broken, characters] = [0, 0, 0];
  for await (const batch of source.read(0, never)) {
    for (const item of batch) {
      if (item.kind === 'row') {
        rows += 1;
        characters += charactersOf(item, columns);
      } else broken += 1;
    }
  }
  const seconds = (performance.now() - inspected) / 1000;
  if (rows + broken !== items) throw new Error(`${items} items were counted, ${rows + broken} read`);
  return { rows, broken, characters, inspectSeconds: (inspected - begun) / 1000, seconds, notes };
}

/** Looks at every cell, as a mapping does. */
function charactersOf(row, columns) {
  let characters = 0;
  if (columns === null) for (const [, cell] of row.entries()) characters += cell?.length ?? 0;
  else for (const column of columns) characters += row.cell(column)?.length ?? 0;
  return characters;
}

async function byCsvParse() {
  const begun = performance.now();
  const file = createReadStream(path);
  const text = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  let [rows, characters] = [-1, 0];
  for await (const record of text.pipe(parse())) {
    rows += 1;
    for (const cell of record) characters += cell.length;
  }
  return { rows, broken: 0, characters, inspectSeconds: null, seconds: (performance.now() - begun) / 1000 };
}

async function byPeer() {
  const begun = performance.now();
  let [rows, characters] = [-1, 0];
  await peers[peer].read(path, (record) => {
    rows += 1;
    for (const cell of record) characters += cell?.length ?? 0;
  });
  return { rows, broken: 0, characters, inspectSeconds: null, seconds: (performance.now() - begun) / 1000 };
}

function peakMiB() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    return null; // not on this system
  }
}
