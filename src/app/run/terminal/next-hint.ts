import { commandForTarget, hint, toCommand } from '../../../model/command.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import type { CommandContext } from '../target.ts';

/** The pipeline as it was typed, with the work dir and the workspace that its command uses. */
export interface PipelineCommandContext extends CommandContext {
  readonly pipelineFile: string;
  /** The value of --source, which replaces the pipeline's input; undefined if it is not given. */
  readonly source?: string | undefined;
}

/**
 * Returns a function for an error that ended a command before its run began: it rethrows the error, with the command to
 * type next if there is one. `words` are the typed words without the global options.
 */
export function createErrorRethrower(
  { pipelineFile, workspace, source }: PipelineCommandContext,
  words: readonly string[],
): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof FatalError)) throw error;
    const { reason, next, place } = error;
    const where = { workspace, source };
    if (reason === 'locked') {
      throw error.with({ next: hint`Wait until it ends, or stop it. Its progress: ${toCommand('status')}` });
    }
    if (next !== undefined && (reason === 'unauthorized' || reason === 'unreachable')) {
      throw error.with({ next: hint`${next}\nThen: ${commandForTarget(where, ...words)}` });
    }
    if (next === undefined && place?.line !== undefined) {
      throw error.with({ next: hint`Fix it, then: ${commandForTarget(where, 'check', pipelineFile)}` });
    }
    throw error;
  };
}
