// Imports a pipeline under a lease, its journal shipped to the database, as a job of a worker does; at the end it says how it ended.
// It may stop itself (SIGSTOP) right after the n-th shipment arrived (`committed`), right before the lease is looked at for the
// n-th request (`leaving`), or right after that, before the request is written (`held`).
// Without a url it imports without a fleet.
// Usage: import-shipped.mjs JSON, with url, workDir, workspace, key, pipeline, baseUrl, leaseMs, stopAt: { place, nth }.
import { writeSync } from 'node:fs';
import { createGuardedImportRun } from '../../../dist/app/plan/guarded-import.js';
import { runPipeline } from '../../../dist/app/run/run-pipeline.js';
import { createRemoteTarget } from '../../../dist/app/run/target.js';
import { parseFleetKey } from '../../../dist/fleet/crypt/key.js';
import { connectDatabase } from '../../../dist/fleet/database/connect.js';
import { startRenewingLease, takeLease } from '../../../dist/fleet/lease/lease.js';
import { JobProcessLease } from '../../../dist/fleet/lease/lease-end.js';
import { openJournalShipping } from '../../../dist/fleet/ship/ship.js';
import { createLibraryCallbacks } from '../../../dist/library/options.js';
import { loadImportPipeline } from '../../../dist/pipeline/index.js';
import { systemClock } from '../../../dist/workspace/index.js';

const job = JSON.parse(process.argv[2]);
const { workDir, workspace, leaseMs, stopAt } = job;
const ports = { clock: systemClock };

let count = 0;
function at(place) {
  if (stopAt?.place !== place) return;
  count += 1;
  if (count !== stopAt.nth) return;
  writeSync(1, '{"stopped":true}\n');
  process.kill(process.pid, 'SIGSTOP');
}

/** The ports of a job, and what ends it. */
async function underLease() {
  const pool = await connectDatabase(job.url);
  const times = { leaseMs, settleMs: 0 };
  const lease = await takeLease(pool, workspace, 'job', times, new AbortController().signal, ports);
  const known = new JobProcessLease(lease.until());
  const stopRenewing = startRenewingLease(lease, times, ports, (end) => known.extend(end));
  const { token, lost: signal } = lease;
  const key = parseFleetKey(job.key, {});
  const shipping = await openJournalShipping(pool, workDir, {
    workspace,
    token,
    key,
    clock: systemClock,
    signal,
  });
  const { from, sent } = shipping;
  return {
    said: { from, sent },
    fleet: {
      shipping: {
        async ship() {
          await shipping.ship();
          at('committed');
        },
      },
      leave: {
        assertHeld() {
          at('leaving');
          known.assertHeld();
          at('held');
        },
      },
    },
    async end() {
      await shipping.close();
      await stopRenewing();
      if (!lease.lost.aborted) await lease.release();
      await pool.end();
    },
  };
}

const { fleet, said, end } = job.url === undefined ? { said: {}, end() {} } : await underLease();
const pipeline = await loadImportPipeline(job.pipeline);
const asked = { pipelineFile: job.pipeline, fresh: false, full: false, selection: { kind: 'all' } };
const invocation = { program: 'npx longshore', words: [], allowEnv: [] };
const target = createRemoteTarget(job.baseUrl, 'sandbox');
const site = { workDir, invocation, workspace: job.baseUrl, target, fleet };
const begun = performance.now();
const used = process.cpuUsage();
try {
  const { exitCode, report, error } = await runPipeline(
    createGuardedImportRun(pipeline, asked, site),
    site,
    createLibraryCallbacks({}),
  );
  Object.assign(said, { exitCode, rows: report.run.rows, run: report.run.run, error: wordsOf(error) });
} catch (error) {
  said.error = wordsOf(error);
}
const { user, system } = process.cpuUsage(used);
Object.assign(said, { seconds: (performance.now() - begun) / 1_000, cpuMs: (user + system) / 1_000 });
await end();
writeSync(1, `${JSON.stringify(said)}\n`);

function wordsOf(error) {
  return error && { reason: error.reason, message: error.message };
}
