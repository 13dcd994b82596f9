import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { contentsReader } from '../fleet-file/contents.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import { loadFleet } from '../fleet-file/load.ts';

/**
 * The fleet as its file, its pipelines and its mappings say it now, the same object where they are the same; or what is wrong
 * with them.
 */
export async function rereadFleet(
  fleet: Fleet,
): Promise<{ readonly fleet?: Fleet; readonly mistake?: string }> {
  try {
    const bytes = await readFile(fleet.file);
    const same = createHash('sha256').update(bytes).digest('hex') === fleet.fingerprint;
    return { fleet: same && (await hasSameFiles(fleet)) ? fleet : await loadFleet(fleet.file) };
  } catch (error) {
    return {
      mistake: `its fleet file cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function hasSameFiles({ assignments }: Fleet): Promise<boolean> {
  const contents = contentsReader();
  for (const assigned of assignments)
    if ((await contents(assigned.files)) !== assigned.contents) return false;
  return true;
}
