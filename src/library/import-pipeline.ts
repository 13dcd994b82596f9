import type { Summary } from '../report/summary.ts';
import type { RunEvent } from '../runs/events.ts';
import { loadPipeline } from '../runs/pipeline/index.ts';
import { importOnce } from '../wiring/import-once.ts';
import { findSource } from '../wiring/open-source.ts';
import { variable } from '../wiring/variables.ts';
import { withAlerts } from '../wiring/with-alerts.ts';
import { asCall, LongshoreError, refuseOption } from './longshore-error.ts';
import { atProgram, placeOf, type RunOptions } from './options.ts';

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
    const { workDir, workspace, token, open } = placeOf(options);
    const pipeline = await loadPipeline(pipelineFile);
    const { notify, workspace: settings } = pipeline.import;
    const caller = atProgram(options);
    const alerted = {
      pipeline: pipeline.pipeline,
      kind: 'import',
      notify,
      token: token ?? (workspace === 'sandbox' ? '' : variable(settings.tokenEnv)),
      ...{ workspace, workDir },
    } as const;
    const job = {
      ...{ pipeline, pipelineFile, workspace, workDir, fresh, limit },
      source: findSource(pipeline, { workspace, workDir }),
      choice: { selection: { kind: 'all' }, full },
      openTarget: () => open(settings),
    } as const;
    const { listen } = caller;
    const { run, error } = await withAlerts(alerted, caller, () =>
      importOnce(job, caller, { listen, ended: () => undefined }),
    );
    if (run === undefined) throw error;
    if (error !== undefined) throw new LongshoreError(error, run);
    return run;
  });
}
