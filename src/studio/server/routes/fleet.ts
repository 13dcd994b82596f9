import { databaseVariable } from '../../../fleet/variables.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { variable } from '../../../wiring/variables.ts';
import { systemClock } from '../../../workspace/index.ts';
import type { FleetSeen } from '../../wire/fleet.ts';
import { routes } from '../../wire/routes.ts';
import { nothing } from '../../wire/schemas/project.ts';
import { handleStream } from '../handler.ts';

export const fleetHandlers = [
  handleStream(routes.watchFleet, nothing, (_, _studio, gone) => statusUntil(gone)),
];

/** ms until a database that did not answer is asked again. */
const paceMs = 2_000;

async function* statusUntil(gone: AbortSignal): AsyncGenerator<FleetSeen> {
  // Its packages are optional, and most studios show no fleet.
  const { watchStatus } = await import('../../../fleet/index.ts');
  for (;;) {
    try {
      for await (const status of watchStatus(variable(databaseVariable), systemClock, gone)) yield { status };
    } catch (error) {
      if (!(error instanceof FatalError) || error.reason !== 'unreachable') throw error;
      yield { silent: error.message };
    }
    await systemClock.sleep(paceMs, gone);
  }
}
