import { FatalError } from '../model/fatal-error.ts';
import { commandLine } from '../report/next-steps.ts';
import { shownWorkDir } from '../wiring/work-dir.ts';

/** The same error with other words on what to type next. */
export function withNext(error: FatalError, next: string): FatalError {
  const { reason, message, place, signal, cause } = error;
  return new FatalError(reason, message, { ...(place && { place }), ...(signal && { signal }), next, cause });
}

/** Gives an error before a run began the exact next command, where its thrower could not know it. */
export function withCommands(
  error: unknown,
  typed: {
    readonly pipelineFile: string;
    readonly workspace: string | undefined;
    readonly source?: string | undefined;
    readonly workDir: string;
    /** What was typed, without its flags of every command. */
    readonly words: readonly string[];
  },
): unknown {
  if (!(error instanceof FatalError)) return error;
  const workDir = shownWorkDir(typed.workDir);
  if (error.reason === 'locked') {
    const status = commandLine(['status'], { workDir });
    return withNext(error, `Wait until it ends, or stop it. Its progress: ${status}`);
  }
  if (error.next !== undefined && (error.reason === 'unauthorized' || error.reason === 'unreachable')) {
    return withNext(
      error,
      `${error.next}\nThen: ${commandLine(typed.words, { workspace: typed.workspace, source: typed.source, workDir })}`,
    );
  }
  if (error.next === undefined && error.place?.line !== undefined) {
    const { pipelineFile, workspace, source } = typed;
    return withNext(
      error,
      `Fix it, then: ${commandLine(['check', pipelineFile], { workspace, source, workDir })}`,
    );
  }
  return error;
}
