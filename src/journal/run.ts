import type { Outcome } from '../model/outcome.ts';
import type { ProblemCount } from '../model/problem.ts';
import type { CsvDialect } from '../model/row.ts';
import type { TableUseSummary } from '../model/table-use.ts';

export type RunKind = 'import' | 'export' | 'undo';

export type RunState = 'running' | 'finished' | 'stopped' | 'interrupted' | 'failed';

/**
 * Which rows of its input a run works on: all, those of approved merges, those with deferred steps, or those of an
 * earlier run that were rejected, failed or are uncertain.
 */
export type RowSelection =
  | { readonly kind: 'all' }
  | { readonly kind: 'approve'; readonly file: string; readonly fingerprint: string }
  | { readonly kind: 'deferred' }
  /** An export that combines the last full export and its increments. */
  | { readonly kind: 'compact' }
  | RetrySelection;

/** The rows that a run and its earlier retries left rejected, failed or uncertain. */
export interface RetrySelection {
  readonly kind: 'retry';
  readonly run: string;
  readonly resend: boolean;
  /**
   * The corrected rejects.csv (absolute path) that the rows are read from, in place of the pipeline's input.
   */
  readonly from?: string;
  /** The uncertain.csv with the user's decisions whether to send uncertain comments again. */
  readonly decided?: {
    /** Its absolute path. */
    readonly file: string;
    /** SHA-256 of its bytes, hexadecimal. */
    readonly fingerprint: string;
  };
  /** Set where open rows that are missing in the input count as removed on purpose. */
  readonly removed?: true;
}

/** The run that an undo reverts, and what it reverts besides the values and states of contacts. */
export interface UndoSelection {
  /** The id of the run. */
  readonly run: string;
  /** True where conversations are reopened or closed, too. */
  readonly conversations: boolean;
  /** True where tags that the run created are deleted. */
  readonly deleteTags: boolean;
}

/** The system (`source.system`) that the keys of an input come from. */
export interface SourceSystem {
  readonly name: string;
  /** The mapping's name. */
  readonly mapping: string;
  /**
   * True if the first input of this system had keys that were already stored under the mapping's name for other people.
   * The stored keys then belong to another system.
   */
  readonly isApart: boolean;
}

/** The facts that a run is bound to: continuing it with different ones is refused. */
export interface RunBinding {
  readonly kind: RunKind;
  readonly pipeline: string;
  readonly file: string;
  readonly workspace: number;
  readonly target: string;
  readonly mapping: string;
  /** The name under which source keys are stored: the source's system, or the mapping's name. */
  readonly memory: string;
  /** The source's system, where the pipeline names one. */
  readonly system?: SourceSystem | null | undefined;
  readonly input: string;
  readonly inputName: string;
  /** The number of rows that the run processes. */
  readonly items: number;
  readonly selection: RowSelection;
  /** True where every row is compared with the workspace, whatever earlier runs have stored. */
  readonly full: boolean;
  /** The delimiter, encoding and line ends of the input, if the input is delimited text. */
  readonly writing?: CsvDialect | null;
  /** The sheets that are read as one input; null unless there are several. */
  readonly sheets?: readonly string[] | null;
  /** The columns of the input, where its format has any. */
  readonly columns?: readonly string[] | null;
  /** The fields that the mapping of an import writes; `fill` of a row is in this order. null where none are stored. */
  readonly fields?: readonly string[] | null;
  /** The plan (absolute path) that the run follows exactly. */
  readonly plan?: string | undefined;
  /** The input (absolute path) that is read in place of the pipeline's own. */
  readonly source?: string | undefined;
  /** The undone run and the options of an undo; absent for other runs. */
  readonly undo?: UndoSelection | undefined;
}

export interface RunRecord extends RunBinding {
  readonly number: number;
  /**
   * `identifier` if an older version began the run: it treated rows with an equal identifier as one person. null if the
   * pipeline's policy decides.
   */
  readonly samePerson: 'identifier' | null;
  readonly id: string;
  readonly state: RunState;
  readonly exitCode: number | null;
  readonly message: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** The numbers of records in a complete export, by kind; null for other runs. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** The folder of a complete export; null for other runs. */
  readonly folder: string | null;
  /**
   * How a retry's input matches the rows of earlier runs; null for other runs, and until the input was
   * scanned.
   */
  readonly matched: RetryMatchCounts | null;
  /**
   * How the rows of each table of the input are used; null without tables, and until the input was scanned.
   */
  readonly tables: TableUseSummary | null;
  /**
   * The counts of data that the import leaves behind, as the scan of the input found them; null if there was no scan.
   */
  readonly leftBehind: readonly ProblemCount[] | null;
  /**
   * The time when its rows and files were removed, and its number of rows by outcome; null for a run that still has
   * them.
   */
  readonly pruned: { readonly at: number; readonly rows: Readonly<Partial<Record<Outcome, number>>> } | null;
}

/**
 * How a retry's input matches the rows of earlier runs: each row of the input is taken, done, changed or
 * filtered.
 */
export interface RetryMatchCounts {
  /** Rows of the input. */
  readonly input: number;
  /** Rows that the retry processes. */
  readonly taken: number;
  /** Those of the taken rows that no earlier run has read. */
  readonly added: number;
  /** Not processed, because an earlier run has finished them. */
  readonly done: number;
  /** Not processed: a finished row has the same key, but other cells. */
  readonly changed: number;
  /** Rows that the source's `where` leaves out. */
  readonly filtered: number;
  /** Open rows that are not in the input any more, and stay open. */
  readonly missing: number;
  /** Open rows that were removed from the input on purpose. */
  readonly removed: number;
  /** Finished rows that no row of the input matches any more, because they were removed or changed. */
  readonly gone: number;
}
