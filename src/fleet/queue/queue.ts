import type { Pool, PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import * as z from 'zod';
import { inTransaction } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import { databaseInTransaction, openBoss } from './boss.ts';
import { type AssignmentName, type DeadJob, removeDead } from './dead.ts';
import { dispatch, dispatchTo } from './dispatch.ts';
import { type FleetJob, type JobData, type JobEnd, jobData, stateOf } from './job.ts';
import { failJobsOfLostWorkers, reconcile } from './lost.ts';
import { jobQueue, queueSchema } from './names.ts';
import { failRefused, type RefusedJob } from './refused.ts';
import { clearWorkspaceJob, failJob, noteDeath, noteEnd, removeLists, returnUnchanged } from './settle.ts';
import { resetWaitingJobs, withdraw } from './withdraw.ts';

/** Any number of our own: those who count the jobs at work wait for each other. */
const advisoryLock = 4_201_978;

/** How long a job whose process died waits until it is taken again (ms). */
const diedPauseMs = 5_000;

/** How long a job whose input has not come yet waits until it looks again (ms). */
const inputPauseMs = 60_000;

/** Limits on the jobs that a worker takes. */
export interface TakeLimits {
  /** Jobs at work at once in all workers. */
  readonly mostInAll?: number | undefined;
  /** Workspaces whose jobs this machine cannot do. */
  readonly refused?: readonly string[];
}

/** Statements of a caller that are kept or lost together with a job's end. */
export type TransactionHook = (client: PoolClient) => Promise<void>;

/**
 * The jobs of a fleet: at most one of a workspace is in the queue or at work, whatever else is wanted of it. A worker that
 * lost its job to another one gets `false`, and changes nothing.
 */
export class JobQueue {
  readonly #pool: Pool;
  readonly #boss: PgBoss;

  constructor(pool: Pool, boss: PgBoss) {
    this.#pool = pool;
    this.#boss = boss;
  }

  /** Sends due pipelines into the queue; returns how many jobs. */
  async dispatch(): Promise<number> {
    return await dispatch(this.#pool, this.#boss);
  }

  /**
   * Takes the most urgent job for a worker, but none of the workspaces that it refuses; undefined where none waits, or as many
   * as may are at work in all.
   */
  async take(
    worker: string,
    { mostInAll = Number.POSITIVE_INFINITY, refused = [] }: TakeLimits = {},
  ): Promise<FleetJob | undefined> {
    return await inTransaction(this.#pool, async (client) => {
      if (Number.isFinite(mostInAll) && (await atWork(client)) >= mostInAll) return undefined;
      const db = databaseInTransaction(client);
      const found = await fetchJob(client, refused);
      if (found === undefined) return undefined;
      const { data } = found;
      const { rowCount } = await client.query(
        `UPDATE longshore.workspace SET worker = $3, taken_at = now() WHERE name = $1 AND job = $2`,
        [data.workspace, found.id, worker],
      );
      if (rowCount !== 1) {
        // Its workspace left the fleet meanwhile.
        await this.#boss.cancel(jobQueue, found.id, { db });
        return undefined;
      }
      const [assigned] = await selectRows(
        client,
        z.object({ called_at: z.date().nullable() }),
        'UPDATE longshore.assignment SET last_started_at = now() WHERE workspace = $1 AND pipeline = $2 RETURNING called_at',
        [data.workspace, data.pipeline],
      );
      const calledAt = assigned?.called_at?.getTime() ?? null;
      return { ...data, id: found.id, attempt: found.retries + 1, calledAt };
    });
  }

  /** The job came to its end; `also` is kept or lost together with that. */
  async finish(job: FleetJob, worker: string, end: JobEnd, also?: TransactionHook): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await also?.(client);
      await this.#complete(client, job);
      await noteEnd(client, job, end);
      await removeLists(client, job);
      // A request of a person is no success of the schedule.
      const isWhole = job.asked === undefined || job.asked.kind === 'continue';
      await client.query(
        `UPDATE longshore.assignment SET failures = 0, deaths = 0,
           last_success_at = CASE WHEN $3 THEN now() ELSE last_success_at END,
           due_at = CASE WHEN $3 THEN wanted_at ELSE due_at END
         WHERE workspace = $1 AND pipeline = $2`,
        [job.workspace, job.pipeline, isWhole],
      );
      await dispatchTo(client, this.#boss, [job.workspace]);
    });
  }

  /** Nothing was done: the job waits for its input, which was no try. */
  async postpone(job: FleetJob, worker: string, end: JobEnd): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await noteEnd(client, job, end);
      await returnUnchanged(client, this.#boss, job, inputPauseMs);
    });
  }

  /** Nothing was done: a person has to decide first. The next time of the schedule looks again. */
  async leaveToPerson(job: FleetJob, worker: string, end: JobEnd): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await this.#complete(client, job);
      await noteEnd(client, job, end);
      await dispatchTo(client, this.#boss, [job.workspace]);
    });
  }

  /** The slice of the job is over: its run is continued behind whatever else is wanted of the workspace. */
  async continueLater(
    job: FleetJob,
    worker: string,
    run: string | undefined,
    also?: TransactionHook,
  ): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await also?.(client);
      await this.#complete(client, job);
      await client.query(
        `UPDATE longshore.assignment SET asked = $4, resume_run = $3, deaths = 0,
           wanted_at = CASE WHEN $4::jsonb IS NULL THEN now() ELSE wanted_at END
         WHERE workspace = $1 AND pipeline = $2`,
        [job.workspace, job.pipeline, run, job.asked === undefined ? null : JSON.stringify(job.asked)],
      );
      await dispatchTo(client, this.#boss, [job.workspace]);
    });
  }

  /** The job failed: it is tried again later, or given up where that is of no use or was tried often enough. */
  async fail(
    job: FleetJob,
    worker: string,
    end: JobEnd,
    { again }: { readonly again: boolean },
  ): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await failJob(client, this.#boss, job, end, again ? 'later' : 'never');
    });
  }

  /** The machine could not do the job: it waits as it did before it was taken, which was no try. */
  async giveBack(job: FleetJob, worker: string, end: JobEnd): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await noteEnd(client, job, end);
      await returnUnchanged(client, this.#boss, job, 0);
    });
  }

  /** The process of the job died: it is done again, unless as many have died of it as the fleet allows. */
  async died(job: FleetJob, worker: string, end: JobEnd): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await noteDeath(client, this.#boss, job, end, diedPauseMs);
    });
  }

  /** Fails jobs that no machine of the fleet can do; returns them with the reasons. */
  async failRefused(refusedForMs: number, silenceMs: number): Promise<readonly RefusedJob[]> {
    return await failRefused(this.#pool, this.#boss, refusedForMs, silenceMs);
  }

  /** Takes jobs of workspaces out of the queue for good, also those at work; the transaction holds the workspaces. */
  async withdrawIn(
    client: PoolClient,
    workspaces: readonly string[],
    isMeant: (job: JobData) => boolean,
  ): Promise<void> {
    await withdraw(client, this.#boss, workspaces, isMeant);
  }

  /** Puts jobs of workspaces that wait in the queue back to what is wanted; the transaction holds the workspaces. */
  async putBackIn(client: PoolClient, workspaces: readonly string[]): Promise<void> {
    await resetWaitingJobs(client, this.#boss, workspaces);
  }

  /** Removes jobs that were given up; returns them. */
  async forgetDeadIn(client: PoolClient, of: readonly AssignmentName[]): Promise<readonly DeadJob[]> {
    return await removeDead(client, this.#boss, of);
  }

  /** Has the jobs of workers that were not heard of for so long taken up by others at once; returns their workspaces. */
  async failLost(silenceMs: number): Promise<readonly string[]> {
    return await failJobsOfLostWorkers(this.#pool, this.#boss, silenceMs);
  }

  /** Cleans up behind the queue: jobs that hang are failed, old ones removed. Once in a few minutes is often enough. */
  async maintain(): Promise<void> {
    await this.#boss.maintain();
    await reconcile(this.#pool);
  }

  async #complete(client: PoolClient, { id, workspace }: FleetJob): Promise<void> {
    await this.#boss.complete(jobQueue, id, {}, { db: databaseInTransaction(client) });
    await clearWorkspaceJob(client, workspace);
  }

  /** Works in a transaction that holds the workspace, where the job is still this worker's. */
  async #settle(
    { workspace, id }: FleetJob,
    worker: string,
    work: (client: PoolClient) => Promise<void>,
  ): Promise<boolean> {
    return await inTransaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(
        'SELECT 1 FROM longshore.workspace WHERE name = $1 AND job = $2 AND worker = $3 FOR UPDATE',
        [workspace, id, worker],
      );
      if (rowCount !== 1 || (await stateOf(client, jobQueue, id)) !== 'active') return false;
      await work(client);
      return true;
    });
  }
}

/** Opens the queue; what is in the pool stays the caller's. */
export async function openQueue(pool: Pool): Promise<JobQueue> {
  return new JobQueue(pool, await openBoss(pool));
}

async function atWork(client: PoolClient): Promise<number> {
  await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock]);
  const [found] = await selectRows(
    client,
    z.object({ n: z.int() }),
    'SELECT count(*)::int AS n FROM longshore.workspace WHERE worker IS NOT NULL',
  );
  return found?.n ?? 0;
}

const fetchedJob = z.object({
  id: z.string(),
  data: jobData,
  /** How often it was tried before. */
  retries: z.int(),
});

/**
 * Makes the most urgent job that waits active, as pg-boss 10 does by `fetch`, which cannot leave workspaces out; undefined where
 * there is none.
 */
async function fetchJob(
  client: PoolClient,
  refused: readonly string[],
): Promise<z.output<typeof fetchedJob> | undefined> {
  const [fetched] = await selectRows(
    client,
    fetchedJob,
    // A subquery instead of the CTE may be evaluated more than once, and would take more than one.
    `WITH next AS (SELECT id FROM ${queueSchema}.job
       WHERE name = $1 AND state < 'active' AND start_after <= now() AND NOT data->>'workspace' = ANY($2)
       ORDER BY priority DESC, created_on, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE ${queueSchema}.job j SET state = 'active', started_on = now(),
       retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
     FROM next WHERE j.name = $1 AND j.id = next.id
     RETURNING j.id, j.data, j.retry_count AS retries`,
    [jobQueue, refused],
  );
  return fetched;
}
