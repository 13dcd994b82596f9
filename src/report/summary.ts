import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  countCounterparts,
  countOpen,
  countRows,
  countSteps,
  type JournalFile,
  type MatchCounts,
  type RunRecord,
  rowSpan,
  type Selection,
} from '../journal/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { outcomes, type RowCounts } from '../model/outcome.ts';
import { endOf } from './account.ts';
import { countGone, sawWholeInput } from './lists.ts';
import type { RequestsByOperation } from './requests.ts';

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
  /** Paths of the run's files that are there. */
  readonly files: Readonly<Record<string, string>>;
}

/** The files of a run by their name in the summary. */
export const fileNames = {
  summary: 'summary.json',
  rejects: 'rejects.csv',
  dropped: 'dropped.csv',
  uncertain: 'uncertain.csv',
  mergeProposals: 'merge-proposals.csv',
  contacts: 'contacts.csv',
  contactTags: 'contact-tags.csv',
  notTaken: 'not-taken.csv',
  gone: 'gone.csv',
  undoKept: 'undo-kept.csv',
  verification: 'verification.csv',
  verificationPage: 'verification.html',
  report: 'report.html',
  log: 'log.ndjson',
} as const;

/** What a run came to, from the journal alone; throws a FatalError 'unexpected' where the rows do not add up (promise 1). */
export function buildSummary(file: JournalFile, run: RunRecord, runDir: string): Summary {
  const rows = countRows(file, run);
  checkSum(file, run, rows);
  if (run.matched !== null) checkMatched(file, run, rows, run.matched);
  const { head, requests } = endOf(file, run);
  return {
    ...head,
    rows,
    steps: stepCounts(file, run.number),
    requests,
    ...(run.matched !== null && { matched: run.matched }),
    open: countOpen(file, run),
    ...(sawWholeInput(run, rows) && { gone: countGone(file, run) }),
    files: filesIn(runDir),
  };
}

function checkSum(file: JournalFile, run: RunRecord, rows: RowCounts): void {
  const span = rowSpan(file, run.number);
  const known = outcomes.reduce((sum, outcome) => sum + rows[outcome], 0);
  // The rows of a selection keep the numbers that they have in the whole input.
  const beyond = run.selection.kind === 'all' && (span.greatest ?? -1) >= run.items;
  const outside = (span.least ?? 0) < 0 || beyond;
  if (known === span.count && known + rows.notReached === rows.read && rows.notReached >= 0 && !outside)
    return;
  const how = `${rows.read} were read, ${span.count} have an outcome (${known} of them one that is known), and their numbers go from ${span.least ?? 0} to ${span.greatest ?? 0}`;
  throw doesNotAddUp(file, run, how);
}

/** The rows of a retry's input: each is taken, done before, left alone or filtered; and what it found is on record. */
function checkMatched(file: JournalFile, run: RunRecord, rows: RowCounts, matched: MatchCounts): void {
  const { input, taken, added, done, changed, filtered } = matched;
  const found = countCounterparts(file, run.number);
  const isRecorded = (['changed', 'missing', 'removed', 'gone'] as const).every(
    (kind) => (found.get(kind) ?? 0) === matched[kind],
  );
  const isWhole = input === taken + done + changed + filtered && taken === rows.read;
  if (isWhole && isRecorded && (found.get('taken') ?? 0) === taken - added) return;
  const how = `the input has ${input}, of which ${taken} were taken (${rows.read} read, ${added} of them new), ${done} were done before, ${changed} have changed and ${filtered} are filtered; on record are ${JSON.stringify([...found])}`;
  throw doesNotAddUp(file, run, how);
}

function doesNotAddUp(file: JournalFile, run: RunRecord, how: string): FatalError {
  return new FatalError('unexpected', `the rows of run ${run.id} do not add up: ${how}.`, {
    place: { file: file.name },
    next: 'Keep the work dir as it is, and report this as a bug in Longshore.',
  });
}

/** Steps by name, and how far they are. */
export function stepCounts(file: JournalFile, run: number): Record<string, StepCounts> {
  const steps = new Map<string, { acked: number; uncertain: number; failed: number }>();
  for (const { name, state, n } of countSteps(file, run)) {
    const counts = steps.get(name) ?? { acked: 0, uncertain: 0, failed: 0 };
    steps.set(name, counts);
    if (state === 'acked') counts.acked += n;
    else if (state === 'sent' || state === 'uncertain') counts.uncertain += n;
    else if (state === 'failed' || state === 'refused') counts.failed += n;
  }
  return Object.fromEntries(steps);
}

/** The files of a run that are there, by their name in the summary. */
export function filesIn(runDir: string): Record<string, string> {
  const found = Object.entries(fileNames)
    .map(([name, file]) => [name, join(runDir, file)] as const)
    .filter(([, path]) => existsSync(path));
  return Object.fromEntries(found);
}
