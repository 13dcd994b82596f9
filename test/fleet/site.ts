import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { applyFleet } from '../../src/fleet/apply/apply.ts';
import { createApplyPlan, defaultLateAfter } from '../../src/fleet/apply/plan.ts';
import { prepareDatabase } from '../../src/fleet/control/open.ts';
import { connectDatabase } from '../../src/fleet/database/connect.ts';
import type { Assignment, Fleet } from '../../src/fleet/fleet-file/fleet.ts';
import { type JobQueue, openJobQueue } from '../../src/fleet/queue/queue.ts';
import { type Postgres, startPostgres } from './postgres.ts';

/** A prepared database of a test file's own, empty before each test. */
export interface FleetSite {
  readonly pool: Pool;
  readonly queue: JobQueue;
  readonly url: string;
}

export const workerPassword = 'a-password-of-this-test';

export function fleetSite(): FleetSite {
  let open: { postgres: Postgres; pool: Pool; queue: JobQueue } | undefined;
  const there = () => {
    if (open === undefined) throw new Error('the database is not there yet');
    return open;
  };
  beforeAll(async () => {
    const postgres = await startPostgres();
    await prepareDatabase(postgres.url, workerPassword);
    const pool = await connectDatabase(postgres.url, 10);
    open = { postgres, pool, queue: await openJobQueue(pool) };
  });
  beforeEach(async () => {
    await there().pool.query(
      'TRUNCATE longshore.fleet, longshore.workspace, longshore.assignment, longshore.worker, longshore.attempt; DELETE FROM longshore_queue.job',
    );
  });
  afterAll(async () => {
    await there().pool.end();
    await there().postgres.remove();
  });
  return {
    get pool() {
      return there().pool;
    },
    get queue() {
      return there().queue;
    },
    get url() {
      return there().postgres.url;
    },
  };
}

export const everyNight = { cron: '0 2 * * *', timezone: 'UTC', spread: 0 };

/** What is said of an assignment beside its names. */
type Said = Partial<Pick<Assignment, 'schedule' | 'priority' | 'kind' | 'lateAfter'>>;

/** A fleet of these assignments, written as `acme nightly`. */
export function fleetOf(
  assignments: Readonly<Record<string, Said>>,
  limits: Partial<Fleet['limits']> = {},
): Fleet {
  const all = Object.entries(assignments).map(([names, said]): Assignment => {
    const [workspace = '', pipeline = ''] = names.split(' ');
    const file = `/fleet/${pipeline}.yaml`;
    return {
      ...{
        workspace,
        pipeline,
        file,
        files: [],
        contents: undefined,
        kind: 'export',
        schedule: undefined,
        priority: 0,
      },
      ...{ onChangedInput: 'delta', inputBy: undefined, lateAfter: defaultLateAfter, notify: undefined },
      ...said,
    };
  });
  const names = [...new Set(all.map(({ workspace }) => workspace))];
  return {
    name: 'agency',
    file: '/fleet/fleet.yaml',
    fingerprint: 'f',
    workspaces: names.map((name) => ({
      ...{ name, baseUrl: 'https://api.example.test/v1', values: {} },
      token: { env: `LONGSHORE_TOKEN_${name.toUpperCase()}` },
    })),
    assignments: all,
    limits: {
      ...{ perMachine: 4, slice: 1_800_000, lease: 30_000, settle: 10_000 },
      ...{ retries: 2, retryDelay: 1_000, deaths: 3 },
      ...limits,
    },
    places: { inputs: undefined, outputs: undefined, results: undefined },
    keepResults: undefined,
    alerts: undefined,
  };
}

/** Makes the database what a fleet says, as of a moment. */
export async function applied({ pool, queue }: FleetSite, fleet: Fleet, at: string): Promise<void> {
  const now = Date.parse(at);
  await applyFleet(pool, queue, fleet, await createApplyPlan(pool, fleet), {
    clock: () => Promise.resolve(now),
  });
}

/** Takes every job that can be taken, and says of which pipelines of which workspaces. */
export async function takeAll(
  { queue }: Pick<FleetSite, 'queue'>,
  worker: string,
): Promise<readonly string[]> {
  const job = await queue.take(worker);
  if (job === undefined) return [];
  return [`${job.workspace} ${job.pipeline}`, ...(await takeAll({ queue }, worker))];
}
