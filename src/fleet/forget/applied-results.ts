import { isAbsolute, resolve } from 'node:path';
import type { Pool } from 'pg';
import { variable } from '../../app/run/variables.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { systemClock, systemRandomness } from '../../workspace/index.ts';
import type { FleetPlace } from '../fleet-file/places-schema.ts';
import { assertPlace, openFiles } from '../places/open-place.ts';
import type { FilePlace } from '../places/place.ts';

/**
 * The place of results as it was applied, whose folder is meant from the current one; undefined where the fleet has none. Throws
 * a FatalError (usage) where it cannot be reached from here: then a person would be left in it.
 */
export async function openAppliedResults(pool: Pool, signal: AbortSignal): Promise<FilePlace | undefined> {
  const { rows } = await pool.query<{ results: FleetPlace | null }>(
    "SELECT places->'results' AS results FROM longshore.fleet",
  );
  const applied = rows[0]?.results ?? undefined;
  if (applied === undefined) return undefined;
  const place = applied.kind === 'folder' ? { ...applied, path: resolve(applied.path) } : applied;
  const outside = { clock: systemClock, randomness: systemRandomness, signal, variable };
  try {
    await assertPlace('results', place, outside);
    return await openFiles(place, outside);
  } catch (error) {
    if (!(error instanceof FatalError)) throw error;
    const isRelative = applied.kind === 'folder' && !isAbsolute(applied.path);
    throw new FatalError('usage', `the results of the fleet cannot be reached from here: ${error.message}`, {
      place: error.place,
      next: isRelative
        ? 'Type the same command in the folder of fleet.yaml, on a machine that has the place.'
        : error.next,
      cause: error,
    });
  }
}
