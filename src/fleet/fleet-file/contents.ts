import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/**
 * SHA-256 of what files have in them now, in this order, hexadecimal; undefined where one of them cannot be read. Where they
 * are does not matter: another machine has them elsewhere.
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

/** The same, where many have the same files: they are read once. */
export function contentsReader(): (files: readonly string[]) => Promise<string | undefined> {
  const known = new Map<string, Promise<string | undefined>>();
  return (files) => {
    const key = JSON.stringify(files);
    const contents = known.get(key) ?? hashContents(files);
    known.set(key, contents);
    return contents;
  };
}
