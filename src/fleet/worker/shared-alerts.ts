import * as z from 'zod';
import { formatCommandLine } from '../../app/run/command-line.ts';
import type { NotifySettings } from '../../pipeline/index.ts';
import { formatCount, formatQuantity } from '../../report/figures.ts';
import { sendFleetAlert } from '../alert.ts';
import { inTransaction } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import type { Assignment, Fleet } from '../fleet-file/fleet.ts';
import type { AssignmentId } from '../queue/dead.ts';
import { findSharedAlerts, type SharedAlert, saveSentSharedAlert } from '../queue/reported.ts';
import type { WorkerContext } from './work-on.ts';

/** The advisory lock under which one worker sends alerts about several jobs. */
const advisoryLock = 4_201_980;

/** The maximum number of pipelines that an alert names. */
const mostNames = 50;

/** The alert settings of a fleet, and of its pipelines. */
interface AlertSettings extends Pick<Fleet, 'alerts'> {
  readonly assignments: readonly Pick<Assignment, 'workspace' | 'pipeline' | 'notify'>[];
}

/** Sends the alerts about several jobs that are due, unless another worker does. */
export async function sendSharedAlerts({
  fleet,
  pool,
  clock,
  log,
  invocation,
}: Pick<WorkerContext, 'pool' | 'clock' | 'log' | 'invocation'> & {
  readonly fleet: AlertSettings;
}): Promise<void> {
  await inTransaction(pool, async (client) => {
    const [lock] = await selectRows(
      client,
      z.object({ mine: z.boolean() }),
      'SELECT pg_try_advisory_xact_lock($1) AS mine',
      [advisoryLock],
    );
    if (lock?.mine !== true) return;
    // Typed on any machine: the work dir of this worker is no part of the command.
    const { workDir: _workDir, ...anywhere } = invocation;
    for (const shared of await findSharedAlerts(client, clock.now())) {
      const at = new Date(clock.now()).toISOString();
      const settings = findNotifySettings(fleet, shared.pipelines[0]);
      const { event, cause, kind, failures, failingSince } = shared;
      const ended =
        event === 'failure'
          ? ({ outcome: 'failed', exitCode: cause.exitCode } as const)
          : ({ outcome: 'finished', exitCode: 0 } as const);
      const delivered = await sendFleetAlert({
        ...{ event, settings, invocation, log },
        failure: { kind, ...ended, startedAt: at, finishedAt: at, ...describe(shared, anywhere) },
        earlier: { failures: failures - 1, failingSince, reported: null },
      });
      if (delivered !== false) await saveSentSharedAlert(client, shared, clock.now());
    }
  });
}

/** Returns the alert settings of a pipeline; of one that has left the fleet those of the fleet. */
export function findNotifySettings(
  { assignments, alerts }: AlertSettings,
  of: AssignmentId | undefined,
): NotifySettings | undefined {
  const assigned = assignments.find(
    ({ workspace, pipeline }) => workspace === of?.workspace && pipeline === of.pipeline,
  );
  return assigned === undefined ? alerts : assigned.notify;
}

/** Returns what an alert about several jobs says. */
function describe(
  { event, cause, text, pipelines }: SharedAlert,
  invocation: WorkerContext['invocation'],
): { readonly pipeline: string; readonly message: string; readonly next: string | null } {
  const { first, pipeline, count, listed } = namePipelines(pipelines);
  if (pipelines.length === 1)
    return { pipeline, ...(event === 'recovery' ? { message: 'works again.', next: null } : text) };
  if (event === 'recovery') {
    const message = `${count} that had failed for the same reason work again: ${listed}.`;
    return { pipeline, message, next: null };
  }
  const status = formatCommandLine(['fleet', 'status'], {}, invocation);
  const retry = formatCommandLine(['fleet', 'retry', '--all'], {}, invocation);
  return {
    pipeline,
    message: `${count} failed for the same reason. That of ${first}: ${text.message} They are: ${listed}.`,
    next: cause.isFinal ? `${status}\nThen: ${retry}` : status,
  };
}

/** Returns how an alert names several pipelines: as one, by their number, and each of the first ones. */
export function namePipelines(pipelines: readonly AssignmentId[]) {
  const names = pipelines.map(({ workspace, pipeline }) => `${workspace}/${pipeline}`);
  const [first = '', ...others] = names;
  const rest = names.length - mostNames;
  return {
    first,
    pipeline: others.length === 0 ? first : `${first} and ${formatCount(others.length)} more`,
    count: formatQuantity(names.length, 'pipeline'),
    listed: names.slice(0, mostNames).join(', ') + (rest > 0 ? ` and ${formatCount(rest)} more` : ''),
  };
}
