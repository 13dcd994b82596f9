import { join } from 'node:path';
import { commandAt } from '../../model/command.ts';
import type { LoadedExportPipeline } from '../../pipeline/export-settings.ts';
import { packageVersion } from '../../storage/package.ts';
import { formatCommandLine, nextStepText } from '../run/command-line.ts';
import type { ExportEvent } from '../run/events.ts';
import type { PipelineRun } from '../run/run-pipeline.ts';
import type { CommandSite } from '../run/target.ts';
import { workDirArgument } from '../run/work-dir.ts';
import { runCompaction, runExport } from './export.ts';
import { isStoppedByExpectation } from './guards.ts';
import { exportHtml } from './report/export-html.ts';
import { type ExportSummary, exportSummary, writeExportFiles } from './report/export-summary.ts';
import type { ExportEnd, ExportRequest } from './request.ts';

/** The options of an export. */
export interface ExportJob extends Pick<ExportRequest, 'fresh' | 'resumed' | 'full' | 'accept' | 'deliver'> {
  /** True to combine the last full export and its increments into a new full export. */
  readonly compact: boolean;
}

/** The summary of an export, and the commands to type next. */
export interface ExportReport {
  readonly run: ExportSummary;
  readonly next: string | undefined;
  /** The command that continues with the fetched data; undefined if none is left. */
  readonly again: string | undefined;
}

/** Creates the run of an export for `runPipeline`, with its report. */
export function exportRun(
  pipeline: LoadedExportPipeline,
  { compact, fresh, resumed, full, accept, deliver }: ExportJob,
  site: CommandSite,
): PipelineRun<ExportEvent, ExportEnd, ExportReport> {
  const { workspace, invocation } = site;
  const workDir = workDirArgument(site.workDir);
  const command = (...words: readonly string[]) => commandAt({ workspace, workDir }, ...words);
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
      const summary = exportSummary(file, run, { runDir, manifest, next: again });
      await writeExportFiles(
        runDir,
        summary,
        exportHtml(file, run, summary, { manifest, invocation }),
        scrub,
      );
      return { run: summary, next: (error && nextStepText(error, invocation)) ?? again, again };
    },
  };
}
