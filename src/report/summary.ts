import type { FillCounts, MatchCounts, RunRecord, Selection } from '../journal/index.ts';
import type { LeftBehind } from '../model/left-behind.ts';
import type { RowCounts } from '../model/outcome.ts';
import type { TableUses } from '../model/table-use.ts';
import type { Asked } from './asked.ts';
import type { Duplicates } from './duplicates.ts';
import type { Consequence } from './problem-digest.ts';
import type { RequestsByOperation } from './requests.ts';
import type { SessionSpan } from './sessions.ts';
import type { Speed } from './speed.ts';
import type { VerificationNote } from './verification-note.ts';

export interface StepCounts {
  readonly acked: number;
  /** Uncertain for good, and sent without an answer so far. */
  readonly uncertain: number;
  /** Refused ones too. */
  readonly failed: number;
}

/** What `summary.json` holds, and standard output under `--json`. */
export interface Summary {
  readonly run: string;
  readonly pipeline: string;
  readonly kind: RunRecord['kind'];
  /** Which rows of the input it worked on. */
  readonly selection: Selection;
  /** A run whose process died unexpectedly is `interrupted`. */
  readonly outcome: 'finished' | 'stopped' | 'interrupted' | 'failed';
  /** Null where the process ended without one. */
  readonly exitCode: number | null;
  /** What happened, in one sentence. */
  readonly headline: string;
  /** What stopped it, or of a rehearsal what would stop the real import. */
  readonly message: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC; if the process died unexpectedly, when it was last seen. */
  readonly finishedAt: string;
  /** Worked, in all sessions together. */
  readonly seconds: number;
  readonly rows: RowCounts;
  readonly steps: Readonly<Record<string, StepCounts>>;
  readonly requests: RequestsByOperation;
  /** Keys of earlier runs that the input has no more; absent where the run has not seen its whole input. */
  readonly gone?: number;
  /** How the rows of a retry's input match those of the runs before it; absent for others. */
  readonly matched?: MatchCounts;
  /** Rejected, failed and uncertain rows that no retry has finished since, nor found removed on purpose. */
  readonly open: number;
  /** What it was asked to do. */
  readonly asked: Asked;
  /** How many contacts of the run had a value for each field that the mapping writes; absent where an older version began it. */
  readonly fill?: FillCounts;
  /** By consequence and code, the gravest and most frequent first. */
  readonly problems: readonly ProblemCount[];
  /** What became of the rows of each table of the input; absent for an input of one table, and where an older version began it. */
  readonly tables?: TableUses;
  /** The same person found more than once. */
  readonly duplicates: Duplicates;
  /** What the import leaves behind. */
  readonly leftBehind: readonly LeftBehind[];
  /** What is left to do by hand, in lines of the lists. */
  readonly manual: {
    /** Merges proposed. */
    readonly proposals: number;
    /** Rows that may be the person of an existing contact. */
    readonly questions: number;
    /** Comments that may have been sent. */
    readonly uncertain: number;
    /** Contacts in contact-tags.csv. */
    readonly tagged: number;
  };
  /** How fast it was, and how much of the rate limit it used. */
  readonly speed: Speed;
  /** The processes that worked on it, in order. */
  readonly sessions: readonly SessionSummary[];
  /** What to do next. */
  readonly next: readonly NextStep[];
  /** What nobody can know, in sentences. */
  readonly knownLimits: readonly string[];
  /** What the latest verification since its end found; absent where there was none. */
  readonly verification?: VerificationNote;
  /** Paths of the run's files that are there. */
  readonly files: Readonly<Record<string, string>>;
}

/** A problem with the first lines in which it occurs. */
export interface ProblemCount {
  /** What it did to its row. */
  readonly consequence: Consequence;
  /** What is wrong. */
  readonly code: string;
  /** How often. */
  readonly n: number;
  /** The first lines in which it occurs. */
  readonly lines: readonly number[];
}

export interface SessionSummary {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC. */
  readonly lastSeenAt: string;
  /** Worked. */
  readonly seconds: number;
  /** The process. */
  readonly process: {
    /** Its number. */
    readonly pid: number;
    /** The machine. */
    readonly host: string;
  };
  /** How it ended; `left`: interrupted or killed. */
  readonly end: SessionSpan['end'];
}

/** Where to go from here: why, and what to type, where there is something to type. */
export interface NextStep {
  /** What to do, or what to know. */
  readonly why: string;
  /** What to type; null where there is nothing. */
  readonly command: string | null;
}
