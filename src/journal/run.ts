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
  /** An export that is put together from increments. */
  | { readonly kind: 'compact' }
  | RetrySelection;

/** The open rows of a run and of its retries so far. */
export interface RetrySelection {
  readonly kind: 'retry';
  readonly run: string;
  readonly resend: boolean;
  /** The corrected rejects.csv (absolute) that they are read from, in place of the pipeline's input. */
  readonly from?: string;
  /** The uncertain.csv in which a person has decided about comments. */
  readonly decided?: {
    /** Its absolute path. */
    readonly file: string;
    /** SHA-256 of its bytes, hexadecimal. */
    readonly fingerprint: string;
  };
  /** Open rows that are not in the input any more were removed on purpose. */
  readonly removed?: true;
}

/** Which run an undo takes back, by its id, and what of it beyond values and states of contacts. */
export interface UndoSelection {
  /** The run that it takes back. */
  readonly run: string;
  /** Whether conversations are reopened and closed. */
  readonly conversations: boolean;
  /** Whether tags that the run created are deleted. */
  readonly deleteTags: boolean;
}

/** The system whose keys an input has, as `source.system` names it. */
export interface SourceSystem {
  readonly name: string;
  /** The mapping's name. */
  readonly mapping: string;
  /** True where the keys stored under the mapping's name were found to belong to other people. */
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
  /** The delimiter and encoding of its input, where that is text with delimiters. */
  readonly writing?: CsvDialect | null;
  /** The sheets that its input reads as one; null where there are not several. */
  readonly sheets?: readonly string[] | null;
  /** The columns of its input, where the format has any. */
  readonly columns?: readonly string[] | null;
  /** The fields that the mapping writes, to which `fill` of its rows refers; null for others. */
  readonly fields?: readonly string[] | null;
  /** The plan (absolute path) that the run follows exactly. */
  readonly plan?: string | undefined;
  /** The input given in place of the pipeline's own, absolute. */
  readonly source?: string | undefined;
  /** The undone run and the options of an undo; absent for other runs. */
  readonly undo?: UndoSelection | undefined;
}

export interface RunRecord extends RunBinding {
  readonly number: number;
  /** The rule for matching its rows to one person, where an older version began the run; null for that of the policy. */
  readonly samePerson: 'identifier' | null;
  readonly id: string;
  readonly state: RunState;
  readonly exitCode: number | null;
  readonly message: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** What a complete export holds, by kind; null for others. */
  readonly counts: Readonly<Record<string, number>> | null;
  /** The folder of a complete export. */
  readonly folder: string | null;
  /** The match of a retry's input with the rows of the runs before it; null for others, and before it is known. */
  readonly matched: RetryMatchCounts | null;
  /** The account of the rows of each table of its input; null where it has none, and before it is known. */
  readonly tables: TableUseSummary | null;
  /**
   * The findings of the first pass over the input about data that the import leaves behind; null where there was no
   * such pass.
   */
  readonly leftBehind: readonly ProblemCount[] | null;
  /**
   * The time when its rows and files were removed, and its number of rows by outcome; null for a run that still has
   * them.
   */
  readonly pruned: { readonly at: number; readonly rows: Readonly<Partial<Record<Outcome, number>>> } | null;
}

/** Every row of a retry's input is one of taken, done, changed and filtered. */
export interface RetryMatchCounts {
  /** Rows of the input. */
  readonly input: number;
  /** Taken by the retry. */
  readonly taken: number;
  /** Taken, and not known to any run before. */
  readonly added: number;
  /** Left alone, because a run before has finished them. */
  readonly done: number;
  /** Left alone: their key is that of a finished row, whose other cells were different. */
  readonly changed: number;
  /** Left out by the source's `where`. */
  readonly filtered: number;
  /** Open rows that are not in the input any more: they stay open. */
  readonly missing: number;
  /** Open rows that were removed from the input on purpose. */
  readonly removed: number;
  /** Finished rows that are not in the input any more as they were. */
  readonly gone: number;
}
