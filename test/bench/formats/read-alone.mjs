import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const reader = fileURLToPath(new URL('read-input.mjs', import.meta.url));

/** Reads an input in a process of its own: by a format of the registry, by a peer, or by csv-parse alone where the format is null. */
export async function readAlone({ format, peer, path, options = {}, folder }) {
  const job = JSON.stringify({ format, peer, path, options, spoolDir: join(folder, 'spool') });
  const { stdout } = await promisify(execFile)(process.execPath, [reader, job], { maxBuffer: 16e6 });
  return JSON.parse(stdout);
}
