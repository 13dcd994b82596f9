import type { Problem } from '../model/problem.ts';
import { flagColumn, nullableColumn, numberColumn, textColumn } from '../storage/columns.ts';
import { hasRow, runSql, select } from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import { problemsColumn } from './row-record.ts';
import type { RunRecord } from './run.ts';
import { type StepRecord, stepColumns } from './step-record.ts';

/**
 * Returns true if a step of the run may have replaced values that were not recorded, so that they cannot be restored.
 * Rows of forgotten people do not count.
 */
export function hasUnrecordedEarlierValues(file: JournalDatabase, run: number): boolean {
  return hasRow(file)`
    SELECT 1 FROM step LEFT JOIN row USING (run, seq)
    WHERE step.run = ${run} AND state IN ('acked', 'sent', 'uncertain') AND before IS NULL
      AND name IN ('update', 'lifecycle', 'assignee', 'conversation') AND coalesce(forgotten, 0) = 0 LIMIT 1`;
}

/** Returns for each field, by its kind and name, in how many rows an update of the run changed it. */
export function countRowsByChangedField(
  file: JournalDatabase,
  run: number,
): readonly { readonly kind: string; readonly name: string; readonly n: number }[] {
  return select(file, { kind: textColumn, name: textColumn, n: numberColumn })`
    SELECT c.value ->> '$.kind' AS kind, c.value ->> '$.name' AS name, count(DISTINCT step.seq) AS n
    FROM step_json AS step, json_each(step.intent, '$.changes') AS c
    WHERE step.run = ${run} AND step.name = 'update' AND step.state = 'acked' GROUP BY 1, 2 ORDER BY 1, 2`;
}

/** A step of the run itself, not of a row. */
export interface WorkspaceStep extends StepRecord {
  /** True where its call created something new; null where that is not known. */
  readonly created: boolean | null;
}

const settingStepColumns = { ...stepColumns, created: nullableColumn(flagColumn) };

/** Returns the steps of a run that concern the workspace and not a row, in order. */
export function listWorkspaceSteps(file: JournalDatabase, run: number): readonly WorkspaceStep[] {
  return select(file, settingStepColumns)`
    SELECT seq, name, item, state, intent, before, sent_at AS sentAt, memory, created FROM step_json
    WHERE run = ${run} AND seq < 0 ORDER BY seq, name, item`;
}

/** A step of a row that cannot be reverted; the values of its row are null if the row has no outcome. */
export interface IrreversibleStep extends Pick<StepRecord, 'seq' | 'name' | 'item' | 'state' | 'intent'> {
  readonly line: number | null;
  /** The row's sheet, where the input has several; null otherwise. */
  readonly sheet: string | null;
  readonly contact: number | null;
  readonly identifier: string | null;
}

const { seq, name, item, state, intent } = stepColumns;
const lastingStepColumns = {
  ...{ seq, name, item, state, intent },
  line: nullableColumn(numberColumn),
  sheet: nullableColumn(textColumn),
  contact: nullableColumn(numberColumn),
  identifier: nullableColumn(textColumn),
};

/**
 * Returns the steps of a run that cannot be reverted (creates, merges, comments and attached tags), if they took effect
 * or may have: those after (seq, name, item), in order, at most `limit`. Comments and tags of a row that created its
 * contact are left out, because its create is in the list.
 */
export function listIrreversibleSteps(
  file: JournalDatabase,
  { number, workspace, memory }: Pick<RunRecord, 'number' | 'workspace' | 'memory'>,
  after: Pick<StepRecord, 'seq' | 'name' | 'item'>,
  limit: number,
): readonly IrreversibleStep[] {
  return select(file, lastingStepColumns)`
    SELECT step.seq, step.name, step.item, step.state, step.intent, row.line, row.sheet, row.identifier,
      coalesce(row.contact, known.contact) AS contact
    FROM step_json AS step LEFT JOIN row ON row.run = step.run AND row.seq = step.seq
      LEFT JOIN known ON known.workspace = ${workspace} AND known.mapping = ${memory}
        AND known.key = CASE WHEN row.key IS NULL THEN row.identifier ELSE 'key:' || row.key END
    WHERE step.run = ${number} AND step.state IN ('acked', 'sent', 'uncertain')
      AND coalesce(row.forgotten, 0) = 0
      AND (step.name IN ('create', 'merge') OR step.name IN ('comment', 'attachTags') AND NOT EXISTS (
        SELECT 1 FROM step AS own WHERE own.run = step.run AND own.seq = step.seq
          AND own.name = 'create' AND own.state = 'acked'))
      AND (step.seq, step.name, step.item) > (${after.seq}, ${after.name}, ${after.item})
    ORDER BY step.seq, step.name, step.item LIMIT ${limit}`;
}

/** Records the contact that a row created, if its id was not known yet. */
export function recordCreatedContact(file: JournalDatabase, run: number, seq: number, contact: number): void {
  runSql(file)`UPDATE row SET contact = ${contact} WHERE run = ${run} AND seq = ${seq} AND contact IS NULL`;
}

/** A row with its problems and its contact, as the lists of an undo show it. */
export interface RowWithProblemsAndContact {
  readonly seq: number;
  readonly line: number;
  /** The row's sheet, where the input has several; null otherwise. */
  readonly sheet: string | null;
  readonly contact: number | null;
  readonly identifier: string | null;
  readonly problems: readonly Problem[];
}

const notedRowColumns = {
  seq: numberColumn,
  line: numberColumn,
  sheet: nullableColumn(textColumn),
  contact: nullableColumn(numberColumn),
  identifier: nullableColumn(textColumn),
  problems: problemsColumn,
};

/** Returns the rows of a run after item `after` that have problems, in order, at most `limit`. */
export function listRowsWithProblemsAndContact(
  file: JournalDatabase,
  run: number,
  after: number,
  limit: number,
): readonly RowWithProblemsAndContact[] {
  return select(file, notedRowColumns)`
    SELECT seq, line, sheet, contact, identifier, problems FROM row
    WHERE run = ${run} AND seq > ${after} AND problems IS NOT NULL ORDER BY seq LIMIT ${limit}`;
}
