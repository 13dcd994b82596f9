import { commandForTarget, hint, toCommand } from '../../../model/command.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { buildCommandWordsForRun } from '../../../report/words.ts';
import type { RunWithWorkspace } from '../find-run.ts';

/**
 * Takes a pipeline, and returns a function that takes the target workspace. That function throws a FatalError (usage)
 * unless both are those of the run to continue.
 */
export type ContinuationPrecondition = (pipeline: {
  readonly pipeline: string;
  readonly file: string;
}) => (target: { readonly place: string }) => void;

/** Returns a precondition that accepts only the run's pipeline and workspace; `again` is the command that was typed. */
export function createContinuationPrecondition(
  { run, place }: RunWithWorkspace,
  again: readonly string[],
): ContinuationPrecondition {
  return (pipeline) => (target) => {
    if (pipeline.pipeline !== run.pipeline) {
      const startOver = commandForTarget(
        { workspace: run.target, source: run.source },
        ...buildCommandWordsForRun({ ...run, file: pipeline.file }),
      );
      throw new FatalError(
        'usage',
        `this pipeline is now named "${pipeline.pipeline}", but run ${run.id} belongs to "${run.pipeline}".`,
        {
          place: { file: pipeline.file },
          next: hint`Restore the name to continue, or start a new run: ${startOver}`,
        },
      );
    }
    if (place !== undefined && target.place !== place) {
      throw new FatalError(
        'usage',
        run.kind === 'import'
          ? `run ${run.id} writes into ${place}, not into ${target.place}.`
          : `run ${run.id} reads ${place}, not ${target.place}.`,
        {
          next: hint`To continue it there: ${toCommand(...again)}`,
        },
      );
    }
  };
}
