import { checkAlerts } from '../runs/check/alerts.ts';
import { type Checked, check } from '../runs/check/check.ts';
import { checkExport } from '../runs/check/export/check-export.ts';
import type { Finding } from '../runs/check/finding.ts';
import {
  loadExportDocument,
  loadPipeline,
  type NotifySettings,
  pipelineKind,
} from '../runs/pipeline/index.ts';
import type { Workspace, WorkspaceEvent } from '../workspace/index.ts';
import { openImpatiently } from './open-client.ts';
import { findSource } from './open-source.ts';
import { noteEvents } from './run-event.ts';
import { openTarget, type Target, tokenIn, type WorkspaceSettings } from './target.ts';
import { prepareWorkDir } from './work-dir.ts';

/** A pipeline to check. */
export interface CheckJob {
  readonly pipelineFile: string;
  readonly workspace: string | undefined;
  readonly workDir: string;
  /** Asks the workspace, too. */
  readonly online: boolean;
  /** Hears what is waited for. */
  readonly waiting?: (text: string) => void;
  /** Finds the workspace where it is asked; otherwise as a command finds it. */
  openTarget?(settings: WorkspaceSettings): Promise<Target>;
}

/** Looks for what is wrong with a pipeline, its mapping and its input; changes nothing anywhere. */
export async function findProblems(
  job: CheckJob,
  signal: AbortSignal,
): Promise<Checked & { readonly kind: 'import' | 'export' }> {
  const kind = await pipelineKind(job.pipelineFile);
  return { kind, ...(await (kind === 'import' ? ofImport : ofExport)(job, signal)) };
}

async function ofImport(job: CheckJob, signal: AbortSignal): Promise<Checked> {
  const pipeline = await loadPipeline(job.pipelineFile);
  const settings = pipeline.import;
  const alerts = alertsOf(settings.notify);
  const { workDir, waiting } = job;
  if (!job.online)
    return withAlerts(await check({ pipeline, workDir, workspace: undefined, waiting, signal }), alerts);
  prepareWorkDir(workDir);
  const liveSource = findSource(pipeline, job)?.live(signal, heard(job), 'impatient');
  return await withWorkspace(job, settings, signal, async (workspace) =>
    withAlerts(await check({ pipeline, workDir, workspace, liveSource, waiting, signal }), alerts),
  );
}

async function ofExport(job: CheckJob, signal: AbortSignal): Promise<Checked> {
  const document = await loadExportDocument(job.pipelineFile);
  const settings = document.pipeline.export;
  const alerts = alertsOf(settings.notify);
  if (!job.online) return exported(await checkExport({ document, workspace: undefined }), alerts);
  prepareWorkDir(job.workDir);
  return await withWorkspace(job, settings, signal, async (workspace) =>
    exported(await checkExport({ document, workspace }), alerts),
  );
}

function withAlerts({ findings, rows }: Checked, alerts: readonly Finding[]): Checked {
  return { findings: [...findings, ...alerts], rows };
}

function exported(findings: readonly Finding[], alerts: readonly Finding[]): Checked {
  return { findings: [...findings, ...alerts], rows: null };
}

async function withWorkspace<T>(
  job: CheckJob,
  settings: {
    readonly workspace: WorkspaceSettings;
    readonly limits: Parameters<typeof openImpatiently>[1];
  },
  signal: AbortSignal,
  ask: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const target = await (job.openTarget?.(settings.workspace) ?? openTarget(job, settings.workspace));
  const workspace = openImpatiently(target, settings.limits, signal, heard(job));
  try {
    return await ask(workspace);
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

function heard({ waiting }: CheckJob): (event: WorkspaceEvent) => void {
  return waiting === undefined ? () => undefined : noteEvents(waiting);
}

function alertsOf(notify: NotifySettings | undefined): readonly Finding[] {
  return checkAlerts(notify, (variable) => tokenIn(variable) !== '');
}
