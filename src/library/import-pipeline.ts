import type { Summary } from '../app/import/report/summary.ts';
import { guardedImport } from '../app/plan/guarded-import.ts';
import type { RunEvent } from '../app/run/events.ts';
import { runPipeline } from '../app/run/run-pipeline.ts';
import { loadPipeline } from '../pipeline/index.ts';
import { asCall, refuseOption, reported } from './longshore-error.ts';
import { atProgram, type RunOptions, siteOf } from './options.ts';

/** What importPipeline takes. */
export interface ImportOptions extends RunOptions<RunEvent> {
  /** Imports only the first N rows; the next call continues from there. */
  readonly limit?: number | undefined;
  /** Compares every row with the workspace, whatever earlier runs remember. */
  readonly full?: boolean | undefined;
}

/**
 * Imports a pipeline, as the command does: continues its unfinished run or starts a new one. Resolves with the summary
 * once every row has an outcome (exitCode 3 where rows need manual action); rejects with a LongshoreError otherwise.
 */
export async function importPipeline(pipelineFile: string, options: ImportOptions = {}): Promise<Summary> {
  return await asCall(async () => {
    const { limit, fresh = false, full = false } = options;
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) {
      refuseOption('limit', `limit takes a whole number from 1 on, not ${limit}.`);
    }
    const site = siteOf(options);
    const pipeline = await loadPipeline(pipelineFile);
    const job = { pipelineFile, fresh, limit, full, selection: { kind: 'all' } } as const;
    const ending = runPipeline(guardedImport(pipeline, job, site), site, atProgram(options));
    return await reported(ending);
  });
}
