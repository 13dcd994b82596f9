import * as z from 'zod';
import { jsonOf, nullable, number, oneOf, optional, text } from '../storage/columns.ts';
import { change, json, select, selectOne } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';

const stepStates = ['planned', 'sent', 'acked', 'refused', 'failed', 'uncertain'] as const;

export type StepState = (typeof stepStates)[number];

/** A step of a row (or, below 0, of the run): what was meant to be sent, what stood there before, and how far it is. */
export interface StepRecord {
  readonly seq: number;
  readonly name: string;
  /** Which of several of that name, as a comment's id; empty where there is only one. */
  readonly item: string;
  readonly state: StepState;
  readonly intent: unknown;
  readonly before: unknown;
  readonly sentAt: number | null;
  /** What the step changes in what is remembered of the contact, where it is a step of an undo. */
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

/** Which step of a run. */
export type StepName = Pick<StepRecord, 'seq' | 'name' | 'item'>;

/** Records what a session is about to send. */
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

/** Records how far a step is, and whether it brought something new into being where that is known. */
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

/** The steps of the items [from, to) that have no outcome yet: what an interrupted run left in the air. */
export function openSteps(file: JournalFile, run: number, from: number, to: number): StepRecord[] {
  return select(file, stepColumns)`
    SELECT seq, name, item, state, intent, before, sent_at AS sentAt, memory FROM step
    WHERE run = ${run} AND seq >= ${from} AND seq < ${to}
      AND NOT EXISTS (SELECT 1 FROM row WHERE row.run = step.run AND row.seq = step.seq)
    ORDER BY seq`;
}

/** Steps of a run by name and state. */
export function countSteps(file: JournalFile, run: number): { name: string; state: StepState; n: number }[] {
  return select(file, { name: text, state: stepState, n: number })`
    SELECT name, state, count(*) AS n FROM step WHERE run = ${run} GROUP BY name, state`;
}

const sentBy = { session: nullable(number) };

/** Which session sent a step last; undefined where none did, or an older version sent it. */
export function sessionOf(file: JournalFile, run: number, { seq, name, item }: StepName): number | undefined {
  const found = selectOne(file, sentBy)`
    SELECT session FROM step WHERE run = ${run} AND seq = ${seq} AND name = ${name} AND item = ${item}`;
  return found?.session ?? undefined;
}

/** When a step of that name was last sent that took effect, and by which session; undefined where none was. */
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
