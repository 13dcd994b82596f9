import type { Screen } from '../app/run/terminal/screen.ts';
import { readLongshoreEnvVariable } from '../app/run/variables.ts';
import { printOrWriteFiles, readScheduleHost } from '../app/schedule/shown-files.ts';
import {
  applyFleet,
  assertSameFleet,
  buildDeploymentFiles,
  buildWorkerDeployment,
  createApplyPlan,
  type DeploymentFormat,
  defaultFleetFile,
  loadFleet,
  prepareDatabase,
  readFleetKeyId,
  requestDrain,
  withFleetConnection,
} from '../fleet/index.ts';
import { fleetDatabaseVariable } from '../fleet/variables.ts';
import { hint, toCommand } from '../model/command.ts';
import { FatalError } from '../model/fatal-error.ts';
import { formatQuantity } from '../report/figures.ts';
import { packageVersion } from '../storage/package.ts';
import { runFleetWorker, type WorkerFlags } from './serve-worker.ts';

/** The container image that `npm run image` builds. */
const ownImage = `longshore:${packageVersion}`;

/** The flags of `fleet deploy`. */
export interface FleetDeployFlags {
  readonly for: DeploymentFormat | undefined;
  readonly workers: number;
  readonly concurrency: number | undefined;
  readonly image: string | undefined;
  readonly out: string | undefined;
}

/** Prepares the database, applies the fleet file and runs a worker in this process; returns the exit code. */
export async function runFleetUp(
  flags: WorkerFlags & { readonly takeOver: boolean },
  screen: Screen,
): Promise<number> {
  const fleet = await loadFleet(flags.file ?? defaultFleetFile);
  const database = readLongshoreEnvVariable(fleetDatabaseVariable);
  await prepareDatabase(database, undefined);
  await withFleetConnection(database, async ({ pool, queue }) => {
    const plan = await createApplyPlan(pool, fleet);
    assertSameFleet(plan, fleet, flags.takeOver);
    await applyFleet(pool, queue, fleet, plan, { keyId: readFleetKeyId() });
  });
  screen.note(`The database is prepared, and ${fleet.file} is applied.`);
  return await runFleetWorker(flags, screen);
}

/**
 * Requests that the named worker, or every worker, drains; returns the exit code. Throws a FatalError (usage) if none
 * of them is alive.
 */
export async function runFleetDrain(worker: string | undefined, screen: Screen): Promise<number> {
  const asked = await withFleetConnection(readLongshoreEnvVariable(fleetDatabaseVariable), ({ pool }) =>
    requestDrain(pool, worker),
  );
  if (asked.length === 0) {
    throw new FatalError(
      'usage',
      worker === undefined ? 'no worker is alive.' : `no worker ${worker} is alive.`,
      {
        next: hint`To list the workers: ${toCommand('fleet', 'status')}`,
      },
    );
  }
  const text = `${formatQuantity(asked.length, 'worker')} asked to drain: ${asked.join(', ')}. They give their jobs back and end.`;
  screen.result(() => text, { workers: asked });
  return 0;
}

/**
 * Prints the files that run the workers, or writes them into `out`; returns the exit code. Throws a FatalError
 * (usage) without `for`.
 */
export async function runFleetDeploy(
  flags: FleetDeployFlags & Pick<WorkerFlags, 'file'>,
  screen: Screen,
): Promise<number> {
  if (flags.for === undefined) {
    throw new FatalError('usage', 'Missing option --for: kubernetes, systemd or compose.', {
      next: toCommand('fleet', 'deploy', '--for', 'kubernetes'),
    });
  }
  const { workers, concurrency } = flags;
  // Compose can use an image that was built on this machine; a cluster pulls its image from a registry, which only the
  // user can name.
  const image = flags.image ?? (flags.for === 'compose' ? ownImage : undefined);
  const fleet = await loadFleet(flags.file ?? defaultFleetFile);
  const database = readLongshoreEnvVariable(fleetDatabaseVariable);
  const deployment = await buildWorkerDeployment(
    fleet,
    { image, workers, concurrency },
    readScheduleHost(),
    database,
  );
  printOrWriteFiles(buildDeploymentFiles(flags.for, deployment), flags.out, screen);
  return 0;
}
