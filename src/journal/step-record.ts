import * as z from 'zod';
import { jsonOf, nullable, number, oneOf, optional, text } from '../storage/columns.ts';
import { change, json, select, selectOne } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';

const stepStates = ['planned', 'sent', 'acked', 'refused', 'failed', 'uncertain'] as const;

export type StepState = (typeof stepStates)[number];

/** A step of a row (or, below 0, of the run): its intent, the values before, and its state. */
export interface StepRecord {
  readonly seq: number;
  readonly name: string;
  /** Tells several steps of that name apart, as a comment's id; empty where there is only one. */
  readonly item: string;
  readonly state: StepState;
  readonly intent: unknown;
  readonly before: unknown;
  readonly sentAt: number | null;
  /** The changes of the step to the contact's stored record, where it is a step of an undo. */
  readonly memory?: unknown;
}

const anyJson = jsonOf(z.unknown());
const stepState = oneOf(stepStates);

/** The columns of a step. */
export const stepColumns = {
  seq: number,
  name: text,
  item: text,
  state: stepState,
  intent: anyJson,
  before: nullable(anyJson),
  sentAt: nullable(number),
  memory: optional(anyJson),
};

/** The identity of a step within a run. */
export type StepName = Pick<StepRecord, 'seq' | 'name' | 'item'>;

/** Records a step that a session is about to send. */
export function writeStep(
  file: JournalFile,
  { run, session }: { readonly run: number; readonly session: number },
  step: StepRecord,
): void {
  const { seq, name, item, state, sentAt } = step;
  const [intent, before, memory] = [JSON.stringify(step.intent), json(step.before), json(step.memory)];
  change(file)`REPLACE INTO step (run, seq, name, item, state, intent, before, sent_at, memory, session)
    VALUES (${run}, ${seq}, ${name}, ${item}, ${state}, ${intent}, ${before}, ${sentAt}, ${memory}, ${session})`;
}

/** Records the state of a step, and whether it created something new where that is known. */
export function markStep(
  file: JournalFile,
  run: number,
  { seq, name, item }: StepName,
  state: StepState,
  created?: boolean | undefined,
): void {
  const isNew = created === undefined ? null : created ? 1 : 0;
  change(file)`UPDATE step SET state = ${state}, created = coalesce(${isNew}, created)
    WHERE run = ${run} AND seq = ${seq} AND name = ${name} AND item = ${item}`;
}

/**
 * Returns the steps of the items [from, to) that have no outcome yet: those that an interrupted run left unfinished.
 */
export function openSteps(file: JournalFile, run: number, from: number, to: number): StepRecord[] {
  return select(file, stepColumns)`
    SELECT seq, name, item, state, intent, before, sent_at AS sentAt, memory FROM step
    WHERE run = ${run} AND seq >= ${from} AND seq < ${to}
      AND NOT EXISTS (SELECT 1 FROM row WHERE row.run = step.run AND row.seq = step.seq)
    ORDER BY seq`;
}

/** Counts the steps of a run by name and state. */
export function countSteps(file: JournalFile, run: number): { name: string; state: StepState; n: number }[] {
  return select(file, { name: text, state: stepState, n: number })`
    SELECT name, state, count(*) AS n FROM step WHERE run = ${run} GROUP BY name, state`;
}

const sentBy = { session: nullable(number) };

/** Returns the session that sent a step last; undefined if none did, or an older version sent it. */
export function sessionOf(file: JournalFile, run: number, { seq, name, item }: StepName): number | undefined {
  const found = selectOne(file, sentBy)`
    SELECT session FROM step WHERE run = ${run} AND seq = ${seq} AND name = ${name} AND item = ${item}`;
  return found?.session ?? undefined;
}

/** Returns when, and by which session, a step of that name that took effect was last sent; undefined if none was. */
export function lastSent(
  file: JournalFile,
  run: number,
  name: string,
): { readonly at: number; readonly session: number | null } | undefined {
  return selectOne(file, { at: number, session: nullable(number) })`
    SELECT sent_at AS at, session FROM step
    WHERE run = ${run} AND name = ${name} AND state = 'acked' AND sent_at IS NOT NULL
    ORDER BY session DESC, sent_at DESC LIMIT 1`;
}
