import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileMentionsPerson } from '../../app/forget/search-files.ts';
import type { IdentifierRedactor } from '../../journal/index.ts';
import { computeFileSha256 } from '../../storage/checksum.ts';
import { makeOwnerOnlyFolder } from '../../storage/own-folder.ts';
import type { ResultStorage } from '../places/place.ts';

/** A file of the result storage, and its copy in a work dir. */
interface Fetched {
  readonly path: string;
  readonly local: string;
  /** The SHA-256 of the stored file, hexadecimal; null once it is removed. */
  there: string | null;
}

/** Copies the stored results of a workspace into a work dir, each to the path at which its run wrote it. */
export async function fetchStoredResults(
  place: ResultStorage | undefined,
  workspace: string,
  workDir: string,
): Promise<readonly Fetched[]> {
  const fetched: Fetched[] = [];
  for (const path of (await place?.list(workspace)) ?? []) {
    const [, , run = '', ...name] = path.split('/');
    const local = join(workDir, 'runs', run, ...name);
    makeOwnerOnlyFolder(dirname(local));
    await place?.fetch(path, local);
    fetched.push({ path, local, there: await computeFileSha256(local) });
  }
  return fetched;
}

/** Replaces stored files whose copy has changed, and removes those whose copy was deleted or still names the person. */
export async function updateStoredResults(
  place: ResultStorage | undefined,
  fetched: readonly Fetched[],
  without: IdentifierRedactor,
): Promise<void> {
  for (const file of fetched) {
    const { path, local } = file;
    const stays = existsSync(local) && !(await fileMentionsPerson(local, without));
    const now = stays ? await computeFileSha256(local) : null;
    if (now === file.there) continue;
    if (now === null) await place?.remove(path);
    else await place?.put(path, local);
    file.there = now;
  }
}
