import { spawn } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { IdentifierRedactor } from '../../journal/index.ts';

/** The number of bytes searched again with the next chunk: more than the length of any e-mail address or phone. */
const overlap = 1_024;

/**
 * Returns true if a file, read as UTF-8 or UTF-16, contains a text that `without` removes; also searches the files that
 * SQLite keeps beside a database. `isOpen` is for a database that this process has open: a child process reads it,
 * because closing it here would release this process's locks.
 */
export async function fileMentionsPerson(
  path: string,
  without: IdentifierRedactor,
  isOpen = false,
): Promise<boolean> {
  for (const file of [path, `${path}-wal`, `${path}-journal`]) {
    if (!existsSync(file)) continue;
    if (await holds(isOpen ? readElsewhere(file) : createReadStream(file, { highWaterMark }), without))
      return true;
  }
  return false;
}

const highWaterMark = 1 << 20;

async function* readElsewhere(path: string): AsyncGenerator<Buffer> {
  const program =
    "const fs = require('node:fs'); fs.createReadStream(process.argv[1]).pipe(fs.createWriteStream('', { fd: 3 }))";
  const reader = spawn(process.execPath, ['-e', program, path], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const bytes = reader.stdio[3];
  if (!(bytes instanceof Readable)) throw new Error(`${path} could not be searched: no pipe.`);
  const ended = new Promise<number | null>((resolve, reject) => {
    reader.once('error', reject);
    reader.once('close', resolve);
  });
  let whole = false;
  try {
    for await (const chunk of bytes) yield Buffer.from(chunk);
    whole = true;
  } finally {
    if (!whole) reader.kill();
  }
  const code = await ended;
  if (code !== 0) throw new Error(`${path} could not be searched (exit code ${code}).`);
}

async function holds(
  chunks: Readable | AsyncIterable<Buffer>,
  without: IdentifierRedactor,
): Promise<boolean> {
  let last: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
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
