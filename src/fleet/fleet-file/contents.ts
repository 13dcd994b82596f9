import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * Returns a SHA-256 of the current contents of files, in this order, hexadecimal; undefined where one cannot be read. It does not
 * depend on paths, which differ between machines.
 */
export async function hashContents(files: readonly string[]): Promise<string | undefined> {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined) return undefined;
    hash.update(createHash('sha256').update(bytes).digest());
  }
  return hash.digest('hex');
}

/** Returns a function like `contentsOf` that reads each list of files once. */
export function createContentsHasher(): (files: readonly string[]) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  return (files) => {
    const key = JSON.stringify(files);
    const contents = known.get(key) ?? hashContents(files);
    known.set(key, contents);
    return contents;
  };
}
