// Writes contacts in a process of its own, so that the peak of its memory is its own: in a format of the registry, by another
// tool, or by csv-stringify alone.
import { createWriteStream, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { findExporterByName } from '../../../dist/exporters/registry.js';
import { peers } from '../formats/peers.mjs';
import { columns, contactAt } from './contacts.mjs';

const page = 500;
const { format, peer, count } = JSON.parse(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), 'longshore-bench-'));
try {
  const begun = performance.now();
  if (peer !== undefined) await peers[peer].write(join(folder, 'contacts.csv'), cells());
  else if (format === null) await byCsvStringify();
  else await byFormat();
  const seconds = (performance.now() - begun) / 1000;
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  process.stdout.write(JSON.stringify({ seconds, fileMiB: bytes / 2 ** 20, peakMiB: peakMiB() }));
} finally {
  rmSync(folder, { recursive: true });
}

async function byFormat() {
  const tables = [{ kind: 'contacts', columns }];
  const writer = await findExporterByName(format).open({ folder, tables, options: {} });
  for (let from = 0; from < count; from += page) await writer.write('contacts', pageAt(from));
  await writer.finish();
}

async function byCsvStringify() {
  const out = createWriteStream(join(folder, 'contacts.csv'), { flush: true });
  await pipeline(Readable.from(cells()), stringify(), out);
}

function* cells() {
  yield columns.map(({ name }) => name);
  for (let from = 0; from < count; from += page) {
    for (const { normal } of pageAt(from)) {
      yield columns.map(({ path }) => String(path.reduce((value, step) => value?.[step], normal) ?? ''));
    }
  }
}

function pageAt(from) {
  return Array.from({ length: Math.min(page, count - from) }, (_, index) => contactAt(from + index));
}

function peakMiB() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024;
  } catch {
    return null; // not on this system
  }
}
