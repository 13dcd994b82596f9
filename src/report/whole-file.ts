import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { makeOwnerOnlyFolder } from '../storage/own-folder.ts';

/**
 * Writes a file (0600, in a 0700 folder) under a temporary name, makes it durable and renames it into place, so that a
 * reader sees either the old file or the whole new one.
 */
export async function writeFileAtomically(
  path: string,
  text: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const folder = dirname(path);
  makeOwnerOnlyFolder(folder);
  const part = join(folder, `.${basename(path)}.part`);
  await rm(part, { force: true });
  try {
    const out = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
    await once(out, 'open');
    await pipeline(Readable.from(text), out);
    await rename(part, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

/** Removes a file of an earlier run, if it exists. */
export async function removeStaleFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

// A rename is durable only once its folder is.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
