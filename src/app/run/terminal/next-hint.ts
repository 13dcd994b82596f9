import { commandLine } from '../../../model/command-line.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import type { Site } from '../target.ts';
import { shownWorkDir } from '../work-dir.ts';

/** The pipeline that was typed, and where to run it. */
export interface TypedTarget extends Site {
  readonly pipelineFile: string;
  /** The input in place of the pipeline's own. */
  readonly source?: string | undefined;
}

/**
 * Rethrows an error from before a run began, with the exact next command where its thrower could not know it; `words`
 * are the words that were typed, without the global options.
 */
export function addNextCommand(
  { pipelineFile, workspace, source, workDir }: TypedTarget,
  words: readonly string[],
): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof FatalError)) throw error;
    const { reason, next, place } = error;
    const where = { workspace, source, workDir: shownWorkDir(workDir) };
    if (reason === 'locked') {
      const status = commandLine(['status'], { workDir: where.workDir });
      throw error.with({ next: `Wait until it ends, or stop it. Its progress: ${status}` });
    }
    if (next !== undefined && (reason === 'unauthorized' || reason === 'unreachable')) {
      throw error.with({ next: `${next}\nThen: ${commandLine(words, where)}` });
    }
    if (next === undefined && place?.line !== undefined) {
      throw error.with({ next: `Fix it, then: ${commandLine(['check', pipelineFile], where)}` });
    }
    throw error;
  };
}
