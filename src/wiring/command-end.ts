import type { FatalError } from '../model/fatal-error.ts';
import type { RowCounts } from '../model/outcome.ts';

/** A run that a command carried to its end, as its summary has it. */
export interface EndedRun {
  readonly run: string;
  readonly outcome: 'finished' | 'stopped' | 'interrupted' | 'failed';
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly seconds: number;
  /** Of an import. */
  readonly rows?: RowCounts;
  /** Of an export; null where it did not come to its end. */
  readonly counts?: Readonly<Record<string, number>> | null;
  /** Of an export: contacts whose messages could not be read. */
  readonly unreadable?: number;
}

/** What a command over a pipeline came to, once its run had begun. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly run: EndedRun;
  /** What stopped the run. */
  readonly error: FatalError | undefined;
  /** The command to type next. */
  readonly next: string | undefined;
}
