import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Fleet } from '../fleet-file/fleet.ts';
import { loadFleet } from '../fleet-file/load.ts';

/** The fleet as its file says it now, the same object where the file is the same; or what is wrong with the file. */
export async function rereadFleet(
  fleet: Fleet,
): Promise<{ readonly fleet?: Fleet; readonly mistake?: string }> {
  try {
    const bytes = await readFile(fleet.file);
    const same = createHash('sha256').update(bytes).digest('hex') === fleet.fingerprint;
    return { fleet: same ? fleet : await loadFleet(fleet.file) };
  } catch (error) {
    return {
      mistake: `its fleet file cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
