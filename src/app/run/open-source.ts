import { dirname, join, resolve } from 'node:path';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { parseWorkspaceAccessOptions } from '../../sources/workspace/options.ts';
import { systemClock, type WorkspaceEvent } from '../../workspace/index.ts';
import { isLiveWorkspaceInput } from './input.ts';
import type { SourceWorkspaceOpener } from './live-workspace.ts';
import { openClient, openInteractiveClient } from './open-client.ts';
import {
  type CommandContext,
  openSandboxTarget,
  readRemoteTarget,
  resolveBaseUrl,
  type WorkspaceTarget,
} from './target.ts';
import { readEnvVariable } from './variables.ts';

/** The workspace that a pipeline reads, and the secrets that must appear in no file and on no screen. */
export interface PipelineSourceWorkspace {
  /** Undefined for a local workspace. */
  readonly baseUrl: string | undefined;
  readonly secrets: readonly string[];
  /** Returns the opener of the workspace; with `impatient`, the client gives up early, for an interactive command. */
  live(
    signal: AbortSignal,
    listen: (event: WorkspaceEvent) => void,
    manner?: 'patient' | 'impatient',
  ): SourceWorkspaceOpener;
}

/**
 * Finds the workspace that a pipeline reads (format: workspace), without opening it. Under `--workspace sandbox` this
 * is the local workspace of the pipeline, if it names one; otherwise the base URL in the pipeline or the environment
 * determines it. Undefined if the input is a file; throws a FatalError (usage) if no base URL is set, or two different
 * ones.
 */
export function findSourceWorkspace(
  pipeline: LoadedImportPipeline,
  { workspace, workDir, invocation }: CommandContext,
): PipelineSourceWorkspace | undefined {
  if (!isLiveWorkspaceInput(pipeline)) return undefined;
  const { baseUrl, tokenEnv, sandbox } = parseWorkspaceAccessOptions(pipeline.import.source.options);
  if (workspace === 'sandbox' && sandbox !== undefined) {
    const beside = (path: string | undefined) => path && resolve(dirname(pipeline.file), path);
    const file = beside(sandbox.file) ?? join(resolve(workDir), 'source-sandbox.db');
    return sourceAt(pipeline, file, undefined, [], () => openSandboxTarget(file, beside(sandbox.seed)));
  }
  const url = resolveBaseUrl(
    [
      { from: 'source.baseUrl', text: baseUrl },
      { from: 'LONGSHORE_SOURCE_BASE_URL', text: process.env.LONGSHORE_SOURCE_BASE_URL },
    ],
    {
      message: 'No source workspace set.',
      next: 'export LONGSHORE_SOURCE_BASE_URL=https://…/v1   (or source.baseUrl in the pipeline; source.sandbox is a local one to rehearse with)',
    },
  );
  const token = readEnvVariable(tokenEnv, invocation);
  return sourceAt(pipeline, url, url, token === '' ? [] : [token], () =>
    Promise.resolve(readRemoteTarget(url, tokenEnv, invocation)),
  );
}

function sourceAt(
  pipeline: LoadedImportPipeline,
  name: string,
  baseUrl: string | undefined,
  secrets: readonly string[],
  openTarget: () => Promise<WorkspaceTarget>,
): PipelineSourceWorkspace {
  return {
    baseUrl,
    secrets,
    live: (signal, listen, manner = 'patient') => ({
      name,
      clock: systemClock,
      async open() {
        const target = await openTarget();
        if (target.note !== undefined) listen({ kind: 'warning', text: target.note });
        const open = manner === 'patient' ? openClient : openInteractiveClient;
        const workspace = open(target, pipeline.import.limits, signal, listen);
        return { workspace, place: target.place, close: () => target.close() };
      },
    }),
  };
}
