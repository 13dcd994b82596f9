import { getRunById, withJournal } from '../../app/run/find-run.ts';
import { resolveWorkspaceAddress, tryResolveWorkspaceAddress } from '../../app/run/target.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { StudioCommand } from '../wire/command.ts';
import type { RequiredToken } from '../wire/problem.ts';
import type { StudioContext } from './studio.ts';

/**
 * The workspace of a command (`sandbox`, a base URL, or null for none), and the token that the command needs for it.
 */
export interface ResolvedTarget {
  readonly workspace: string | null;
  /** Null if the workspace needs none. */
  readonly token: RequiredToken | null;
  /** True if a workspace is needed, and neither the command, the pipeline, the environment nor the page names one. */
  readonly isUnset: boolean;
  /** The environment variables that tell a process which workspace the page is connected to. */
  readonly environment: Readonly<Record<string, string>>;
}

const none: ResolvedTarget = { workspace: null, token: null, isUnset: false, environment: {} };

export async function resolveCommandTarget(
  command: StudioCommand,
  studio: StudioContext,
): Promise<ResolvedTarget> {
  const { files } = studio;
  if (command.command === 'check' && command.online !== true) return none;
  if ('pipeline' in command)
    return await ofPipeline(studio, files.existing(command.pipeline), command.workspace);
  if (!('run' in command)) return none;
  const { file, target } = withJournal(files.workDir, (journal) =>
    getRunById(journal, files.workDir, command.run),
  );
  return await ofPipeline(studio, file, target);
}

/**
 * Returns the workspace that an import of a pipeline uses by default; null if none is set, or the pipeline is invalid.
 */
export async function findDefaultWorkspace(pipeline: string, studio: StudioContext): Promise<string | null> {
  try {
    return (await resolveCommandTarget({ command: 'import', pipeline }, studio)).workspace;
  } catch (error) {
    if (error instanceof FatalError) return null;
    throw error;
  }
}

/** Returns the base URL that the page is connected to, or that the studio's environment names; null for none. */
export function findConnectedWorkspace({ workspace }: StudioContext['tokens']): string | null {
  return workspace ?? tryResolveWorkspaceAddress(undefined, {}) ?? null;
}

async function ofPipeline(
  { yaml, tokens }: StudioContext,
  file: string,
  named: string | undefined,
): Promise<ResolvedTarget> {
  const settings = await yaml.run('workspace', { file });
  const connected = settings.baseUrl === undefined ? tokens.workspace : undefined;
  const texts = [named, settings.baseUrl, connected, process.env.LONGSHORE_BASE_URL];
  if (texts.every((text) => (text ?? '').trim() === '')) return { ...none, isUnset: true };
  const workspace = resolveWorkspaceAddress(named ?? connected, settings);
  if (workspace === 'sandbox') return { ...none, workspace };
  return {
    ...{ workspace, isUnset: false },
    token: { variable: settings.tokenEnv, workspace },
    environment: workspace === connected ? { LONGSHORE_BASE_URL: workspace } : {},
  };
}
