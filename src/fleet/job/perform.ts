import type { Pool } from 'pg';
import { allowVariables } from '../../wiring/variables.ts';
import { prepareWorkDir } from '../../wiring/work-dir.ts';
import { systemClock } from '../../workspace/index.ts';
import { fleetKey } from '../crypt/key.ts';
import { connectDatabase, databaseVariable } from '../database/connect.ts';
import { loadAssigned } from '../fleet-file/pipelines.ts';
import type { JobEnd } from '../queue/job.ts';
import { openShipping } from '../ship/ship.ts';
import { endedBy } from './ended-by.ts';
import type { FromJob, JobOrder } from './messages.ts';
import type { Orders } from './orders.ts';
import { runExportJob } from './run-export.ts';
import { runImportJob } from './run-import.ts';

/** Does a job under the lease of its worker, with a journal that is shipped; never throws. */
export async function performJob(
  order: JobOrder,
  orders: Orders,
  say: (message: FromJob) => void,
): Promise<JobEnd> {
  try {
    allowVariables(order.allowEnv);
    prepareWorkDir(order.workDir, (text) => say({ kind: 'note', text }));
    const pool = await connectDatabase(process.env[databaseVariable], 2);
    try {
      return await withShipping(pool, order, orders, say);
    } finally {
      await pool.end();
    }
  } catch (error) {
    return endedBy(error);
  }
}

async function withShipping(
  pool: Pool,
  order: JobOrder,
  orders: Orders,
  say: (message: FromJob) => void,
): Promise<JobEnd> {
  const { workspace, token, workDir } = order;
  const shipping = await openShipping(pool, workDir, {
    workspace: workspace.name,
    token,
    key: fleetKey(process.env),
    clock: systemClock,
    signal: orders.lost,
  });
  try {
    if (shipping.from === 'restored')
      say({ kind: 'note', text: 'The journal was restored from the database.' });
    const loaded = await loadAssigned(
      { workspaces: [workspace] },
      { file: order.file, kind: order.kind, workspace: workspace.name },
    );
    const surroundings = { order, orders, pool, shipping, say };
    const end =
      'import' in loaded
        ? await runImportJob(loaded, surroundings)
        : await runExportJob(loaded, surroundings);
    await shipping.ship();
    return end;
  } finally {
    await shipping.close();
  }
}
