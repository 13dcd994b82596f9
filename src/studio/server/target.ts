import { getNamedRun, withJournal } from '../../app/run/find-run.ts';
import { resolveWorkspaceAddress } from '../../app/run/target.ts';
import { FatalError } from '../../model/fatal-error.ts';
import type { StudioCommand } from '../wire/command.ts';
import type { RequiredToken } from '../wire/problem.ts';
import type { StudioContext } from './studio.ts';

/** The workspace of a command, `sandbox` or a base URL, and the token that it needs; null for none. */
export interface ResolvedTarget {
  readonly workspace: string | null;
  /** Null if the workspace needs none. */
  readonly token: RequiredToken | null;
}

const none: ResolvedTarget = { workspace: null, token: null };

export async function resolveCommandTarget(
  command: StudioCommand,
  { files, yaml }: StudioContext,
): Promise<ResolvedTarget> {
  if (command.command === 'check' && command.online !== true) return none;
  if ('pipeline' in command)
    return await ofPipeline(yaml, files.existing(command.pipeline), command.workspace);
  if (!('run' in command)) return none;
  const { file, target } = withJournal(files.workDir, (journal) =>
    getNamedRun(journal, files.workDir, command.run),
  );
  return await ofPipeline(yaml, file, target);
}

/** Returns the workspace that an import of a pipeline uses by default; null if none is set, or the pipeline is invalid. */
export async function findDefaultWorkspace(pipeline: string, studio: StudioContext): Promise<string | null> {
  try {
    return (await resolveCommandTarget({ command: 'import', pipeline }, studio)).workspace;
  } catch (error) {
    if (error instanceof FatalError) return null;
    throw error;
  }
}

async function ofPipeline(
  yaml: StudioContext['yaml'],
  file: string,
  named: string | undefined,
): Promise<ResolvedTarget> {
  const settings = await yaml.run('workspace', { file });
  const workspace = resolveWorkspaceAddress(named, settings);
  if (workspace === 'sandbox') return { workspace, token: null };
  return { workspace, token: { variable: settings.tokenEnv, workspace } };
}
