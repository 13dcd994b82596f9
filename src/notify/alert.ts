import type { RowCounts } from '../model/outcome.ts';
import type { Occasion } from './occasion.ts';

/** What is posted, as JSON: what a command came to, without secrets and without anything from people's cells. */
export interface Alert {
  readonly event: Occasion;
  /** The pipeline's name. */
  readonly pipeline: string;
  readonly kind: 'import' | 'export';
  /** Null where the command ended before a run began. */
  readonly run: string | null;
  readonly outcome: 'finished' | 'stopped' | 'interrupted' | 'failed';
  readonly exitCode: number;
  /** ISO 8601, UTC; of the run, or where none began of the command. */
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Worked, in all sessions of the run together. */
  readonly seconds: number;
  readonly message: string;
  /** What to do next: a command where there is one, null where there is nothing to do. */
  readonly next: string | null;
  /** How many attempts in a row have failed, this one included; for one that works again, those before it. */
  readonly failures: number;
  /** ISO 8601, UTC: the first of those failures. */
  readonly failingSince: string | null;
  /** Whether it ran on the local workspace of `--workspace sandbox`. */
  readonly rehearsal: boolean;
  readonly host: string;
  /** Of an import whose run began. */
  readonly rows?: RowCounts;
  /** Of an export that came to its end. */
  readonly counts?: Readonly<Record<string, number>>;
}
