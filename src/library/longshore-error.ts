import { toFatalError } from '../app/run/as-fatal.ts';
import { formatHint, type Invocation } from '../app/run/command-line.ts';
import { getFatalReasonExitCode } from '../app/run/exit-code.ts';
import type { PipelineResult } from '../app/run/run-pipeline.ts';
import { resolveDefaultWorkDir, toWorkDirArgument } from '../app/run/work-dir.ts';
import type { Hint } from '../model/command.ts';
import { type ErrorPlace, FatalError, type FatalReason } from '../model/fatal-error.ts';

/**
 * The error that every call rejects with: what happened, where, what to do next, and the exit code of the corresponding
 * command.
 */
export class LongshoreError<Result = unknown> extends Error {
  override readonly name = 'LongshoreError';
  readonly reason: FatalReason;
  /** The file, line, column or key that the error is about. */
  readonly place: ErrorPlace | undefined;
  readonly next: string | undefined;
  readonly exitCode: number;
  /** The summary of the work done, if a run had begun; the same call continues it. */
  readonly summary: Result | undefined;

  /** `workDir` is the work dir of the failed library call; the commands in `next` are formatted with it. */
  constructor(error: FatalError, summary?: Result, workDir: string = resolveDefaultWorkDir()) {
    super(error.message, { cause: error.cause ?? error });
    this.reason = error.reason;
    this.place = error.place;
    this.next = error.next === undefined ? undefined : nextOf(error.next, workDir);
    this.exitCode = getFatalReasonExitCode(error.reason, error.signal);
    this.summary = summary;
  }
}

/**
 * Runs the work of a call; rejects with a LongshoreError for any error. The commands in its `next` name
 * `workDir`.
 */
export async function withLongshoreErrors<T>(
  { workDir = resolveDefaultWorkDir() }: { readonly workDir?: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LongshoreError
      ? error
      : new LongshoreError(toFatalError(error), undefined, workDir);
  }
}

/** Returns the summary of a run; throws the error that stopped it, with the summary if the run had begun. */
export async function unwrapSummary<Summary>(
  running: Promise<PipelineResult<{ readonly run: Summary }>>,
  workDir: string,
): Promise<Summary> {
  const { report, error } = await running;
  if (report === undefined) throw error;
  if (error !== undefined) throw new LongshoreError(error, report.run, workDir);
  return report.run;
}

/** Throws a LongshoreError (usage) about an invalid option of a call. */
export function throwOptionError(name: string, text: string): never {
  throw new LongshoreError(new FatalError('usage', text, { place: { key: name } }));
}

/**
 * Returns the text of a hint for a program: commands begin with `npx longshore` and name the work dir of the call;
 * the current command is "the same call".
 */
function nextOf(hint: Hint, workDir: string): string {
  const called = [hint]
    .flat()
    .map((part) => (typeof part === 'string' || part.kind !== 'same' ? part : sameCall(part.more)));
  return formatHint(called, createLibraryInvocation(workDir));
}

function sameCall(flags: readonly string[]): string {
  return flags.length === 0 ? 'the same call' : `the same as a command, with ${flags.join(' ')}`;
}

/** Returns the invocation with which the library formats commands: `npx longshore`, with the work dir of a call. */
export function createLibraryInvocation(workDir: string): Invocation {
  return { program: 'npx longshore', words: [], allowEnv: [], workDir: toWorkDirArgument(workDir) };
}
