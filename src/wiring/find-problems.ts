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
import { noteEvents } from './caller.ts';
import { openImpatiently } from './open-client.ts';
import { findSource } from './open-source.ts';
import { announce, announceTarget, openTarget, type Target, type WorkspaceSettings } from './target.ts';
import { assertAllowed, variable } from './variables.ts';
import { prepareWorkDir } from './work-dir.ts';

/** A pipeline to check. */
export interface CheckJob {
  readonly pipelineFile: string;
  readonly workspace: string | undefined;
  readonly workDir: string;
  /** Of an import: the input in place of the pipeline's own. */
  readonly source?: string | undefined;
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
  const pipeline = await loadPipeline(job.pipelineFile, job.source);
  const settings = pipeline.import;
  if (job.workspace !== 'sandbox') assertAllowed(settings.workspace.tokenEnv);
  const alerts = alertsOf(settings.notify);
  const { workDir, waiting } = job;
  if (!job.online)
    return withAlerts(await check({ pipeline, workDir, workspace: undefined, waiting, signal }), alerts);
  prepareWorkDir(workDir, hears(job));
  const source = findSource(pipeline, job);
  if (source?.baseUrl !== undefined) announce('Source', source.baseUrl, { note: hears(job) });
  const liveSource = source?.live(signal, heard(job), 'impatient');
  return await withWorkspace(job, settings, signal, async (workspace) =>
    withAlerts(await check({ pipeline, workDir, workspace, liveSource, waiting, signal }), alerts),
  );
}

async function ofExport(job: CheckJob, signal: AbortSignal): Promise<Checked> {
  const document = await loadExportDocument(job.pipelineFile);
  const settings = document.pipeline.export;
  if (job.workspace !== 'sandbox') assertAllowed(settings.workspace.tokenEnv);
  const alerts = alertsOf(settings.notify);
  if (!job.online) return exported(await checkExport({ document, workspace: undefined }), alerts);
  prepareWorkDir(job.workDir, hears(job));
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
  announceTarget(target, { note: hears(job) });
  const workspace = openImpatiently(target, settings.limits, signal, heard(job));
  try {
    return await ask(workspace);
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

function heard(job: CheckJob): (event: WorkspaceEvent) => void {
  return noteEvents(hears(job));
}

function hears({ waiting }: CheckJob): (text: string) => void {
  return waiting ?? (() => undefined);
}

function alertsOf(notify: NotifySettings | undefined): readonly Finding[] {
  return checkAlerts(notify, (name) => variable(name) !== '');
}
