import type { LoadedPipeline } from '../../runs/pipeline/index.ts';
import { importRun } from '../../wiring/import-run.ts';
import { variable } from '../../wiring/variables.ts';
import { systemClock, systemRandomness } from '../../workspace/index.ts';
import type { JobEnd } from '../queue/job.ts';
import { withLocalInput } from './inputs.ts';
import { runJob } from './run-job.ts';
import type { JobSurroundings } from './surroundings.ts';
import { targetOf } from './token.ts';

/** Imports, or continues an import that was interrupted wherever it was. */
export async function runImportJob(loaded: LoadedPipeline, surroundings: JobSurroundings): Promise<JobEnd> {
  const { order, orders } = surroundings;
  const outside = { clock: systemClock, randomness: systemRandomness, signal: orders.stop.signal, variable };
  const pipeline = await withLocalInput(loaded, order, outside);
  const job = { pipelineFile: order.file, fresh: false, selection: { kind: 'all' }, full: false } as const;
  const site = { workDir: order.workDir, target: targetOf(order.workspace) };
  return await runJob(importRun(pipeline, job, site), surroundings);
}
