import type { Pool } from 'pg';
import * as z from 'zod';
import { formatCommandLine } from '../../app/run/command-line.ts';
import { sendFleetAlert } from '../alert.ts';
import { selectRows } from '../database/rows.ts';
import type { Fleet } from '../fleet-file/fleet.ts';
import { assignmentIdSchema } from '../queue/dead.ts';
import { jobQueueName, queueSchemaName } from '../queue/names.ts';
import { longestSilentSeconds } from '../queue/worker-record.ts';
import { namePipelines } from './shared-alerts.ts';
import type { WorkerContext } from './work-on.ts';

/** The reason that this machine takes no job at all, and the jobs that wait because of it. */
export interface Stall {
  readonly reason: string;
  waiting(): Promise<readonly WaitingJob[]>;
}

type StallContext = Pick<WorkerContext, 'clock' | 'log' | 'invocation'> & {
  readonly fleet: Pick<Fleet, 'alerts'>;
};

/** Returns the stall of a machine whose database does not answer, which could say what waits. */
export function createDatabaseStall({ assignments }: { readonly assignments: readonly WaitingJob[] }): Stall {
  return { reason: 'the database of the fleet does not answer.', waiting: async () => assignments };
}

const waitingJob = assignmentIdSchema.extend({ kind: z.enum(['import', 'export']) });

type WaitingJob = Readonly<z.output<typeof waitingJob>>;

/** Sends one alert where jobs wait and no machine takes any, and one when this machine takes jobs again. */
export class StallAlert {
  #since: number | undefined;
  /** The jobs that the alert has named; undefined while there is nothing to report. */
  #reported: readonly WaitingJob[] | undefined;

  /** Reports the stall of this machine, if it has lasted for `patienceMs`, and its end. */
  async look(context: StallContext, stall: Stall | undefined, patienceMs: number): Promise<void> {
    const now = context.clock.now();
    const since = this.#since ?? now;
    this.#since = stall === undefined ? undefined : since;
    if (stall === undefined) {
      const over = this.#reported;
      this.#reported = undefined;
      if (over !== undefined) await send(context, 'recovery', since, over, 'The worker takes jobs again.');
      return;
    }
    if (this.#reported !== undefined || now - since < patienceMs) return;
    const waiting = await stall.waiting();
    if (waiting.length === 0) return;
    const message = `No job is taken: ${stall.reason}`;
    if ((await send(context, 'failure', since, waiting, message)) !== false) this.#reported = waiting;
  }
}

async function send(
  { fleet, clock, log, invocation }: StallContext,
  event: 'failure' | 'recovery',
  since: number,
  jobs: readonly WaitingJob[],
  what: string,
): Promise<boolean | undefined> {
  const { pipeline, listed } = namePipelines(jobs);
  const ended =
    event === 'failure'
      ? ({ outcome: 'failed', exitCode: 1 } as const)
      : ({ outcome: 'finished', exitCode: 0 } as const);
  // Typed on any machine: the work dir of this worker is no part of the command.
  const { workDir: _workDir, ...anywhere } = invocation;
  return await sendFleetAlert({
    ...{ event, settings: fleet.alerts, invocation, log },
    failure: {
      ...{ pipeline, kind: jobs[0]?.kind ?? 'export', ...ended },
      startedAt: new Date(since).toISOString(),
      finishedAt: new Date(clock.now()).toISOString(),
      message: event === 'failure' ? `${what} It concerns ${listed}.` : what,
      next: event === 'failure' ? formatCommandLine(['fleet', 'status'], {}, anywhere) : null,
    },
    earlier: { failures: 0, failingSince: since, reported: null },
  });
}

/** Returns the jobs that wait while no worker that is alive takes any; none for all of these workers but the first. */
export async function findStalledJobs(pool: Pool, worker: string): Promise<readonly WaitingJob[]> {
  return await selectRows(
    pool,
    waitingJob,
    `WITH alive AS (SELECT name, not_ready FROM longshore.worker WHERE left_at IS NULL AND NOT draining
         AND seen_at >= now() - ${longestSilentSeconds} * interval '1 second')
     SELECT w.name AS workspace, j.data->>'pipeline' AS pipeline, j.data->>'kind' AS kind
     FROM longshore.workspace w
     JOIN ${queueSchemaName}.job j ON j.name = $1 AND j.id = w.job AND j.state < 'active' AND j.start_after <= now()
     WHERE (SELECT min(name) FROM alive) = $2 AND NOT EXISTS (SELECT 1 FROM alive WHERE not_ready IS NULL)
     ORDER BY 1, 2`,
    [jobQueueName, worker],
  );
}
