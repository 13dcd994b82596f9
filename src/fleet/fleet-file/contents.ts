import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * Returns a SHA-256 of the contents of files, in this order, hexadecimal; undefined if one cannot be read. Paths, which
 * differ between machines, do not change it.
 */
export async function hashFileContents(files: readonly string[]): Promise<string | undefined> {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined) return undefined;
    hash.update(createHash('sha256').update(bytes).digest());
  }
  return hash.digest('hex');
}

/** Creates a function that hashes the contents of files, and reads each list of files once. */
export function createCachedContentsHasher(): (files: readonly string[]) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  return (files) => {
    const key = JSON.stringify(files);
    const contents = known.get(key) ?? hashFileContents(files);
    known.set(key, contents);
    return contents;
  };
}
