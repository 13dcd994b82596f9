import { pipelineKind } from '../../runs/pipeline/index.ts';
import { loadKind } from '../../runs/pipeline/load-kind.ts';
import { namedRun, withJournal } from '../../wiring/find-run.ts';
import { workspaceName } from '../../wiring/target.ts';
import type { Command } from '../wire/command.ts';
import type { NeededToken } from '../wire/problem.ts';
import type { Studio } from './studio.ts';

/** Which workspace a command works on: `sandbox`, a base URL with the token that it needs, or none. */
export interface FoundTarget {
  readonly workspace: string | null;
  /** Null for one that needs none. */
  readonly token: NeededToken | null;
}

const none: FoundTarget = { workspace: null, token: null };

export async function targetOf(command: Command, { files }: Studio): Promise<FoundTarget> {
  if (command.command === 'check' && command.online !== true) return none;
  if ('pipeline' in command) return await ofPipeline(files.existing(command.pipeline), command.workspace);
  if (!('run' in command)) return none;
  const { file, target } = withJournal(files.workDir, (journal) =>
    namedRun(journal, files.workDir, command.run),
  );
  return await ofPipeline(file, target);
}

async function ofPipeline(file: string, named: string | undefined): Promise<FoundTarget> {
  const { settings } = await loadKind(file, await pipelineKind(file));
  const workspace = workspaceName(named, settings.workspace);
  if (workspace === 'sandbox') return { workspace, token: null };
  return { workspace, token: { variable: settings.workspace.tokenEnv, workspace } };
}
