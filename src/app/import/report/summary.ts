import type { FilledFieldCounts, RetryMatchCounts, RowSelection } from '../../../journal/index.ts';
import type { LeftBehindGroup } from '../../../model/left-behind.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import type { TableUseSummary } from '../../../model/table-use.ts';
import type { RunSummaryBase } from '../../../report/account.ts';
import type { VerificationSummary } from '../../verify/report/verification-note.ts';
import type { RunParameters } from './asked.ts';
import type { DuplicateCounts } from './duplicates.ts';
import type { ProblemConsequence } from './problem-digest.ts';

export interface StepCounts {
  readonly acked: number;
  /** Steps that were sent and whose effect is not known: uncertain, or still without an answer. */
  readonly uncertain: number;
  /** Steps that failed or were refused. */
  readonly failed: number;
}

/** The content of `summary.json`, which an import with `--json` also prints. */
export interface Summary extends RunSummaryBase {
  /** The rows of the input that the run took. */
  readonly selection: RowSelection;
  /**
   * The error that stopped the run. Without one: what would stop the real import (in a rehearsal), what the user must
   * check, or which rows before the limit wait for later ones. Null if there is none of these.
   */
  readonly message: string | null;
  readonly rows: RowCounts;
  readonly steps: Readonly<Record<string, StepCounts>>;
  /**
   * The number of keys of earlier runs that are no longer in the input and to whose contacts no row led; absent if the
   * run has not read its whole input.
   */
  readonly gone?: number;
  /** How the rows of a retry's input match those of the runs before it; absent for others. */
  readonly matched?: RetryMatchCounts;
  /**
   * The number of rejected, failed and uncertain rows that are still open: no later retry has finished them, or found
   * them removed on purpose. Proposed rows, which wait for an answer or an approval, are not among them.
   */
  readonly open: number;
  /** What the run was asked to do. */
  readonly asked: RunParameters;
  /**
   * How many contacts of the run had a value in each field that the mapping writes, before and after the run; absent
   * for a run that an older version began.
   */
  readonly fill?: FilledFieldCounts;
  /** The problems by consequence and code, the most severe first, then the most frequent. */
  readonly problems: readonly SummaryProblem[];
  /**
   * How the rows of each table of the input were used; absent for an input of one table, and for a run that an older
   * version began.
   */
  readonly tables?: TableUseSummary;
  /** Counts of people found more than once. */
  readonly duplicates: DuplicateCounts;
  /** What the import leaves behind. */
  readonly leftBehind: readonly LeftBehindGroup[];
  /** What is left to do by hand, in lines of the lists. */
  readonly manual: {
    /** Merges proposed. */
    readonly proposals: number;
    /** Pairs that may be one person: a row with another row or with a contact. */
    readonly questions: number;
    /** Comments that may have been sent. */
    readonly uncertain: number;
    /** Contacts in contact-tags.csv. */
    readonly tagged: number;
  };
  /** What to do next. */
  readonly next: readonly NextStep[];
  /** The result of the latest verification since the run ended; absent if there was none. */
  readonly verification?: VerificationSummary;
  /** Paths of the run's files that are there. */
  readonly files: Readonly<Record<string, string>>;
}

/** A problem with the first lines in which it occurs. */
export interface SummaryProblem {
  /** What the problem did to its row. */
  readonly consequence: ProblemConsequence;
  /** The code of the problem, as `explain` knows it. */
  readonly code: string;
  /** The number of times that it occurred. */
  readonly n: number;
  /** The first lines in which it occurs. */
  readonly lines: readonly number[];
}

/** A next step for the user, with the command to type if there is one. */
export interface NextStep {
  /** What to do, or what to know. */
  readonly why: string;
  /** The command to type; null where there is none. */
  readonly command: string | null;
}
