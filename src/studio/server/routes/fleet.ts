import { variable } from '../../../app/run/variables.ts';
import { watchStatus } from '../../../fleet/control/open.ts';
import { databaseVariable } from '../../../fleet/database/connect.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { systemClock } from '../../../workspace/index.ts';
import type { FleetSeen } from '../../wire/fleet.ts';
import { routes } from '../../wire/routes.ts';
import { nothing } from '../../wire/schemas/project.ts';
import { handleStream } from '../handler.ts';

export const fleetHandlers = [
  handleStream(routes.watchFleet, nothing, (_, _studio, gone) => seenUntil(gone)),
];

/** ms until a database that did not answer is asked again. */
const paceMs = 2_000;

async function* seenUntil(gone: AbortSignal): AsyncGenerator<FleetSeen> {
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
