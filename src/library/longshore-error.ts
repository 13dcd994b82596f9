import { asFatal } from '../app/run/as-fatal.ts';
import { hintText } from '../app/run/command-line.ts';
import { exitCodeOf } from '../app/run/exit-code.ts';
import type { Ending } from '../app/run/run-pipeline.ts';
import { shownWorkDir, usualWorkDir } from '../app/run/work-dir.ts';
import type { Hint } from '../model/command.ts';
import { FatalError, type FatalReason, type Place } from '../model/fatal-error.ts';

/** What every call rejects with: what happened, where, what to do next, and the exit code of the command that does the same. */
export class LongshoreError<Result = unknown> extends Error {
  override readonly name = 'LongshoreError';
  readonly reason: FatalReason;
  /** File, line, column or key. */
  readonly place: Place | undefined;
  readonly next: string | undefined;
  readonly exitCode: number;
  /** What was done until then, where a run had begun; the same call continues it. */
  readonly summary: Result | undefined;

  /** `workDir` is that of the call: its commands are about it. */
  constructor(error: FatalError, summary?: Result, workDir: string = usualWorkDir()) {
    super(error.message, { cause: error.cause ?? error });
    this.reason = error.reason;
    this.place = error.place;
    this.next = error.next === undefined ? undefined : nextOf(error.next, workDir);
    this.exitCode = exitCodeOf(error.reason, error.signal);
    this.summary = summary;
  }
}

/** Does the work of a call; whatever it throws becomes a LongshoreError. */
export async function withLongshoreErrors<T>(
  { workDir = usualWorkDir() }: { readonly workDir?: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LongshoreError ? error : new LongshoreError(asFatal(error), undefined, workDir);
  }
}

/** The summary of a run; throws what stopped it, with the summary where it had begun. */
export async function summaryOrThrow<Summary>(
  running: Promise<Ending<{ readonly run: Summary }>>,
  workDir: string,
): Promise<Summary> {
  const { report, error } = await running;
  if (report === undefined) throw error;
  if (error !== undefined) throw new LongshoreError(error, report.run, workDir);
  return report.run;
}

/** Throws a LongshoreError (usage) about an option of a call. */
export function refuseOption(name: string, text: string): never {
  throw new LongshoreError(new FatalError('usage', text, { place: { key: name } }));
}

/** Returns a hint with its commands as they are typed in a checkout, about the work dir of the call. */
function nextOf(hint: Hint, workDir: string): string {
  const parts = typeof hint === 'string' ? [hint] : hint;
  const called = parts.map((part) =>
    typeof part !== 'string' && part.kind === 'same' ? 'the same call' : part,
  );
  return hintText(called, {
    program: 'npx longshore',
    words: [],
    allowEnv: [],
    workDir: shownWorkDir(workDir),
  });
}
