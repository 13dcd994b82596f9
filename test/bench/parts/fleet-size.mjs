import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyFleet } from '../../../dist/fleet/apply/apply.js';
import { createApplyPlan } from '../../../dist/fleet/apply/plan.js';
import { prepareDatabase } from '../../../dist/fleet/control/open.js';
import { readFleetStatus } from '../../../dist/fleet/control/status.js';
import { connectDatabase } from '../../../dist/fleet/database/connect.js';
import { loadFleet } from '../../../dist/fleet/fleet-file/load.js';
import { openJobQueue } from '../../../dist/fleet/queue/queue.js';
import { runSchedulerTick } from '../../../dist/fleet/schedule/ticker.js';
import { figure, median, rounded } from '../report.mjs';
import { withFolder } from '../run/command.mjs';
import { withPostgres } from '../server/start-postgres.mjs';

const ended = { run: null, exitCode: 0, message: null, next: null };
const megabytes = (bytes) => bytes / 1e6;

/** A fleet of each size in a real database, with jobs that do nothing: what its file, its tables and its queue take. */
export async function measureFleetSize({ fleetSize: { workspaces, jobs } }) {
  const figures = [];
  for (const n of workspaces)
    figures.push(...(await withFolder((folder) => withPostgres((url) => measure(url, folder, n, jobs)))));
  return figures;
}

async function measure(url, folder, n, jobs) {
  await prepareDatabase(url, undefined);
  const pool = await connectDatabase(url);
  try {
    const queue = await openJobQueue(pool);
    const file = writeFleet(folder, n);
    const load = await timed(() => loadFleet(file));
    const plan = await createApplyPlan(pool, load.value);
    const apply = await timed(() => applyFleet(pool, queue, load.value, plan));
    const idle = await timed(() => readFleetStatus(pool));
    // The worst night: everything is due in the same second.
    await pool.query(`UPDATE longshore.assignment SET next_at = now() - interval '1 second'`);
    const before = await used(pool);
    let firstMs = 0;
    const begun = performance.now();
    const clock = async (client) => {
      const { rows } = await client.query(
        'SELECT now(), EXISTS (SELECT 1 FROM longshore.workspace WHERE job IS NOT NULL) AS out',
      );
      if (firstMs === 0 && rows[0].out) firstMs = performance.now() - begun;
      return rows[0].now.getTime();
    };
    const due = await timed(() => runSchedulerTick(pool, queue, clock));
    const sent = await used(pool);
    const waiting = await timed(() => readFleetStatus(pool));
    const took = await takeAndFinish(queue, Math.min(jobs, n));
    const after = await used(pool);
    const of = (what) => `${what}, ${rounded(n)} workspaces`;
    const seconds = (name, { ms }, more = {}) =>
      figure({ name: of(name), value: ms / 1_000, unit: ' s', digits: 2, ...more });
    return [
      seconds('fleet.yaml read', load),
      seconds('fleet apply', apply),
      seconds('fleet status, nothing waits', idle, { atMost: 1 }),
      seconds('fleet status, all wait', waiting, { atMost: 1 }),
      seconds('all due at once, in the queue', due),
      figure({
        name: of('the first of them handed out after'),
        value: (firstMs || due.ms) / 1_000,
        unit: ' s',
        digits: 2,
        atMost: 5,
      }),
      figure({ name: of('a job taken, median'), value: median(took.take), unit: ' ms', digits: 1 }),
      figure({ name: of('a job settled, median'), value: median(took.finish), unit: ' ms', digits: 1 }),
      figure({
        name: of('log of PostgreSQL for a thousand jobs'),
        value:
          (megabytes(sent.log - before.log) / n + megabytes(after.log - sent.log) / took.take.length) * 1_000,
        unit: ' MB',
        digits: 1,
        note: 'sent, taken and settled',
      }),
      figure({
        name: of('disk of the database'),
        value: megabytes(after.disk),
        unit: ' MB',
        digits: 0,
      }),
    ];
  } finally {
    await pool.end();
  }
}

function writeFleet(folder, n) {
  mkdirSync(join(folder, 'out'));
  const pipeline = {
    pipeline: 'nightly',
    export: { to: '{workspace}/{date}', contacts: { format: 'csv' }, messages: { format: 'ndjson' } },
  };
  writeFileSync(join(folder, 'nightly.yaml'), JSON.stringify(pipeline));
  const schedule = { cron: '0 2 * * *', timezone: 'UTC', spread: '20m' };
  const fleet = {
    fleet: 'size',
    defaults: { tokenFile: 'tokens/{workspace}', baseUrl: 'http://127.0.0.1:9/v1' },
    workspaces: Object.fromEntries(Array.from({ length: n }, (_, each) => [`w${each}`, {}])),
    pipelines: { nightly: { file: 'nightly.yaml', schedule } },
    places: { outputs: 'out' },
  };
  const file = join(folder, 'fleet.yaml');
  writeFileSync(file, JSON.stringify(fleet, null, 1));
  return file;
}

async function takeAndFinish(queue, jobs) {
  const took = { take: [], finish: [] };
  for (let done = 0; done < jobs; done += 1) {
    const taken = await timed(() => queue.take('bench'));
    took.take.push(taken.ms);
    took.finish.push((await timed(() => queue.finish(taken.value, 'bench', ended))).ms);
  }
  return took;
}

async function used(pool) {
  const { rows } = await pool.query(
    `SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS log, pg_database_size(current_database())::float8 AS disk`,
  );
  return rows[0];
}

async function timed(work) {
  const begun = performance.now();
  const value = await work();
  return { value, ms: performance.now() - begun };
}
