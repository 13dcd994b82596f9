import type { ExportSummary } from '../report/export-summary.ts';
import type { ExportEvent } from '../runs/export/events.ts';
import { loadExportPipeline } from '../runs/pipeline/index.ts';
import { exportOnce } from '../wiring/export-once.ts';
import { variable } from '../wiring/variables.ts';
import { withAlerts } from '../wiring/with-alerts.ts';
import { asCall, LongshoreError, refuseOption } from './longshore-error.ts';
import { atProgram, placeOf, type RunOptions } from './options.ts';

/** What exportPipeline takes. */
export interface ExportOptions extends RunOptions<ExportEvent> {
  /** Exports everything, also where the pipeline asks for increments. */
  readonly full?: boolean | undefined;
  /** Makes a full export out of the last one and those that it follows. */
  readonly compact?: boolean | undefined;
  /** Lets the export appear although the pipeline expects something else (`expect`). */
  readonly accept?: boolean | undefined;
}

/**
 * Runs an export pipeline, as the command does: continues its unfinished run or starts a new one. Resolves with the
 * summary once the export is in its place; rejects with a LongshoreError otherwise.
 */
export async function exportPipeline(
  pipelineFile: string,
  options: ExportOptions = {},
): Promise<ExportSummary> {
  return await asCall(async () => {
    const { fresh = false, full = false, compact = false, accept = false } = options;
    if (compact && (full || fresh)) {
      refuseOption('compact', 'compact cannot be combined with full or fresh.');
    }
    const { workDir, workspace, token, open } = placeOf(options);
    const pipeline = await loadExportPipeline(pipelineFile);
    const { notify, workspace: settings } = pipeline.export;
    const caller = atProgram(options);
    const alerted = {
      pipeline: pipeline.pipeline,
      kind: 'export',
      notify,
      token: token ?? (workspace === 'sandbox' ? '' : variable(settings.tokenEnv)),
      ...{ workspace, workDir },
    } as const;
    const job = {
      ...{ pipeline, workspace, workDir, fresh, full, compact, accept, resumed: false },
      openTarget: () => open(settings),
    };
    const { listen } = caller;
    const { run, error } = await withAlerts(alerted, caller, () =>
      exportOnce(job, caller, { listen, ended: () => undefined }),
    );
    if (run === undefined) throw error;
    if (error !== undefined) throw new LongshoreError(error, run);
    return run;
  });
}
