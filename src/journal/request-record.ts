import { z } from 'zod';
import { mergeTimings, type Timing, timingSchema } from '../model/timing.ts';
import { nullable, text } from '../storage/columns.ts';
import { readJson } from '../storage/json.ts';
import { select } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';
import { readSessionStatus } from './session-now.ts';

const count = z.number().default(0);
const counted = z.object({
  sent: count,
  ok: count,
  retried: count,
  limited: count,
  queued: count,
  timing: timingSchema.optional(),
});
const stored = z.record(z.string(), counted);

/** The results of the requests of one operation; without a timing where an older version counted them. */
export type CountedRequests = Readonly<z.output<typeof counted>>;

/** Returns the requests recorded by a session, by `<METHOD> <path template>`; empty if they cannot be read. */
export function readRequests(json: string): Readonly<Record<string, CountedRequests>> {
  return readJson(json, stored) ?? {};
}

/** The latency of answers, in ms. */
export interface MeasuredLatency {
  readonly mean: number;
  readonly least: number;
  /** The number of answers measured. */
  readonly answers: number;
}

const sessionsLookedAt = 5;
/** The most sessions without a measurement that are skipped. */
const sessionsPassedOver = 50;

/**
 * Returns the latency of a workspace (the journal's number of it), by `<METHOD> <path template>`: over the last five
 * sessions of imports that measured any. Empty if nothing was measured yet.
 */
export function measuredLatencies(
  file: JournalFile,
  workspace: number,
): ReadonlyMap<string, MeasuredLatency> {
  const sessions = select(file, { requests: text })`
    SELECT requests FROM session JOIN run ON run.number = session.run
    WHERE run.kind = 'import' AND run.workspace = ${workspace}
    ORDER BY session.number DESC LIMIT ${sessionsPassedOver}`;
  const measured = sessions
    .map(({ requests }) => timingsOf(requests))
    .filter((timings) => timings.length > 0)
    .slice(0, sessionsLookedAt);
  const merged = new Map<string, Timing>();
  for (const [operation, timing] of measured.flat()) {
    const known = merged.get(operation);
    merged.set(operation, known === undefined ? timing : mergeTimings(known, timing));
  }
  return new Map([...merged].map(([operation, timing]) => [operation, latencyOf(timing)]));
}

/**
 * Returns the number of requests at once that suited the workspace (the journal's number of it) in the last session
 * that found it out.
 */
export function concurrencyFound(file: JournalFile, workspace: number): number | undefined {
  const sessions = select(file, { now: nullable(text) })`
    SELECT now FROM session JOIN run ON run.number = session.run
    WHERE run.workspace = ${workspace} ORDER BY session.number DESC LIMIT ${sessionsPassedOver}`;
  for (const { now } of sessions) {
    const found = readSessionStatus(now)?.concurrency ?? null;
    if (found !== null) return found;
  }
  return undefined;
}

function timingsOf(requests: string): (readonly [string, Timing])[] {
  return Object.entries(readRequests(requests)).flatMap(([operation, { timing }]) =>
    timing === undefined || timing.answered === 0 ? [] : [[operation, timing] as const],
  );
}

function latencyOf({ answered, answeredMs, leastMs }: Timing): MeasuredLatency {
  return { mean: answeredMs / answered, least: leastMs, answers: answered };
}
