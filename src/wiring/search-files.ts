import { createReadStream, existsSync } from 'node:fs';
import type { WithoutTexts } from '../journal/index.ts';

/** Longer than any e-mail address or phone: what a chunk ends with is looked at again with the next one. */
const overlap = 1_024;

/** Whether the bytes of a file, read as UTF-8 or as UTF-16, hold what `without` takes out. */
export async function holdsTexts(path: string, without: WithoutTexts): Promise<boolean> {
  for (const file of [path, `${path}-wal`, `${path}-journal`]) {
    if (existsSync(file) && (await holds(file, without))) return true;
  }
  return false;
}

async function holds(path: string, without: WithoutTexts): Promise<boolean> {
  let last: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    const bytes: Buffer = Buffer.concat([last, chunk]);
    const found = [
      bytes.toString('utf8'),
      bytes.toString('utf16le'),
      bytes.subarray(1).toString('utf16le'),
    ].some((text) => without(text) !== null);
    if (found) return true;
    last = bytes.subarray(-overlap);
  }
  return false;
}
