import type { JournalFile } from './open.ts';

export type StepState = 'planned' | 'sent' | 'acked' | 'refused' | 'failed' | 'uncertain';

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
}

/** Which step of a run. */
export type StepName = Pick<StepRecord, 'seq' | 'name' | 'item'>;

interface StoredStep {
  seq: number;
  name: string;
  item: string;
  state: StepState;
  intent: string;
  before: string | null;
  sentAt: number | null;
}

export interface StepWriter {
  intend(step: StepRecord): void;
  mark(step: StepName, state: StepState): void;
}

export function stepWriter(file: JournalFile, run: number): StepWriter {
  const insert = file.prepare(
    'INSERT OR REPLACE INTO step (run, seq, name, item, state, intent, before, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const update = file.prepare(
    'UPDATE step SET state = ? WHERE run = ? AND seq = ? AND name = ? AND item = ?',
  );
  return {
    intend(step) {
      const before = step.before === null ? null : JSON.stringify(step.before);
      insert.run(
        run,
        step.seq,
        step.name,
        step.item,
        step.state,
        JSON.stringify(step.intent),
        before,
        step.sentAt,
      );
    },
    mark({ seq, name, item }, state) {
      update.run(state, run, seq, name, item);
    },
  };
}

/** The steps of the items [from, to) that have no outcome yet: what an interrupted run left in the air. */
export function openSteps(file: JournalFile, run: number, from: number, to: number): StepRecord[] {
  return file
    .prepare<[number, number, number], StoredStep>(
      `SELECT seq, name, item, state, intent, before, sent_at AS sentAt FROM step
       WHERE run = ? AND seq >= ? AND seq < ?
         AND NOT EXISTS (SELECT 1 FROM row WHERE row.run = step.run AND row.seq = step.seq)
       ORDER BY seq`,
    )
    .all(run, from, to)
    .map((step) => ({
      ...step,
      intent: JSON.parse(step.intent),
      before: step.before === null ? null : JSON.parse(step.before),
    }));
}

/** Steps of a run by name and state. */
export function countSteps(file: JournalFile, run: number): { name: string; state: StepState; n: number }[] {
  return file
    .prepare<[number], { name: string; state: StepState; n: number }>(
      'SELECT name, state, count(*) AS n FROM step WHERE run = ? GROUP BY name, state',
    )
    .all(run);
}
