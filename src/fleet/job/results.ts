import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvVariable } from '../../app/run/variables.ts';
import { systemClock, systemRandomness } from '../../workspace/index.ts';
import { assertStorageUsable, openResultStorage } from '../places/open-place.ts';
import type { ResultStorage } from '../places/place.ts';
import type { RunResultFiles } from '../queue/job.ts';
import type { JobContext } from './orders.ts';

/** Matches files of a run that are not results. */
const ownFiles = /^\.|^log(\.\d+)?\.ndjson$|^staging\.db/;

/**
 * Copies the files of runs to `places.results`, in WORKSPACE/PIPELINE/RUN. Removes stored files that the run no longer
 * has, and the oldest runs beyond `keepResults`. Returns the files of the first copied run; undefined if none was
 * copied, or if the fleet has no result storage.
 */
export async function copyRunResults(
  { order, invocation, orders }: Pick<JobContext, 'order' | 'invocation' | 'orders'>,
  runs: readonly string[],
): Promise<RunResultFiles | undefined> {
  const { places, keepResults, workspace, pipeline, workDir } = order;
  if (places.results === undefined) return undefined;
  const ports = {
    clock: systemClock,
    randomness: systemRandomness,
    signal: orders.lost,
    variable: (name: string) => readEnvVariable(name, invocation),
  };
  await assertStorageUsable('results', places.results, ports);
  const place = await openResultStorage(places.results, ports);
  const folder = `${workspace.name}/${pipeline}`;
  const brought: RunResultFiles[] = [];
  for (const run of runs) {
    const from = join(workDir, 'runs', run);
    if (!existsSync(from)) continue;
    const to = `${folder}/${run}`;
    const files = readdirSync(from).filter((name) => !ownFiles.test(name));
    for (const name of files) {
      orders.lease.assertHeld();
      await place.put(`${to}/${name}`, join(from, name));
    }
    for (const path of await place.list(to))
      if (!files.includes(path.slice(to.length + 1))) await place.remove(path);
    brought.push({ folder: place.nameOf(to), files });
  }
  if (keepResults !== undefined) await removeOlder(place, folder, keepResults);
  return brought[0];
}

/** Removes the results of all runs of a pipeline but the newest `keep`; run ids sort by time. */
async function removeOlder(place: ResultStorage, folder: string, keep: number): Promise<void> {
  const paths = await place.list(folder);
  const runOf = (path: string) => path.slice(folder.length + 1).split('/', 1)[0] ?? '';
  const kept = new Set([...new Set(paths.map(runOf))].sort().slice(-keep));
  for (const path of paths) if (!kept.has(runOf(path))) await place.remove(path);
}
