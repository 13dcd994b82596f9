import { z } from 'zod';
import { mergeTimings, type OperationTiming, operationTimingSchema } from '../model/timing.ts';
import { nullableColumn, textColumn } from '../storage/columns.ts';
import { tryParseJson } from '../storage/json.ts';
import { select } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import { parseSessionStatus } from './session-now.ts';

const count = z.number().default(0);
const counted = z.object({
  sent: count,
  ok: count,
  retried: count,
  limited: count,
  queued: count,
  timing: operationTimingSchema.optional(),
});
const stored = z.record(z.string(), counted);

/** The numbers of requests of one operation by result; `timing` is absent where an older version counted them. */
export type OperationRequestCounts = Readonly<z.output<typeof counted>>;

/** Parses the request counts of a session, by `<METHOD> <path template>`; returns an empty object for invalid JSON. */
export function parseRequestCounts(json: string): Readonly<Record<string, OperationRequestCounts>> {
  return tryParseJson(json, stored) ?? {};
}

/** The latency of answers, in ms. */
export interface MeasuredLatency {
  readonly mean: number;
  readonly least: number;
  /** The number of answers measured. */
  readonly answers: number;
}

const sessionsLookedAt = 5;
/** The number of sessions, counted back from the last, that are searched for latencies or a concurrency limit. */
const mostSessionsSearched = 50;

/**
 * Returns the latencies of a workspace (by its number in the journal), by `<METHOD> <path template>`, from the last
 * five sessions with measurements among its last 50 import sessions. Empty if there are none.
 */
export function readLatencies(
  file: JournalDatabase,
  workspace: number,
): ReadonlyMap<string, MeasuredLatency> {
  const sessions = select(file, { requests: textColumn })`
    SELECT requests FROM session JOIN run ON run.number = session.run
    WHERE run.kind = 'import' AND run.workspace = ${workspace}
    ORDER BY session.number DESC LIMIT ${mostSessionsSearched}`;
  const measured = sessions
    .map(({ requests }) => timingsOf(requests))
    .filter((timings) => timings.length > 0)
    .slice(0, sessionsLookedAt);
  const merged = new Map<string, OperationTiming>();
  for (const [operation, timing] of measured.flat()) {
    const known = merged.get(operation);
    merged.set(operation, known === undefined ? timing : mergeTimings(known, timing));
  }
  return new Map([...merged].map(([operation, timing]) => [operation, latencyOf(timing)]));
}

/**
 * Returns the adaptive limit of concurrent requests that was last found for a workspace (by its number in the journal);
 * undefined if none of its last 50 sessions found one.
 */
export function findLastConcurrencyLimit(file: JournalDatabase, workspace: number): number | undefined {
  const sessions = select(file, { now: nullableColumn(textColumn) })`
    SELECT now FROM session JOIN run ON run.number = session.run
    WHERE run.workspace = ${workspace} ORDER BY session.number DESC LIMIT ${mostSessionsSearched}`;
  for (const { now } of sessions) {
    const found = parseSessionStatus(now)?.concurrency ?? null;
    if (found !== null) return found;
  }
  return undefined;
}

function timingsOf(requests: string): (readonly [string, OperationTiming])[] {
  return Object.entries(parseRequestCounts(requests)).flatMap(([operation, { timing }]) =>
    timing === undefined || timing.answered === 0 ? [] : [[operation, timing] as const],
  );
}

function latencyOf({ answered, answeredMs, leastMs }: OperationTiming): MeasuredLatency {
  return { mean: answeredMs / answered, least: leastMs, answers: answered };
}
