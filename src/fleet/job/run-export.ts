import { basename, dirname, join } from 'node:path';
import { createExportRun } from '../../app/export/export-run.ts';
import { readEnvVariable } from '../../app/run/variables.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import { systemClock, systemRandomness } from '../../workspace/index.ts';
import { readFleetKey } from '../crypt/key.ts';
import { toPathInStorage } from '../fleet-file/pipelines.ts';
import type { StorageLocation } from '../fleet-file/places-schema.ts';
import { assertStorageUsable, openOutputStorage } from '../places/open-place.ts';
import type { JobResult } from '../queue/job.ts';
import { createExportDeliverer, settleDeliveries } from './deliveries.ts';
import type { JobParameters } from './messages.ts';
import type { JobContext } from './orders.ts';
import { runPipelineJob } from './run-job.ts';
import { loadWorkspaceTarget } from './token.ts';

/** Runs an export job: exports into the work dir, then publishes the complete export. */
export async function runExportJob(loaded: LoadedExportPipeline, context: JobContext): Promise<JobResult> {
  const { order, invocation, orders, pool, shipping, send } = context;
  const { workDir, workspace, token, leaseMs } = order;
  const { place: goesTo, to } = destinationOf(loaded, order);
  const ports = {
    clock: systemClock,
    randomness: systemRandomness,
    signal: orders.lost,
    variable: (name: string) => readEnvVariable(name, invocation),
  };
  if (order.places.outputs !== undefined) await assertStorageUsable('outputs', order.places.outputs, ports);
  const target = loadWorkspaceTarget(workspace, invocation);
  const delivering = {
    ...{ pool, workspace: workspace.name, pipeline: order.pipeline, token, leaseMs, to, workDir },
    key: readFleetKey(process.env),
    outputs: await openOutputStorage(goesTo, ports),
    settings: loaded,
    place: target.place,
    leave: orders.lease,
    clock: systemClock,
    ship: () => shipping.ship(),
    note: (text: string) => send({ kind: 'note', text }),
  };
  await settleDeliveries(delivering);
  // The export is built in the work dir.
  const local = {
    ...loaded,
    export: { ...loaded.export, to: join(workDir, 'delivery', order.pipeline, '{date}'), keep: undefined },
  };
  const job = {
    fresh: false,
    resumed: false,
    full: false,
    accept: false,
    compact: false,
    deliver: createExportDeliverer(delivering),
  };
  return await runPipelineJob(
    createExportRun(local, job, { workDir, invocation: { ...invocation, workDir }, target }),
    context,
  );
}

/**
 * Returns the storage location of an export, and its path there. Throws a FatalError (usage) for a path outside of
 * `places.outputs`.
 */
function destinationOf(
  { file, export: { to } }: LoadedExportPipeline,
  { places }: JobParameters,
): { readonly place: StorageLocation; readonly to: string } {
  if (places.outputs === undefined) return { place: { kind: 'folder', path: dirname(to) }, to: basename(to) };
  const inside = toPathInStorage(file, to);
  if (inside !== undefined) return { place: places.outputs, to: inside };
  throw new FatalError('usage', `the folder of this export is outside of places.outputs: ${to}`, {
    place: { file, key: 'export.to' },
    next: 'Use a path below the place.',
  });
}
