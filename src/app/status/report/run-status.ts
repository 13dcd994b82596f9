import {
  countForgottenOpenRows,
  countOpenRows,
  countProblemsByOutcome,
  countProposals,
  countQuestions,
  countRunRows,
  countStepsInFlight,
  countTaggedContacts,
  type JournalDatabase,
  listSessions,
  listUndos,
  type ProposalCounts,
  type QuestionCounts,
  type RetryMatchCounts,
  type RowSelection,
  type RunRecord,
  type UndoSelection,
} from '../../../journal/index.ts';
import type { LeftBehindGroup } from '../../../model/left-behind.ts';
import type { RowCounts } from '../../../model/outcome.ts';
import { readStatusBase } from '../../../report/account.ts';
import type { ObservedRunState, ProcessProbe } from '../../../report/liveness.ts';
import { estimateSecondsLeft, type SessionActivity } from '../../../report/present.ts';
import type { RequestStatsByOperation } from '../../../report/requests.ts';
import {
  computePaceIntervals,
  type PaceInterval,
  type SpeedStats,
  summariseSpeed,
} from '../../../report/speed.ts';
import { buildCommandWordsForRun } from '../../../report/words.ts';
import { isStoppedByExpectation } from '../../export/guards.ts';
import { listRunFiles } from '../../import/report/build-summary.ts';
import { countMissingKeys, hasReadWholeInput } from '../../import/report/lists.ts';
import { createRefusedProposalTest } from '../../import/report/merge-proposals.ts';
import { listNextSteps } from '../../import/report/next-steps.ts';
import {
  compareProblemSeverity,
  getProblemConsequence,
  type ProblemDigest,
} from '../../import/report/problem-digest.ts';
import { computeLeftBehindGroups } from '../../import/report/run-losses.ts';
import type { NextStep } from '../../import/report/summary.ts';
import { formatCommandLine, type Invocation } from '../../run/command-line.ts';

/** The status of a run, as `longshore status --json` prints it. */
export interface RunStatus {
  readonly run: string;
  readonly pipeline: string;
  readonly kind: RunRecord['kind'];
  /** The name of the input: a path, or a workspace; of an export, the path of its pipeline. */
  readonly input: string;
  /** The rows of the input that the run works on. */
  readonly selection: RowSelection;
  /** Set for an undo, whose rows are contacts: the run that it reverts. */
  readonly undo?: UndoSelection;
  /** The last undo of the run; absent if there is none. A run that was undone cannot be continued. */
  readonly undoneBy?: string;
  readonly state: ObservedRunState;
  /** The process that worked on it last. */
  readonly process: {
    readonly pid: number;
    readonly host: string;
    /** ISO 8601, UTC. */
    readonly since: string;
    readonly lastSeenAt: string;
  } | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly seconds: number;
  readonly exitCode: number | null;
  readonly message: string | null;
  /** When its rows and files were removed (ISO 8601, UTC); null for a run that has them. */
  readonly prunedAt: string | null;
  /** The number of open rows of people who were forgotten later; absent if there are none. */
  readonly forgotten?: number;
  /**
   * The present activity of the running process; null if the run is not running, or nothing was reported yet.
   */
  readonly now: SessionActivity | null;
  /** The average number of rows done per second of working time; null until there is anything to measure. */
  readonly perSecond: number | null;
  /**
   * The seconds that the remaining rows take at the present pace; null if the run is not running, or if the time cannot
   * be estimated.
   */
  readonly secondsLeft: number | null;
  readonly rows: RowCounts;
  /**
   * The number of rejected, failed and uncertain rows, without those that a later retry finished or found removed on
   * purpose, and without those of forgotten people; 0 for a pruned run. Proposed rows, which wait for an answer or an
   * approval, are not among them.
   */
  readonly open: number;
  /** The questions whether two are one person, and how many of them no run has an answer to; absent if there are none. */
  readonly questions?: QuestionCounts;
  /** The proposed merges, and how many of them no later run has settled; absent if there are none. */
  readonly proposals?: ProposalCounts;
  /** The options of the pipeline's source that leave out rows, where some were left out and the pipeline can be read. */
  readonly filters?: readonly string[];
  /** How the rows of a retry's input match those of the runs before it. */
  readonly matched?: RetryMatchCounts;
  /** The number of steps that were sent and have no answer yet, by the step's name. */
  readonly inFlight: Readonly<Record<string, number>>;
  /** The requests of all sessions, by operation. */
  readonly requests: RequestStatsByOperation;
  /** The speed over all sessions. */
  readonly speed: SpeedStats;
  /** The pace of each interval, the earliest first. */
  readonly pace: readonly PaceInterval[];
  readonly problems: readonly Omit<ProblemDigest, 'examples'>[];
  /** What the import leaves behind. */
  readonly leftBehind: readonly LeftBehindGroup[];
  readonly next: readonly NextStep[];
}

/** The status of an export, as `longshore status --json` prints it. */
export interface ExportStatus
  extends Pick<
    RunStatus,
    | 'run'
    | 'pipeline'
    | 'kind'
    | 'input'
    | 'state'
    | 'process'
    | 'startedAt'
    | 'finishedAt'
    | 'seconds'
    | 'exitCode'
    | 'message'
    | 'prunedAt'
    | 'now'
    | 'requests'
    | 'speed'
    | 'pace'
  > {
  readonly counts: Readonly<Record<string, number>> | null;
  readonly folder: string | null;
  readonly next: readonly NextStep[];
}

/** The machine, paths and settings with which the status of a run is read. */
export interface StatusContext {
  /** How commands are typed, with the work dir. */
  readonly invocation: Invocation;
  readonly machine?: ProcessProbe;
  /** The folder of the run's files. */
  readonly runDir?: string;
  /** Steps that are still deferred for the rows of the run. */
  readonly deferred?: readonly string[];
  /** False if a corrected rejects.csv cannot be retried, because it would lack lists of the rows. */
  readonly canCorrectRejects?: boolean;
  /** The options of the pipeline's source that leave out rows. */
  readonly filters?: readonly string[];
}

/**
 * Returns what an import leaves behind, without the rows that a later retry has settled, and without the files that list
 * it as long as the run has not written them.
 */
function leftBehindOf(
  file: JournalDatabase,
  run: RunRecord,
  { rows, problems, open }: Pick<RunStatus, 'rows' | 'problems' | 'open'>,
): readonly LeftBehindGroup[] {
  const tagged = countTaggedContacts(file, run.number);
  const groups = computeLeftBehindGroups({ run, rows, problems, tagged }).flatMap((group) => {
    if (group.kind !== 'rejected' || run.pruned !== null || open >= group.n) return [group];
    // Which of the values and whose example are settled is not known.
    return open === 0 ? [] : [{ ...group, n: open, values: [], example: null }];
  });
  return run.state === 'running' ? groups.map((group) => ({ ...group, file: null })) : groups;
}

export function createRunStatus(file: JournalDatabase, run: RunRecord, view: StatusContext): RunStatus {
  const standing = readStatusBase(file, run, view.machine);
  const { state } = standing;
  const [undone] = listUndos(file, run);
  const rows = countRunRows(file, run);
  const sent = countStepsInFlight(file, run.number);
  const done = rows.read - rows.notReached;
  const { seconds, now } = standing;
  const forgotten = countForgottenOpenRows(file, run.number);
  const problems = problemsOf(file, run);
  const questions = countQuestions(file, run.number);
  const files = view.runDir === undefined ? {} : listRunFiles(view.runDir);
  const proposals = countProposals(file, run.number, createRefusedProposalTest(files));
  const isSettled = {
    questions: questions.asked > 0 && questions.open === 0,
    // Of a refused merge the row is imported into neither contact.
    conflicts: proposals.proposed > 0 && proposals.open + proposals.refused === 0,
  };
  const open = countOpenRows(file, run);
  return {
    ...standing,
    ...tempoOf(file, run, standing),
    ...(run.undo && { undo: run.undo }),
    ...(undone && { undoneBy: undone.id }),
    perSecond: done > 0 && seconds > 0 ? done / seconds : null,
    secondsLeft: estimateSecondsLeft(rows.notReached, now),
    rows,
    open,
    ...(questions.asked > 0 && { questions }),
    ...(proposals.proposed > 0 && { proposals }),
    ...(rows.filtered > 0 && view.filters && { filters: view.filters }),
    ...(run.matched !== null && { matched: run.matched }),
    ...(forgotten > 0 && { forgotten }),
    inFlight: Object.fromEntries(sent.map(({ name, n }) => [name, n])),
    problems,
    leftBehind:
      run.kind === 'import'
        ? leftBehindOf(file, run, { rows, problems, open }).filter(
            ({ kind }) => !((kind === 'questions' || kind === 'conflicts') && isSettled[kind]),
          )
        : [],
    next:
      state === 'running' || run.pruned !== null || undone !== undefined
        ? []
        : nextOf(file, run, state, { rows, questions, proposals, open }, view),
  };
}

function nextOf(
  file: JournalDatabase,
  run: RunRecord,
  state: Exclude<ObservedRunState, 'running'>,
  {
    rows,
    questions,
    proposals,
    open,
  }: Pick<RunStatus, 'rows' | 'open'> & Required<Pick<RunStatus, 'questions' | 'proposals'>>,
  { invocation, runDir, deferred, canCorrectRejects }: StatusContext,
): NextStep[] {
  const outcome = state === 'elsewhere' ? 'interrupted' : state;
  const { id, exitCode, selection, undo } = run;
  if (undo !== undefined) return outcome === 'finished' ? [] : [continuation(id, invocation)];
  const files = runDir === undefined ? {} : listRunFiles(runDir);
  // Counting reads all source keys, of which none is missing where the run has no list of them.
  const gone = files.gone !== undefined && hasReadWholeInput(run, rows) ? countMissingKeys(file, run) : 0;
  return listNextSteps(
    {
      ...{ run: id, outcome, exitCode, rows, selection, files, gone },
      manual: {
        proposals: proposals.open,
        questions: questions.open,
      },
      open,
      ...(run.matched !== null && { matched: run.matched }),
    },
    {
      ...{ pipelineFile: run.file, workspace: run.target, invocation, source: run.source },
      ...{ deferred, canCorrectRejects },
    },
  );
}

/** Returns the command that continues an unfinished undo. */
function continuation(run: string, invocation: Invocation): NextStep {
  const command = formatCommandLine(['resume', run], {}, invocation);
  return { why: 'Continue; nothing is sent twice', command };
}

export function createExportStatus(file: JournalDatabase, run: RunRecord, view: StatusContext): ExportStatus {
  const { selection: _, ...standing } = readStatusBase(file, run, view.machine);
  const { counts, folder } = run;
  const tempo = tempoOf(file, run, standing);
  return { ...standing, ...tempo, counts, folder, next: afterExport(run, standing.state, view) };
}

function tempoOf(
  file: JournalDatabase,
  { number }: RunRecord,
  { requests, seconds }: Pick<RunStatus, 'requests' | 'seconds'>,
): Pick<RunStatus, 'speed' | 'pace'> {
  const sessions = listSessions(file, number);
  return { speed: summariseSpeed(sessions, requests, seconds), pace: computePaceIntervals(sessions) };
}

function afterExport(run: RunRecord, state: ObservedRunState, { invocation }: StatusContext): NextStep[] {
  if (state === 'running' || state === 'elsewhere' || state === 'finished') return [];
  const context = { workspace: run.target };
  const command = formatCommandLine(buildCommandWordsForRun(run), context, invocation);
  if (isStoppedByExpectation(run)) {
    const accept = formatCommandLine([...buildCommandWordsForRun(run), '--accept'], context, invocation);
    return [
      { why: 'If that is what the workspace contains', command: accept },
      { why: 'Otherwise fix the pipeline or the workspace, then', command },
    ];
  }
  if (run.selection.kind === 'compact') return [{ why: 'To combine it again', command }];
  return [{ why: 'To continue it, or to start over if it cannot be continued', command }];
}

function problemsOf(file: JournalDatabase, run: RunRecord): RunStatus['problems'] {
  const tallies = new Map<string, RunStatus['problems'][number]>();
  for (const { outcome, code, n } of countProblemsByOutcome(file, run.number)) {
    const consequence = getProblemConsequence(outcome, code);
    const name = `${consequence} ${code}`;
    tallies.set(name, { consequence, code, n: n + (tallies.get(name)?.n ?? 0) });
  }
  return [...tallies.values()].sort(compareProblemSeverity);
}
