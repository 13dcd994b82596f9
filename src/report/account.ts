import { type JournalDatabase, listSessions, type RunRecord } from '../journal/index.ts';
import { deriveRunState, localProcessProbe, type ProcessProbe } from './liveness.ts';
import { readSessionActivity } from './present.ts';
import { mergeRequestStats, type RequestStatsByOperation } from './requests.ts';
import { type SessionSummary, sumWorkedSeconds, toSessionSpans } from './sessions.ts';
import type { SpeedStats } from './speed.ts';

/** The properties that the `summary.json` of every kind of run has. */
export interface RunSummaryBase {
  readonly run: string;
  readonly pipeline: string;
  readonly kind: RunRecord['kind'];
  /** A run whose process died unexpectedly is `interrupted`. */
  readonly outcome: 'finished' | 'stopped' | 'interrupted' | 'failed';
  /** Null where the process ended without one. */
  readonly exitCode: number | null;
  /** What happened, in one sentence. */
  readonly headline: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** ISO 8601, UTC; if the process died unexpectedly, when it was last seen. */
  readonly finishedAt: string;
  /** The time worked in all sessions together, in seconds. */
  readonly seconds: number;
  readonly requests: RequestStatsByOperation;
  /** How fast it was, and how much of the rate limit it used. */
  readonly speed: SpeedStats;
  /** The processes that worked on it, in order. */
  readonly sessions: readonly SessionSummary[];
  /** Known limits, in sentences. */
  readonly knownLimits: readonly string[];
}

/** Returns the properties of a run that begin its summary (`head`), and the run's requests. */
export function readSummaryBase(file: JournalDatabase, run: RunRecord) {
  const sessions = listSessions(file, run.number);
  const spans = toSessionSpans(run, sessions);
  const { id, pipeline, kind, selection, state, exitCode, message } = run;
  const head = {
    ...{ run: id, pipeline, kind, selection },
    outcome: state === 'running' ? ('interrupted' as const) : state,
    ...{ exitCode, message },
    startedAt: iso(run.startedAt),
    finishedAt: iso(run.endedAt ?? spans.at(-1)?.to ?? run.startedAt),
    seconds: sumWorkedSeconds(spans),
  };
  return { head, requests: mergeRequestStats(sessions) };
}

/** Returns the properties of a run that its status begins with, as observed from `machine`. */
export function readStatusBase(
  file: JournalDatabase,
  run: RunRecord,
  machine: ProcessProbe = localProcessProbe,
) {
  const sessions = listSessions(file, run.number);
  const spans = toSessionSpans(run, sessions);
  const last = spans.at(-1);
  const state = deriveRunState(run, last, machine);
  const isUnderWay = state === 'running' || state === 'elsewhere';
  const { id, pipeline, kind, inputName, selection, startedAt, endedAt, exitCode, message, pruned } = run;
  return {
    ...{ run: id, pipeline, kind, input: inputName, selection },
    state,
    process: last === undefined ? null : processOf(last),
    startedAt: iso(startedAt),
    finishedAt: endedAt === null ? null : iso(endedAt),
    seconds: sumWorkedSeconds(spans),
    ...{ exitCode, message },
    prunedAt: pruned === null ? null : iso(pruned.at),
    now: isUnderWay ? readSessionActivity(sessions.at(-1)) : null,
    requests: mergeRequestStats(sessions),
  };
}

function processOf({ pid, host, from, to }: ReturnType<typeof toSessionSpans>[number]) {
  return { pid, host, since: iso(from), lastSeenAt: iso(to) };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
