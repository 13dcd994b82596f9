import { join } from 'node:path';
import { commandForTarget } from '../../model/command.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import { packageVersion } from '../../storage/package.ts';
import { formatCommandLine, formatErrorNextStep } from '../run/command-line.ts';
import type { ExportEvent } from '../run/events.ts';
import type { PipelineRun } from '../run/run-pipeline.ts';
import type { CommandContext } from '../run/target.ts';
import { toWorkDirArgument } from '../run/work-dir.ts';
import { runCompaction, runExport } from './export.ts';
import { isStoppedByExpectation } from './guards.ts';
import { renderExportHtml } from './report/export-html.ts';
import { createExportSummary, type ExportSummary, writeExportReportFiles } from './report/export-summary.ts';
import type { ExportEnd, ExportRequest } from './request.ts';

/** The options of an export. */
export interface ExportRunOptions
  extends Pick<ExportRequest, 'fresh' | 'resumed' | 'full' | 'accept' | 'deliver'> {
  /** True to combine the last full export and its increments into a new full export. */
  readonly compact: boolean;
}

/** The summary of an export, and the commands to type next. */
export interface ExportResult {
  readonly run: ExportSummary;
  readonly next: string | undefined;
  /** The command that continues with the fetched data; undefined if none is left. */
  readonly again: string | undefined;
}

/** Creates the run of an export for `runPipeline`, with its report. */
export function createExportRun(
  pipeline: LoadedExportPipeline,
  { compact, fresh, resumed, full, accept, deliver }: ExportRunOptions,
  site: CommandContext,
): PipelineRun<ExportEvent, ExportEnd, ExportResult> {
  const { workspace, invocation } = site;
  const workDir = toWorkDirArgument(site.workDir);
  const command = (...words: readonly string[]) => commandForTarget({ workspace, workDir }, ...words);
  return {
    kind: 'export',
    pipeline: pipeline.pipeline,
    settings: pipeline.export,
    start(outside) {
      const run = compact ? runCompaction : runExport;
      return run({
        ...outside,
        pipeline,
        version: packageVersion,
        fresh,
        resumed,
        full,
        accept,
        deliver,
        command,
      });
    },
    async report({ file, run, complete, error }, scrub) {
      const isOver =
        run.state === 'finished' || run.selection.kind === 'compact' || isStoppedByExpectation(run);
      const again = isOver ? undefined : formatCommandLine(['resume', run.id], {}, invocation);
      const runDir = join(site.workDir, 'runs', run.id);
      const manifest = complete?.manifest;
      const summary = createExportSummary(file, run, { runDir, manifest, next: again });
      await writeExportReportFiles(
        runDir,
        summary,
        renderExportHtml(file, run, summary, { manifest, invocation }),
        scrub,
      );
      return { run: summary, next: (error && formatErrorNextStep(error, invocation)) ?? again, again };
    },
  };
}
