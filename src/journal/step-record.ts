import * as z from 'zod';
import {
  enumColumn,
  jsonColumn,
  nullableColumn,
  numberColumn,
  optionalColumn,
  textColumn,
} from '../storage/columns.ts';
import { runSql, select, selectOne } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import type { JsonPacker } from './packed-json.ts';

const stepStates = ['planned', 'sent', 'acked', 'refused', 'failed', 'uncertain'] as const;

export type StepState = (typeof stepStates)[number];

/** A step of a row (or of the run itself, where `seq` is below 0): its intent, the values before, and its state. */
export interface StepRecord {
  readonly seq: number;
  readonly name: string;
  /**
   * Distinguishes steps of the same name in one row, such as by a comment's id; empty where there is only
   * one.
   */
  readonly item: string;
  readonly state: StepState;
  readonly intent: unknown;
  readonly before: unknown;
  readonly sentAt: number | null;
  /** The changes that a step of an undo makes to the contact's stored record; absent for other steps. */
  readonly memory?: unknown;
}

const anyJson = jsonColumn(z.unknown());
const stepState = enumColumn(stepStates);

/** The readers of a step's columns. */
export const stepColumns = {
  seq: numberColumn,
  name: textColumn,
  item: textColumn,
  state: stepState,
  intent: anyJson,
  before: nullableColumn(anyJson),
  sentAt: nullableColumn(numberColumn),
  memory: optionalColumn(anyJson),
};

/** The identity of a step within a run. */
export type StepKey = Pick<StepRecord, 'seq' | 'name' | 'item'>;

/** Records a step that a session is about to send. */
export function writeStep(
  file: JournalDatabase,
  { run, session, pack }: { readonly run: number; readonly session: number; readonly pack: JsonPacker },
  step: StepRecord,
): void {
  const { seq, name, item, state, sentAt } = step;
  const intent = pack(step.intent);
  const packOrNull = (value: unknown) => (value === null || value === undefined ? null : pack(value));
  const [before, memory] = [packOrNull(step.before), packOrNull(step.memory)];
  runSql(file)`REPLACE INTO step (run, seq, name, item, state, intent, before, sent_at, memory, session)
    VALUES (${run}, ${seq}, ${name}, ${item}, ${state}, ${intent}, ${before}, ${sentAt}, ${memory}, ${session})`;
}

/** Records the state of a step, and, unless `created` is undefined, whether its call created something. */
export function setStepState(
  file: JournalDatabase,
  run: number,
  { seq, name, item }: StepKey,
  state: StepState,
  created?: boolean | undefined,
): void {
  const isNew = created === undefined ? null : created ? 1 : 0;
  runSql(file)`UPDATE step SET state = ${state}, created = coalesce(${isNew}, created)
    WHERE run = ${run} AND seq = ${seq} AND name = ${name} AND item = ${item}`;
}

/** Returns the steps of the items [from, to) that have no outcome yet, in the order of the items. */
export function listStepsOfUnfinishedItems(
  file: JournalDatabase,
  run: number,
  from: number,
  to: number,
): StepRecord[] {
  return select(file, stepColumns)`
    SELECT seq, name, item, state, intent, before, sent_at AS sentAt, memory FROM step_json
    WHERE run = ${run} AND seq >= ${from} AND seq < ${to}
      AND NOT EXISTS (SELECT 1 FROM row WHERE row.run = step_json.run AND row.seq = step_json.seq)
    ORDER BY seq`;
}

/** Returns the number of steps of a run by name and state. */
export function countSteps(
  file: JournalDatabase,
  run: number,
): { name: string; state: StepState; n: number }[] {
  return select(file, { name: textColumn, state: stepState, n: numberColumn })`
    SELECT name, state, count(*) AS n FROM step WHERE run = ${run} GROUP BY name, state`;
}

/** Returns the number of steps of a run that were sent and have no answer yet, by name. */
export function countStepsInFlight(file: JournalDatabase, run: number): { name: string; n: number }[] {
  return select(file, { name: textColumn, n: numberColumn })`
    SELECT name, count(*) AS n FROM step INDEXED BY step_sent WHERE run = ${run} AND state = 'sent' GROUP BY name`;
}

const createdFieldColumns = { name: textColumn, slug: textColumn };

/** Returns the slugs of the custom fields that runs created in a workspace, by the names of the fields. */
export function readSlugsOfCreatedFields(
  file: JournalDatabase,
  workspace: number,
): ReadonlyMap<string, string> {
  const created = select(file, createdFieldColumns)`
    SELECT intent ->> '$.name' AS name, intent ->> '$.slug' AS slug FROM step_json
    WHERE run IN (SELECT number FROM run WHERE workspace = ${workspace}) AND seq < 0 AND name = 'ensureField'
      AND state = 'acked' AND intent ->> '$.slug' IS NOT NULL`;
  return new Map(created.map(({ name, slug }) => [name, slug]));
}

const sentBy = { session: nullableColumn(numberColumn) };

/**
 * Returns the number of the session that last sent a step; undefined if none has, or an older version sent
 * it.
 */
export function findStepSessionNumber(
  file: JournalDatabase,
  run: number,
  { seq, name, item }: StepKey,
): number | undefined {
  const found = selectOne(file, sentBy)`
    SELECT session FROM step WHERE run = ${run} AND seq = ${seq} AND name = ${name} AND item = ${item}`;
  return found?.session ?? undefined;
}

/**
 * Returns the time (ms) and session of the last sent step of that name that took effect; undefined if there is none.
 */
export function findLastSentStep(
  file: JournalDatabase,
  run: number,
  name: string,
): { readonly at: number; readonly session: number | null } | undefined {
  return selectOne(file, { at: numberColumn, session: nullableColumn(numberColumn) })`
    SELECT sent_at AS at, session FROM step
    WHERE run = ${run} AND name = ${name} AND state = 'acked' AND sent_at IS NOT NULL
    ORDER BY session DESC, sent_at DESC LIMIT 1`;
}
