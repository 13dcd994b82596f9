import { runPipelineCheck } from '../app/check/find-problems.ts';
import { type Finding, formatFindings } from '../app/check/finding.ts';
import { createExportRun } from '../app/export/export-run.ts';
import type { ExportSummary } from '../app/export/report/export-summary.ts';
import type { Summary } from '../app/import/report/summary.ts';
import { createGuardedImportRun } from '../app/plan/guarded-import.ts';
import type { ExportEvent, RunEvent } from '../app/run/events.ts';
import { runPipeline } from '../app/run/run-pipeline.ts';
import { loadExportPipeline, loadImportPipeline } from '../pipeline/index.ts';
import { throwOptionError, unwrapSummary, withLongshoreErrors } from './longshore-error.ts';
import { type CallOptions, createLibraryCallbacks, type RunOptions, toCommandContext } from './options.ts';

/** The options of importPipeline. */
export interface ImportOptions extends RunOptions<RunEvent> {
  /** Imports only the first N rows; the next call continues from there. */
  readonly limit?: number | undefined;
  /** Compares every row with the workspace, whatever earlier runs remember. */
  readonly full?: boolean | undefined;
}

/**
 * Runs the import of a pipeline, as the command does: continues its unfinished run or starts a new one. Resolves with the summary
 * once every row, up to `limit`, has an outcome (exitCode 3 where rows need manual action); rejects with a
 * LongshoreError otherwise.
 */
export async function importPipeline(pipelineFile: string, options: ImportOptions = {}): Promise<Summary> {
  return await withLongshoreErrors(options, async () => {
    const { limit, fresh = false, full = false } = options;
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0)) {
      throwOptionError('limit', `limit takes a whole number from 1 on, not ${limit}.`);
    }
    const site = toCommandContext(options);
    const pipeline = await loadImportPipeline(pipelineFile);
    const job = { pipelineFile, fresh, limit, full, selection: { kind: 'all' } } as const;
    const ending = runPipeline(
      createGuardedImportRun(pipeline, job, site),
      site,
      createLibraryCallbacks(options),
    );
    return await unwrapSummary(ending, site.workDir);
  });
}

/** The options of checkPipeline. */
export interface CheckOptions extends CallOptions {
  /** Also checks the workspace: base URL, token, custom fields. */
  readonly online?: boolean | undefined;
}

/** The result of a check, as `check --json` prints it. */
export interface CheckResult {
  /** True if a run could start. */
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/**
 * Checks a pipeline, its mapping and its input, and changes nothing; rejects with a LongshoreError where it cannot
 * check.
 */
export async function checkPipeline(pipelineFile: string, options: CheckOptions = {}): Promise<CheckResult> {
  return await withLongshoreErrors(options, async () => {
    const job = { pipelineFile, online: options.online ?? false };
    const site = toCommandContext(options);
    const found = await runPipelineCheck(job, site, createLibraryCallbacks({ signal: options.signal }));
    const findings = formatFindings(found.findings, site.invocation);
    return { ok: findings.every(({ verdict }) => verdict !== 'wrong'), findings };
  });
}

/** The options of exportPipeline. */
export interface ExportOptions extends RunOptions<ExportEvent> {
  /** Exports everything, even if the pipeline exports increments. */
  readonly full?: boolean | undefined;
  /** Combines the latest export and the ones it builds on into a full export. */
  readonly compact?: boolean | undefined;
  /** Publishes the export even if it is not what the pipeline expects (`expect`). */
  readonly accept?: boolean | undefined;
}

/**
 * Runs an export pipeline, as the command does: continues its unfinished run or starts a new one. Resolves with the
 * summary once the export is published; rejects with a LongshoreError otherwise.
 */
export async function exportPipeline(
  pipelineFile: string,
  options: ExportOptions = {},
): Promise<ExportSummary> {
  return await withLongshoreErrors(options, async () => {
    const { fresh = false, full = false, compact = false, accept = false } = options;
    if (compact && (full || fresh)) {
      throwOptionError('compact', 'compact cannot be combined with full or fresh.');
    }
    const site = toCommandContext(options);
    const pipeline = await loadExportPipeline(pipelineFile);
    const job = { fresh, full, compact, accept, resumed: false };
    const ending = runPipeline(createExportRun(pipeline, job, site), site, createLibraryCallbacks(options));
    return await unwrapSummary(ending, site.workDir);
  });
}
