import type { Pool, PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import * as z from 'zod';
import { inTransaction } from '../database/migrate.ts';
import { selectRows } from '../database/rows.ts';
import { openPgBoss, toPgBossDatabase } from './boss.ts';
import { type AssignmentId, type DeadJob, removeDeadJobs } from './dead.ts';
import { dispatchDueJobs, dispatchWorkspaceJobs } from './dispatch.ts';
import { type ActiveJob, type JobPayload, type JobResult, jobPayloadSchema, readJobState } from './job.ts';
import { reconcileJobs, requeueLostJobs } from './lost.ts';
import { jobQueueName, queueSchemaName } from './names.ts';
import { failRefusedJobs, type UnrunJob } from './refused.ts';
import { earlierFailuresRow, toEarlierFailures } from './reported.ts';
import {
  clearWorkspaceJob,
  failJob,
  removeUnusedAnswerLists,
  requeueCrashedJob,
  requeueWithoutCountingAttempt,
  saveJobResult,
} from './settle.ts';
import { cancelJobs, unqueueDelayedJobs, unqueueWaitingJobs } from './withdraw.ts';

/** The advisory lock under which running jobs are counted. */
const advisoryLock = 4_201_978;

/** The minimum pause before a job whose process died runs again (ms). */
const diedPauseMs = 5_000;

/** The minimum pause before a job whose input is missing runs again (ms). */
const inputPauseMs = 60_000;

/** Limits on the jobs that a worker takes. */
export interface JobTakeLimits {
  /** The maximum number of running jobs of all workers. */
  readonly mostInAll?: number | undefined;
  /** The workspaces whose jobs this machine cannot run. */
  readonly refused?: readonly string[];
}

/**
 * The queue of a fleet's jobs. Each workspace has at most one job that waits or runs. The methods that settle a job
 * return false and change nothing if the job is no longer the worker's.
 */
export class JobQueue {
  readonly #pool: Pool;
  readonly #boss: PgBoss;

  constructor(pool: Pool, boss: PgBoss) {
    this.#pool = pool;
    this.#boss = boss;
  }

  /** Queues due pipelines; returns the number of jobs. */
  async dispatch(): Promise<number> {
    return await dispatchDueJobs(this.#pool, this.#boss);
  }

  /**
   * Takes the most urgent job for a worker, except jobs of refused workspaces; undefined if no job waits, or if
   * `mostInAll` jobs are running.
   */
  async take(
    worker: string,
    { mostInAll = Number.POSITIVE_INFINITY, refused = [] }: JobTakeLimits = {},
  ): Promise<ActiveJob | undefined> {
    return await inTransaction(this.#pool, async (client) => {
      if (Number.isFinite(mostInAll) && (await atWork(client)) >= mostInAll) return undefined;
      const db = toPgBossDatabase(client);
      const found = await fetchJob(client, refused);
      if (found === undefined) return undefined;
      const { data } = found;
      const { rowCount } = await client.query(
        `UPDATE longshore.workspace SET worker = $3, taken_at = now() WHERE name = $1 AND job = $2`,
        [data.workspace, found.id, worker],
      );
      if (rowCount !== 1) {
        // The workspace has left the fleet.
        await this.#boss.cancel(jobQueueName, found.id, { db });
        return undefined;
      }
      const [assigned] = await selectRows(
        client,
        earlierFailuresRow.extend({ called_at: z.date().nullable() }),
        `UPDATE longshore.assignment SET last_started_at = now() WHERE workspace = $1 AND pipeline = $2
         RETURNING called_at, failures, failing_since, reported`,
        [data.workspace, data.pipeline],
      );
      const { id, retries, retry_limit: most } = found;
      return {
        ...{ ...data, id, attempt: retries + 1, isLastTry: retries >= most },
        calledAt: assigned?.called_at?.getTime() ?? null,
        earlier: toEarlierFailures(assigned),
      };
    });
  }

  /** Returns true if the worker still has the job that it took. */
  async isTakenBy({ workspace, id }: ActiveJob, worker: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      'SELECT 1 FROM longshore.workspace WHERE name = $1 AND job = $2 AND worker = $3',
      [workspace, id, worker],
    );
    return rowCount === 1;
  }

  /** Completes a successful job. */
  async finish(job: ActiveJob, worker: string, end: JobResult): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await this.#complete(client, job);
      await saveJobResult(client, job, end);
      // A user's request counts as a success of the schedule only if it continues a run.
      const isWhole = job.asked === undefined || job.asked.kind === 'continue';
      await client.query(
        `UPDATE longshore.assignment SET failures = 0, failing_since = NULL, deaths = 0,
           reported = CASE WHEN reported ? 'waits' THEN NULL WHEN reported ? 'over' THEN reported ELSE reported || jsonb_build_object('over',
             jsonb_build_object('failures', failures,
               'failingSince', floor(extract(epoch FROM failing_since) * 1000))) END,
           last_success_at = CASE WHEN $3 THEN now() ELSE last_success_at END,
           due_at = CASE WHEN $3 THEN wanted_at ELSE due_at END
         WHERE workspace = $1 AND pipeline = $2`,
        [job.workspace, job.pipeline, isWhole],
      );
      await dispatchWorkspaceJobs(client, this.#boss, [job.workspace]);
    });
  }

  /** Puts a job back into the queue because its input does not exist yet; no attempt is counted. */
  async postpone(job: ActiveJob, worker: string, end: JobResult): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await saveJobResult(client, job, end);
      await requeueWithoutCountingAttempt(client, this.#boss, job, inputPauseMs);
    });
  }

  /** Ends a job that needs a person's decision; its pipeline is tried again at its next scheduled time. */
  async leaveToPerson(job: ActiveJob, worker: string, end: JobResult): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await this.#complete(client, job);
      await saveJobResult(client, job, end);
      await dispatchWorkspaceJobs(client, this.#boss, [job.workspace]);
    });
  }

  /** Ends the slice of a job. Its run is due again at once; other due work of the workspace may go first. */
  async continueLater(job: ActiveJob, worker: string, run: string | undefined): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      // An assignment can hold only one request: if a newer one waits there, the job is requeued and keeps its own.
      if (job.asked !== undefined && (await hasRequest(client, job)))
        return await requeueWithoutCountingAttempt(client, this.#boss, job, 0);
      await this.#complete(client, job);
      await client.query(
        `UPDATE longshore.assignment SET asked = COALESCE($4, asked), resume_run = $3, deaths = 0,
           wanted_at = CASE WHEN $4::jsonb IS NULL THEN now() ELSE wanted_at END
         WHERE workspace = $1 AND pipeline = $2`,
        [job.workspace, job.pipeline, run, job.asked === undefined ? null : JSON.stringify(job.asked)],
      );
      await dispatchWorkspaceJobs(client, this.#boss, [job.workspace]);
    });
  }

  /** Fails a job: it is retried later, or moves to the dead letter queue if `again` is false or no retry is left. */
  async fail(
    job: ActiveJob,
    worker: string,
    end: JobResult,
    { again }: { readonly again: boolean },
  ): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await failJob(client, this.#boss, job, end, again ? 'later' : 'never');
    });
  }

  /** Puts a job back into the queue because this machine cannot run it; no attempt is counted. */
  async giveBack(job: ActiveJob, worker: string, end: JobResult): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      await saveJobResult(client, job, end);
      await requeueWithoutCountingAttempt(client, this.#boss, job, 0);
    });
  }

  /** Requeues a job whose process died; at the fleet's limit of deaths in a row it fails, and is added to `failed`. */
  async died(job: ActiveJob, worker: string, end: JobResult, failed: UnrunJob[] = []): Promise<boolean> {
    return await this.#settle(job, worker, async (client) => {
      const { workspace, pipeline, kind } = job;
      const message = await requeueCrashedJob(client, this.#boss, job, end, diedPauseMs);
      if (message !== undefined) failed.push({ workspace, pipeline, kind, message });
    });
  }

  /** Fails jobs that no machine of the fleet can run; returns them with the reasons. */
  async failRefused(refusedForMs: number, silenceMs: number): Promise<readonly UnrunJob[]> {
    return await failRefusedJobs(this.#pool, this.#boss, refusedForMs, silenceMs);
  }

  /**
   * Cancels those jobs of the workspaces for which `isMeant` returns true, including running ones. The
   * transaction must have locked the workspaces.
   */
  async withdrawIn(
    client: PoolClient,
    workspaces: readonly string[],
    isMeant: (job: JobPayload) => boolean,
  ): Promise<void> {
    await cancelJobs(client, this.#boss, workspaces, isMeant);
  }

  /**
   * Takes the waiting jobs of workspaces out of the queue and marks their assignments as due. The transaction
   * must have locked the workspaces.
   */
  async putBackIn(client: PoolClient, workspaces: readonly string[]): Promise<void> {
    await unqueueWaitingJobs(client, this.#boss, workspaces);
  }

  /**
   * Locks workspaces, takes their jobs that wait for the time of their next attempt out of the queue, and marks the
   * assignments of these as due; returns them.
   */
  async putBackDelayedIn(
    client: PoolClient,
    workspaces: readonly string[],
  ): Promise<readonly AssignmentId[]> {
    await client.query('SELECT 1 FROM longshore.workspace WHERE name = ANY($1) ORDER BY name FOR UPDATE', [
      workspaces,
    ]);
    return await unqueueDelayedJobs(client, this.#boss, workspaces);
  }

  /** Removes the jobs of these assignments from the dead letter queue; returns them. */
  async forgetDeadIn(client: PoolClient, of: readonly AssignmentId[]): Promise<readonly DeadJob[]> {
    return await removeDeadJobs(client, this.#boss, of);
  }

  /**
   * Requeues the jobs of workers that have shut down or are silent for `silenceMs`, and jobs that their workers do not
   * list; returns the workspaces of these jobs. A job at the fleet's limit of deaths fails, and is added to `failed`.
   * The silence lasts until `now` (ms since 1970); left out, until the present time of the database.
   */
  async failLost(
    silenceMs: number,
    failed: UnrunJob[] = [],
    now: number | null = null,
  ): Promise<readonly string[]> {
    return await requeueLostJobs(this.#pool, this.#boss, { silenceMs, now }, failed);
  }

  /** Fails jobs that hang, and removes old jobs, workers and unused lists; to be called every few minutes. */
  async maintain(): Promise<void> {
    await this.#boss.maintain();
    await reconcileJobs(this.#pool);
    await removeUnusedAnswerLists(this.#pool);
  }

  async #complete(client: PoolClient, { id, workspace }: ActiveJob): Promise<void> {
    await this.#boss.complete(jobQueueName, id, {}, { db: toPgBossDatabase(client) });
    await clearWorkspaceJob(client, workspace);
  }

  /**
   * Runs `work` in a transaction that locks the workspace, if the job is still this worker's; returns true if it is.
   */
  async #settle(
    { workspace, id }: ActiveJob,
    worker: string,
    work: (client: PoolClient) => Promise<void>,
  ): Promise<boolean> {
    return await inTransaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(
        'SELECT 1 FROM longshore.workspace WHERE name = $1 AND job = $2 AND worker = $3 FOR UPDATE',
        [workspace, id, worker],
      );
      if (rowCount !== 1 || (await readJobState(client, jobQueueName, id)) !== 'active') return false;
      await work(client);
      await removeUnusedAnswerLists(client, workspace);
      return true;
    });
  }
}

/** Opens the queue on a pool, which the caller closes. */
export async function openJobQueue(pool: Pool): Promise<JobQueue> {
  return new JobQueue(pool, await openPgBoss(pool));
}

/** Returns true if a newer request to the job's pipeline is waiting. */
async function hasRequest(client: PoolClient, { workspace, pipeline }: ActiveJob): Promise<boolean> {
  const rows = await selectRows(
    client,
    z.object({ waits: z.boolean() }),
    'SELECT asked IS NOT NULL AS waits FROM longshore.assignment WHERE workspace = $1 AND pipeline = $2',
    [workspace, pipeline],
  );
  return rows.some(({ waits }) => waits);
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
  data: jobPayloadSchema,
  /** The number of earlier attempts. */
  retries: z.int(),
  /** The number of attempts after the first. */
  retry_limit: z.int(),
});

/**
 * Activates the most urgent waiting job; undefined if there is none. Replaces the `fetch` of pg-boss 10, which cannot
 * exclude workspaces.
 */
async function fetchJob(
  client: PoolClient,
  refused: readonly string[],
): Promise<z.output<typeof fetchedJob> | undefined> {
  const [fetched] = await selectRows(
    client,
    fetchedJob,
    // A subquery in place of the CTE may be evaluated more than once, and would take more than one job.
    `WITH next AS (SELECT id FROM ${queueSchemaName}.job
       WHERE name = $1 AND state < 'active' AND start_after <= now() AND NOT data->>'workspace' = ANY($2)
       ORDER BY priority DESC, created_on, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE ${queueSchemaName}.job j SET state = 'active', started_on = now(),
       retry_count = CASE WHEN j.started_on IS NULL THEN j.retry_count ELSE j.retry_count + 1 END
     FROM next WHERE j.name = $1 AND j.id = next.id
     RETURNING j.id, j.data, j.retry_count AS retries, j.retry_limit`,
    [jobQueueName, refused],
  );
  return fetched;
}
