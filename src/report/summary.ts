import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  countCounterparts,
  countFill,
  countOpen,
  countRows,
  countSteps,
  type FillCounts,
  type JournalFile,
  listSessions,
  type MatchCounts,
  type RunRecord,
  rowSpan,
  type Selection,
} from '../journal/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { outcomes, type RowCounts } from '../model/outcome.ts';
import { endOf } from './account.ts';
import { type Asked, askedOf } from './asked.ts';
import { type Duplicates, duplicatesOf } from './duplicates.ts';
import { fileNames } from './file-names.ts';
import { headline } from './headline.ts';
import { countGone, countProposals, countTagged, sawWholeInput } from './lists.ts';
import { type CommandContext, type NextStep, nextSteps } from './next-steps.ts';
import type { Consequence, ProblemDigest } from './problem-digest.ts';
import type { RequestsByOperation } from './requests.ts';
import { type SessionSpan, sessionSpans } from './sessions.ts';
import { type Speed, speedOf } from './speed.ts';
import { unknowable } from './unknowable.ts';
import { type VerificationNote, verificationNote } from './verification-note.ts';

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
  /** The same person found more than once. */
  readonly duplicates: Duplicates;
  /** What is left to do by hand, in lines of the lists. */
  readonly manual: {
    /** Merges proposed. */
    readonly proposals: number;
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

/** What a summary needs beside the journal. */
export interface SummaryContext extends Pick<CommandContext, 'workDir' | 'deferred' | 'readsLists'> {
  readonly problems: readonly ProblemDigest[];
  /** Paths of files that are about to be written. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What a run came to; throws a FatalError 'unexpected' where the rows do not add up (promise 1). */
export function buildSummary(
  file: JournalFile,
  run: RunRecord,
  runDir: string,
  { problems, files = {}, ...context }: SummaryContext,
): Summary {
  const rows = countRows(file, run);
  checkSum(file, run, rows);
  if (run.matched !== null) checkMatched(file, run, rows, run.matched);
  const { head, requests } = endOf(file, run);
  const sessions = listSessions(file, run.number);
  const spans = sessionSpans(run, sessions);
  const { steps, inFlight, uncertain } = stepCounts(file, run.number);
  const fill = countFill(file, run);
  const verification = verificationNote(runDir, run.endedAt);
  const manual = {
    proposals: countProposals(file, run.number),
    uncertain,
    tagged: countTagged(file, run.number),
  };
  const summary = {
    ...head,
    headline: headline({ ...head, rows, ...(run.matched !== null && { matched: run.matched }) }).text,
    asked: askedOf(file, run),
    rows,
    ...(fill !== undefined && { fill }),
    problems: problems.map(({ consequence, code, n, examples }) => ({
      ...{ consequence, code, n },
      lines: examples.map(({ line }) => line),
    })),
    duplicates: duplicatesOf(file, run.number),
    manual,
    steps,
    requests,
    speed: speedOf(sessions, requests, head.seconds),
    sessions: spans.map(sessionSummary),
    ...(run.matched !== null && { matched: run.matched }),
    open: countOpen(file, run),
    ...(sawWholeInput(run, rows) && { gone: countGone(file, run) }),
    ...(verification !== undefined && { verification }),
    files: { ...filesIn(runDir), ...files },
  };
  const commands = { pipelineFile: run.file, workspace: run.target, source: run.source, ...context };
  return {
    ...summary,
    next: nextSteps(summary, commands),
    knownLimits: unknowable(summary, spans, { ...manual, inFlight }),
  };
}

function sessionSummary({ from, to, pid, host, end }: SessionSpan): SessionSummary {
  return {
    startedAt: new Date(from).toISOString(),
    lastSeenAt: new Date(to).toISOString(),
    seconds: (to - from) / 1_000,
    process: { pid, host },
    end,
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

function stepCounts(file: JournalFile, run: number) {
  const steps = new Map<string, { acked: number; uncertain: number; failed: number }>();
  let inFlight = 0;
  let uncertain = 0;
  for (const { name, state, n } of countSteps(file, run)) {
    const counts = steps.get(name) ?? { acked: 0, uncertain: 0, failed: 0 };
    steps.set(name, counts);
    if (state === 'sent') inFlight += n;
    if (state === 'uncertain') uncertain += n;
    if (state === 'acked') counts.acked += n;
    else if (state === 'sent' || state === 'uncertain') counts.uncertain += n;
    else if (state === 'failed' || state === 'refused') counts.failed += n;
  }
  return { steps: Object.fromEntries(steps), inFlight, uncertain };
}

/** The files of a run that are there, by their name in the summary. */
export function filesIn(runDir: string): Record<string, string> {
  const found = Object.entries(fileNames)
    .map(([name, file]) => [name, join(runDir, file)] as const)
    .filter(([, path]) => existsSync(path));
  return Object.fromEntries(found);
}
