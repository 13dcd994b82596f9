import type { Problem } from '../model/problem.ts';
import { change, fromJson, type Stored, select, selectOne } from '../storage/sql.ts';
import type { JournalFile } from './open.ts';
import type { RunRecord } from './run.ts';
import { readStep, type StepRecord } from './step-record.ts';

/**
 * Whether a step of the run replaced something that the journal does not have: then it cannot be put back. Who was
 * forgotten is left alone and does not count.
 */
export function lacksBefore(file: JournalFile, run: number): boolean {
  const found = selectOne(file)`
    SELECT 1 FROM step LEFT JOIN row USING (run, seq)
    WHERE step.run = ${run} AND state IN ('acked', 'sent', 'uncertain') AND before IS NULL
      AND name IN ('update', 'lifecycle', 'assignee', 'conversation') AND coalesce(forgotten, 0) = 0 LIMIT 1`;
  return found !== undefined;
}

/** How many contacts a run has given another value, by kind and name of the field. */
export function countChanges(
  file: JournalFile,
  run: number,
): readonly { readonly kind: string; readonly name: string; readonly n: number }[] {
  return select<{ kind: string; name: string; n: number }>(file)`
    SELECT c.value ->> '$.kind' AS kind, c.value ->> '$.name' AS name, count(DISTINCT step.seq) AS n
    FROM step, json_each(step.intent, '$.changes') AS c
    WHERE step.run = ${run} AND step.name = 'update' AND step.state = 'acked' GROUP BY 1, 2 ORDER BY 1, 2`;
}

/** A step of the run itself, not of a row. */
export interface SettingStep extends StepRecord {
  /** Whether its call brought something new into being; null where nobody knows. */
  readonly created: boolean | null;
}

/** The steps of a run that are about the workspace and not about a row, in order. */
export function settingSteps(file: JournalFile, run: number): readonly SettingStep[] {
  const found = select<
    Stored<Omit<SettingStep, 'created'>, 'intent' | 'before' | 'memory'> & { created: number | null }
  >(file)`
    SELECT seq, name, item, state, intent, before, sent_at AS sentAt, memory, created FROM step
    WHERE run = ${run} AND seq < 0 ORDER BY seq, name, item`;
  return found.map(({ created, ...step }) => ({
    ...readStep(step),
    created: created === null ? null : created === 1,
  }));
}

/** A step of a row that nothing takes back, with its row where that has an outcome. */
export interface LastingStep extends Pick<StepRecord, 'seq' | 'name' | 'item' | 'state' | 'intent'> {
  readonly line: number | null;
  /** Its sheet, where several are one input. */
  readonly sheet: string | null;
  readonly contact: number | null;
  readonly identifier: string | null;
}

/**
 * Creates, merges, comments and attached tags after (seq, name, item) that took effect or may have, in order, at most
 * `limit`; what was done to a contact that its row has created belongs to that.
 */
export function lastingStepsAfter(
  file: JournalFile,
  { number, workspace, memory }: Pick<RunRecord, 'number' | 'workspace' | 'memory'>,
  after: Pick<StepRecord, 'seq' | 'name' | 'item'>,
  limit: number,
): readonly LastingStep[] {
  const found = select<Stored<LastingStep, 'intent'>>(file)`
    SELECT step.seq, step.name, step.item, step.state, step.intent, row.line, row.sheet, row.identifier,
      coalesce(row.contact, known.contact) AS contact
    FROM step LEFT JOIN row ON row.run = step.run AND row.seq = step.seq
      LEFT JOIN known ON known.workspace = ${workspace} AND known.mapping = ${memory}
        AND known.key = CASE WHEN row.key IS NULL THEN row.identifier ELSE 'key:' || row.key END
    WHERE step.run = ${number} AND step.seq >= 0 AND step.state IN ('acked', 'sent', 'uncertain')
      AND coalesce(row.forgotten, 0) = 0
      AND (step.name IN ('create', 'merge') OR step.name IN ('comment', 'attachTags') AND NOT EXISTS (
        SELECT 1 FROM step AS own WHERE own.run = step.run AND own.seq = step.seq
          AND own.name = 'create' AND own.state = 'acked'))
      AND (step.seq, step.name, step.item) > (${after.seq}, ${after.name}, ${after.item})
    ORDER BY step.seq, step.name, step.item LIMIT ${limit}`;
  return found.map((step) => ({ ...step, intent: JSON.parse(step.intent) }));
}

/** Says which contact a row has created, where nobody had met it yet. */
export function noteContact(file: JournalFile, run: number, seq: number, contact: number): void {
  change(file)`UPDATE row SET contact = ${contact} WHERE run = ${run} AND seq = ${seq} AND contact IS NULL`;
}

/** A row with what is to be said of its contact. */
export interface NotedRow {
  readonly seq: number;
  readonly line: number;
  /** Its sheet, where several are one input. */
  readonly sheet: string | null;
  readonly contact: number | null;
  readonly identifier: string | null;
  readonly problems: readonly Problem[];
}

/** Rows after item `after` that have problems, in order, at most `limit`. */
export function notedRowsAfter(
  file: JournalFile,
  run: number,
  after: number,
  limit: number,
): readonly NotedRow[] {
  const found = select<Stored<NotedRow, 'problems'>>(file)`
    SELECT seq, line, sheet, contact, identifier, problems FROM row
    WHERE run = ${run} AND seq > ${after} AND problems IS NOT NULL ORDER BY seq LIMIT ${limit}`;
  return found.map((row) => ({ ...row, problems: fromJson(row.problems) ?? [] }));
}
