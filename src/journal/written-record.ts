import { enumColumn, nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { select } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import type { RunRecord } from './run.ts';
import { type StepRecord, stepColumns } from './step-record.ts';

type OfRun = Pick<RunRecord, 'number' | 'workspace' | 'memory'>;

/** A step that took effect, or may have; the values of its row are null if the row has no outcome. */
export interface WrittenStep extends StepRecord {
  readonly state: 'acked' | 'sent' | 'uncertain';
  readonly line: number | null;
  /** The row's sheet, where the input has several; null otherwise. */
  readonly sheet: string | null;
  readonly key: string | null;
  /** `email:…` or `phone:…` of the row's person. */
  readonly identifier: string | null;
  /** The row's contact, as far as the journal knows it now. */
  readonly contact: number | null;
}

const writtenStepColumns = {
  ...stepColumns,
  state: enumColumn(['acked', 'sent', 'uncertain']),
  line: nullableColumn(numberColumn),
  sheet: nullableColumn(textColumn),
  key: nullableColumn(textColumn),
  identifier: nullableColumn(textColumn),
  contact: nullableColumn(numberColumn),
};

/**
 * Returns the steps of a run's rows after (seq, name, item) that took effect or may have, in order, at most `limit`.
 */
export function listWrittenSteps(
  file: JournalDatabase,
  { number, workspace, memory }: OfRun,
  after: Pick<StepRecord, 'seq' | 'name' | 'item'>,
  limit: number,
): readonly WrittenStep[] {
  return select(file, writtenStepColumns)`
    SELECT step.seq, step.name, step.item, step.state, step.intent, step.before, step.memory, step.sent_at AS sentAt,
      row.line, row.sheet, row.key, row.identifier, coalesce(row.contact, known.contact) AS contact
    FROM step_json AS step LEFT JOIN row ON row.run = step.run AND row.seq = step.seq
      LEFT JOIN known ON known.workspace = ${workspace} AND known.mapping = ${memory}
        AND known.key = CASE WHEN row.key IS NULL THEN row.identifier ELSE 'key:' || row.key END
    WHERE step.run = ${number} AND step.state IN ('acked', 'sent', 'uncertain') AND coalesce(row.forgotten, 0) = 0
      AND (step.seq, step.name, step.item) > (${after.seq}, ${after.name}, ${after.item})
    ORDER BY step.seq, step.name, step.item LIMIT ${limit}`;
}

/** A row whose deferred step has not run yet. */
export interface DeferredRow {
  readonly seq: number;
  readonly line: number;
  readonly key: string | null;
  readonly contact: number | null;
  readonly identifier: string | null;
}

const deferredRowColumns = {
  seq: numberColumn,
  line: numberColumn,
  key: nullableColumn(textColumn),
  contact: nullableColumn(numberColumn),
  identifier: nullableColumn(textColumn),
};

/**
 * Returns the created, updated, merged and unchanged rows of a run after item `after` for which no applied value of
 * `state` (such as `lifecycle`) is stored, in order, at most `limit`.
 */
export function listDeferredRows(
  file: JournalDatabase,
  { number, workspace, memory }: OfRun,
  state: string,
  after: number,
  limit: number,
): readonly DeferredRow[] {
  return select(file, deferredRowColumns)`
    SELECT row.seq, row.line, row.key, coalesce(row.contact, known.contact) AS contact, row.identifier
    FROM row JOIN known_json AS known ON known.workspace = ${workspace} AND known.mapping = ${memory}
      AND known.key = CASE WHEN row.key IS NULL THEN row.identifier ELSE 'key:' || row.key END
    WHERE row.run = ${number} AND row.seq > ${after} AND row.outcome IN ('created', 'updated', 'merged', 'unchanged')
      AND NOT EXISTS (SELECT 1 FROM json_each(known.applied) AS applied WHERE applied.key = ${state})
    ORDER BY row.seq LIMIT ${limit}`;
}
