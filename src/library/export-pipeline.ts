import { exportRun } from '../app/export/export-run.ts';
import type { ExportSummary } from '../app/export/report/export-summary.ts';
import type { ExportEvent } from '../app/run/events.ts';
import { runPipeline } from '../app/run/run-pipeline.ts';
import { loadExportPipeline } from '../pipeline/index.ts';
import { asCall, refuseOption, reported } from './longshore-error.ts';
import { atProgram, type RunOptions, siteOf } from './options.ts';

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
    const site = siteOf(options);
    const pipeline = await loadExportPipeline(pipelineFile);
    const job = { fresh, full, compact, accept, resumed: false };
    const ending = runPipeline(exportRun(pipeline, job, site), site, atProgram(options));
    return await reported(ending);
  });
}
