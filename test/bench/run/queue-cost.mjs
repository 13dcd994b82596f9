import pg from 'pg';
import { applyFleet } from '../../../dist/fleet/apply/apply.js';
import { createApplyPlan } from '../../../dist/fleet/apply/plan.js';
import { prepareDatabase } from '../../../dist/fleet/control/open.js';
import { connectDatabase } from '../../../dist/fleet/database/connect.js';
import { openJobQueue } from '../../../dist/fleet/queue/queue.js';
import { runSchedulerTick } from '../../../dist/fleet/schedule/ticker.js';

const schedule = { cron: '0 2 * * *', timezone: 'UTC', spread: 0 };
const end = { run: null, exitCode: 0, message: null, next: null };

/** What a job costs that does nothing: to become due, to be sent, taken and settled; per job, in a database of its own. */
export async function queueCost(url, jobs) {
  const own = new URL(url);
  own.pathname = '/queue';
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE DATABASE queue');
  await client.end();
  await prepareDatabase(own.href, undefined);
  const pool = await connectDatabase(own.href);
  const queue = await openJobQueue(pool);
  const fleet = fleetOf(jobs);
  const at = (text) => () => Promise.resolve(Date.parse(text));
  await applyFleet(pool, queue, fleet, await createApplyPlan(pool, fleet), {
    clock: at('2026-01-01T12:00:00Z'),
  });
  const begun = performance.now();
  const used = process.cpuUsage();
  await runSchedulerTick(pool, queue, at('2026-01-02T02:00:00Z'));
  let done = 0;
  for (;;) {
    const job = await queue.take('worker');
    if (job === undefined) break;
    await queue.finish(job, 'worker', end);
    done += 1;
  }
  const { user, system } = process.cpuUsage(used);
  const ms = (performance.now() - begun) / jobs;
  await pool.end();
  if (done !== jobs) throw new Error(`${done} of ${jobs} jobs were taken`);
  return { ms, cpuMs: (user + system) / 1_000 / jobs };
}

function fleetOf(jobs) {
  const names = Array.from({ length: jobs }, (_, n) => `w${n}`);
  return {
    ...{ name: 'queue', file: '/fleet/fleet.yaml', fingerprint: 'f', alerts: undefined },
    workspaces: names.map((name) => ({
      ...{ name, baseUrl: 'https://api.example.test/v1', values: {}, token: { env: 'LONGSHORE_TOKEN' } },
    })),
    assignments: names.map((workspace) => ({
      ...{
        workspace,
        pipeline: 'nightly',
        file: '/fleet/nightly.yaml',
        kind: 'export',
        schedule,
        priority: 0,
      },
    })),
    limits: {
      ...{ perMachine: 4, slice: 1_800_000, lease: 30_000, settle: 10_000 },
      ...{ retries: 2, retryDelay: 1_000 },
    },
    places: { inputs: undefined, outputs: undefined },
  };
}
