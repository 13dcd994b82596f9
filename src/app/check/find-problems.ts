import {
  loadExportPipelineDocument,
  loadImportPipeline,
  type NotifySettings,
  readPipelineKind,
} from '../../pipeline/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import { type CommandCallbacks, createNoteListener } from '../run/caller.ts';
import type { SourceWorkspaceOpener } from '../run/live-workspace.ts';
import { openInteractiveClient } from '../run/open-client.ts';
import { findSourceWorkspace } from '../run/open-source.ts';
import type { PipelineRun } from '../run/run-pipeline.ts';
import {
  announceTarget,
  announceWorkspace,
  type CommandContext,
  openWorkspaceTarget,
  tryResolveWorkspaceAddress,
} from '../run/target.ts';
import { assertEnvVariableAllowed, readEnvVariable } from '../run/variables.ts';
import { prepareWorkDir } from '../run/work-dir.ts';
import { type CheckReport, checkImport } from './check.ts';
import { checkExport } from './export/check-export.ts';
import { createNoteFinding, createOkFinding, type UnformattedFinding } from './finding.ts';

/** A pipeline to check. */
export interface PipelineCheckRequest {
  readonly pipelineFile: string;
  /** For an import: the input used instead of the pipeline's own. */
  readonly source?: string | undefined;
  /** Includes the checks against the workspace. */
  readonly online: boolean;
}

/** A loaded pipeline and the function that checks it, which gets the opened workspaces in an online check. */
interface Checkable extends Pick<PipelineRun<never, never, never>, 'settings' | 'source'> {
  look(workspace?: Workspace, place?: string, liveSource?: SourceWorkspaceOpener): Promise<CheckReport>;
}

/**
 * Checks a pipeline with its mapping, input and alerts and, if `online`, the workspace. Changes none of these, but may
 * create the work dir.
 */
export async function runPipelineCheck(
  job: PipelineCheckRequest,
  site: CommandContext,
  caller: CommandCallbacks,
): Promise<CheckReport & { readonly kind: 'import' | 'export' }> {
  const { stop, release } = caller.stoppable();
  try {
    const kind = await readPipelineKind(job.pipelineFile);
    const checkable = await (kind === 'import' ? ofImport : ofExport)(job, site, caller, stop.signal);
    const { workspace, notify } = checkable.settings;
    if (site.workspace !== 'sandbox') assertEnvVariableAllowed(workspace.tokenEnv, site.invocation);
    const alerts = checkAlerts(notify, (name) => readEnvVariable(name, site.invocation) !== '');
    const { findings, ...found } = job.online
      ? await lookOnline(checkable, site, caller, stop.signal)
      : await checkable.look();
    return { kind, findings: [...findings, ...alerts], ...found };
  } finally {
    release();
  }
}

async function ofImport(
  { pipelineFile, source }: PipelineCheckRequest,
  site: CommandContext,
  caller: CommandCallbacks,
  signal: AbortSignal,
): Promise<Checkable> {
  const pipeline = await loadImportPipeline(pipelineFile, source);
  const { workDir } = site;
  const target = tryResolveWorkspaceAddress(site.workspace, pipeline.import.workspace);
  const waiting = (text: string) => caller.note(text);
  return {
    settings: pipeline.import,
    source: () => findSourceWorkspace(pipeline, site),
    look: (workspace, place, liveSource) =>
      checkImport({ pipeline, workDir, target, workspace, place, liveSource, waiting, signal }),
  };
}

async function ofExport({ pipelineFile }: PipelineCheckRequest): Promise<Checkable> {
  const document = await loadExportPipelineDocument(pipelineFile);
  return {
    settings: document.pipeline.export,
    look: async (workspace) => ({
      findings: await checkExport({ document, workspace }),
      rows: null,
      leftBehind: [],
    }),
  };
}

async function lookOnline(
  checkable: Checkable,
  site: CommandContext,
  caller: CommandCallbacks,
  signal: AbortSignal,
): Promise<CheckReport> {
  const hear = createNoteListener((text) => caller.note(text));
  prepareWorkDir(site.workDir, (text) => caller.note(text));
  const source = checkable.source?.();
  if (source?.baseUrl !== undefined) announceWorkspace('Source', source.baseUrl, caller);
  const target = await openWorkspaceTarget(site, checkable.settings.workspace);
  announceTarget(target, caller);
  const workspace = openInteractiveClient(target, checkable.settings.limits, signal, hear);
  try {
    return await checkable.look(workspace, target.place, source?.live(signal, hear, 'impatient'));
  } finally {
    await workspace.close(0);
    await target.close();
  }
}

/** Returns the findings about a pipeline's alerts; `isSet` returns true for an environment variable with a value. */
export function checkAlerts(
  notify: NotifySettings | undefined,
  isSet: (variable: string) => boolean,
): readonly UnformattedFinding[] {
  if (notify === undefined) return [];
  const { url, on, secretEnv } = notify;
  const whom = `alerts go to ${new URL(url).host} (${on.join(', ')})`;
  if (isSet(secretEnv)) return [createOkFinding(`${whom}, signed with ${secretEnv}`)];
  return [
    {
      ...createNoteFinding(
        `${whom} unsigned: ${secretEnv} is not set, so the receiver cannot verify the sender`,
      ),
      next: `export ${secretEnv}=…   (any long random text; the receiver needs it, too)`,
    },
  ];
}
