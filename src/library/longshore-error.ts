import { asFatal } from '../app/run/as-fatal.ts';
import { exitCodeOf } from '../app/run/exit-code.ts';
import type { Ending } from '../app/run/run-pipeline.ts';
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

  constructor(error: FatalError, summary?: Result) {
    super(error.message, { cause: error.cause ?? error });
    this.reason = error.reason;
    this.place = error.place;
    this.next = error.next;
    this.exitCode = exitCodeOf(error.reason, error.signal);
    this.summary = summary;
  }
}

/** Does the work of a call; whatever it throws becomes a LongshoreError. */
export async function withLongshoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof LongshoreError ? error : new LongshoreError(asFatal(error));
  }
}

/** The summary of a run; throws what stopped it, with the summary where it had begun. */
export async function summaryOrThrow<Summary>(
  running: Promise<Ending<{ readonly run: Summary }>>,
): Promise<Summary> {
  const { report, error } = await running;
  if (report === undefined) throw error;
  if (error !== undefined) throw new LongshoreError(error, report.run);
  return report.run;
}

/** Throws a LongshoreError (usage) about an option of a call. */
export function refuseOption(name: string, text: string): never {
  throw new LongshoreError(new FatalError('usage', text, { place: { key: name } }));
}
