import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  countFilledFields,
  countOpenRows,
  countQuestions,
  countRetryMatches,
  countRunRows,
  countSteps,
  countTaggedContacts,
  type JournalDatabase,
  listSessions,
  type RetryMatchCounts,
  type RunRecord,
  readFinishedRowRange,
} from '../../../journal/index.ts';
import { FatalError } from '../../../model/fatal-error.ts';
import { outcomes, type RowCounts } from '../../../model/outcome.ts';
import { readSummaryBase } from '../../../report/account.ts';
import { runFileNames } from '../../../report/file-names.ts';
import { toSessionSpans, toSessionSummaries } from '../../../report/sessions.ts';
import { summariseSpeed } from '../../../report/speed.ts';
import { readVerificationSummary } from '../../verify/report/verification-note.ts';
import { buildRunParameters } from './asked.ts';
import { countDuplicates } from './duplicates.ts';
import { buildRunHeadline } from './headline.ts';
import { listKnownLimits } from './known-limits.ts';
import { countMergeProposals, countMissingKeys, hasReadWholeInput } from './lists.ts';
import { listNextSteps, type NextCommandContext } from './next-steps.ts';
import type { ProblemDigest } from './problem-digest.ts';
import { computeLeftBehindGroups } from './run-losses.ts';
import type { Summary } from './summary.ts';

/** The data of a summary that is not in the journal. */
export interface SummaryContext
  extends Pick<NextCommandContext, 'invocation' | 'deferred' | 'canCorrectRejects'> {
  readonly problems: readonly ProblemDigest[];
  /** The options of the source that leave out rows. */
  readonly filters?: readonly string[] | undefined;
  /** Paths of files that are about to be written. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Returns the summary of a run; throws a FatalError 'unexpected' if the rows do not add up. */
export function buildSummary(
  file: JournalDatabase,
  run: RunRecord,
  runDir: string,
  { problems, filters, files = {}, ...context }: SummaryContext,
): Summary {
  const rows = countRunRows(file, run);
  checkSum(file, run, rows);
  if (run.matched !== null) checkMatched(file, run, rows, run.matched);
  const { head, requests } = readSummaryBase(file, run);
  const sessions = listSessions(file, run.number);
  const spans = toSessionSpans(run, sessions);
  const { steps, inFlight, uncertain } = countStepsByName(file, run.number);
  const fill = countFilledFields(file, run);
  const verification = readVerificationSummary(runDir, run.endedAt);
  const manual = {
    proposals: countMergeProposals(file, run.number),
    questions: countQuestions(file, run.number).open,
    uncertain,
    tagged: countTaggedContacts(file, run.number),
  };
  const counted = problems.map(({ consequence, code, n, examples }) => ({
    ...{ consequence, code, n },
    lines: examples.map(({ line }) => line),
  }));
  const written = { ...listRunFiles(runDir), ...files };
  const names = new Set(Object.values(written).map((path) => basename(path)));
  const leftBehind = computeLeftBehindGroups({ run, rows, problems, tagged: manual.tagged });
  const summary = {
    ...head,
    headline: buildRunHeadline(
      { ...head, rows, problems: counted, ...(run.matched !== null && { matched: run.matched }) },
      filters,
    ).text,
    asked: buildRunParameters(file, run),
    rows,
    ...(fill !== undefined && { fill }),
    problems: counted,
    duplicates: countDuplicates(file, run.number),
    // The first pass predicts losses of rows that a stopped run did not reach: no list has them yet.
    leftBehind: leftBehind.map((group) => ({
      ...group,
      file: group.file !== null && names.has(group.file) ? group.file : null,
    })),
    manual,
    steps,
    requests,
    speed: summariseSpeed(sessions, requests, head.seconds),
    sessions: toSessionSummaries(run, sessions),
    ...(run.matched !== null && { matched: run.matched }),
    open: countOpenRows(file, run),
    ...(run.tables !== null && { tables: run.tables }),
    ...(hasReadWholeInput(run, rows) && { gone: countMissingKeys(file, run) }),
    ...(verification !== undefined && { verification }),
    files: written,
  };
  const commands = { pipelineFile: run.file, workspace: run.target, source: run.source, ...context };
  return {
    ...summary,
    next: listNextSteps(summary, commands),
    knownLimits: listKnownLimits(summary, spans, { ...manual, inFlight }),
  };
}

function checkSum(file: JournalDatabase, run: RunRecord, rows: RowCounts): void {
  const span = readFinishedRowRange(file, run.number);
  const known = outcomes.reduce((sum, outcome) => sum + rows[outcome], 0);
  // Selected rows keep their numbers in the whole input.
  const beyond = run.selection.kind === 'all' && (span.greatest ?? -1) >= run.items;
  const outside = (span.least ?? 0) < 0 || beyond;
  if (known === span.count && known + rows.notReached === rows.read && rows.notReached >= 0 && !outside)
    return;
  const how = `${rows.read} were read, ${span.count} have an outcome (${known} of them one that is known), and their numbers go from ${span.least ?? 0} to ${span.greatest ?? 0}`;
  throw doesNotAddUp(file, run, how);
}

/**
 * Throws unless the rows of a retry's input add up: each was taken, done before, changed since or filtered, and the
 * journal has as many matches of each kind.
 */
function checkMatched(
  file: JournalDatabase,
  run: RunRecord,
  rows: RowCounts,
  matched: RetryMatchCounts,
): void {
  const { input, taken, added, done, changed, filtered } = matched;
  const found = countRetryMatches(file, run.number);
  const isRecorded = (['changed', 'missing', 'removed', 'gone'] as const).every(
    (kind) => (found.get(kind) ?? 0) === matched[kind],
  );
  const isWhole = input === taken + done + changed + filtered && taken === rows.read;
  if (isWhole && isRecorded && (found.get('taken') ?? 0) === taken - added) return;
  const how = `the input has ${input}, of which ${taken} were taken (${rows.read} read, ${added} of them new), ${done} were done before, ${changed} have changed and ${filtered} are filtered; on record are ${JSON.stringify([...found])}`;
  throw doesNotAddUp(file, run, how);
}

function doesNotAddUp(file: JournalDatabase, run: RunRecord, how: string): FatalError {
  return new FatalError('unexpected', `the rows of run ${run.id} do not add up: ${how}.`, {
    place: { file: file.name },
    next: 'Keep the work dir as it is, and report this as a bug in Longshore.',
  });
}

/** Returns the numbers of steps by name and state, and the total numbers of steps in flight and of uncertain steps. */
export function countStepsByName(file: JournalDatabase, run: number) {
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

/** Returns the paths of the run's existing files, by their name in the summary. */
export function listRunFiles(runDir: string): Record<string, string> {
  const found = Object.entries(runFileNames)
    .map(([name, file]) => [name, join(runDir, file)] as const)
    .filter(([, path]) => existsSync(path));
  return Object.fromEntries(found);
}
