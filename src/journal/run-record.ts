import * as z from 'zod';
import { type Outcome, outcomes, type RowCounts } from '../model/outcome.ts';
import type { Clock } from '../model/ports.ts';
import type { ProblemCount } from '../model/problem.ts';
import type { TableUseSummary, UnjoinedReason } from '../model/table-use.ts';
import {
  enumColumn,
  flagColumn,
  jsonColumn,
  nullableColumn,
  numberColumn,
  optionalColumn,
  textColumn,
} from '../storage/columns.ts';
import {
  insertRow,
  prepareQuery,
  runSql,
  type SqlValue,
  select,
  selectOne,
  toJsonOrNull,
} from '../storage/sql.ts';
import type { JournalDatabase } from './open.ts';
import type { RetryMatchCounts, RowSelection, RunBinding, RunKind, RunRecord, RunState } from './run.ts';

/** The schema of a row selection; its keys are in the order of the stored JSON, because runs are found by that text. */
export const rowSelectionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('all') }),
  z.object({ kind: z.literal('deferred') }),
  z.object({ kind: z.literal('compact') }),
  z.object({ kind: z.literal('approve'), file: z.string(), fingerprint: z.string() }),
  z.object({
    kind: z.literal('retry'),
    run: z.string(),
    resend: z.boolean(),
    from: z.string().exactOptional(),
    decided: z.object({ file: z.string(), fingerprint: z.string() }).exactOptional(),
    removed: z.literal(true).exactOptional(),
  }),
]) satisfies z.ZodType<RowSelection>;

const names = nullableColumn(jsonColumn(z.array(z.string())));
const counts = z.record(z.string(), z.number());
const rowPlace = { line: z.number(), sheet: z.string().nullable().exactOptional() };
const problemCount = z.object({
  code: z.string(),
  n: z.number(),
  examples: z.array(z.object({ ...rowPlace, column: z.string().nullable(), reason: z.string() })),
  values: z.array(z.object({ value: z.string(), n: z.number() })).exactOptional(),
});
const unjoinedReasons: Readonly<Record<UnjoinedReason, UnjoinedReason>> = {
  unknownId: 'unknownId',
  emptyId: 'emptyId',
  otherKind: 'otherKind',
  linksToNothing: 'linksToNothing',
  notPicked: 'notPicked',
  missingTable: 'missingTable',
  parentLeftOut: 'parentLeftOut',
  broken: 'broken',
};
const unjoined = z.object({
  reason: z.enum(unjoinedReasons),
  rows: z.number(),
  examples: z.array(z.object({ line: z.number(), id: z.string().nullable() })),
});
const tableUses = z.object({
  named: z.array(
    z.object({
      table: z.string(),
      role: z.enum(['main', 'joined']),
      rows: z.number(),
      used: z.number(),
      people: z.number(),
      filtered: z.number(),
      unjoined: z.array(unjoined),
      unresolved: unjoined.omit({ reason: true }).optional(),
    }),
  ),
  others: z.array(z.object({ table: z.string(), rows: z.number().nullable() })),
});
const matchCounts = z.object({
  input: z.number(),
  taken: z.number(),
  added: z.number(),
  done: z.number(),
  changed: z.number(),
  filtered: z.number(),
  missing: z.number(),
  removed: z.number(),
  gone: z.number(),
});
const writing = z.object({
  delimiter: z.string(),
  encoding: z.string(),
  bom: z.boolean(),
  lineEnds: z.enum(['LF', 'CRLF', 'CR']),
});

const runColumns = {
  number: numberColumn,
  id: textColumn,
  kind: enumColumn<RunKind>(['import', 'export', 'undo']),
  pipeline: textColumn,
  file: textColumn,
  workspace: numberColumn,
  target: textColumn,
  mapping: textColumn,
  memory: textColumn,
  system: nullableColumn(
    jsonColumn(z.object({ name: z.string(), mapping: z.string(), isApart: z.boolean() })),
  ),
  samePerson: nullableColumn(enumColumn(['identifier'])),
  input: textColumn,
  inputName: textColumn,
  items: numberColumn,
  selection: jsonColumn(rowSelectionSchema),
  full: flagColumn,
  state: enumColumn<RunState>(['running', 'finished', 'stopped', 'interrupted', 'failed']),
  exitCode: nullableColumn(numberColumn),
  message: nullableColumn(textColumn),
  startedAt: numberColumn,
  endedAt: nullableColumn(numberColumn),
  counts: nullableColumn(jsonColumn(counts)),
  folder: nullableColumn(textColumn),
  writing: nullableColumn(jsonColumn(writing)),
  sheets: names,
  columns: names,
  fields: names,
  matched: nullableColumn(jsonColumn(matchCounts)),
  leftBehind: nullableColumn(jsonColumn(z.array(problemCount))),
  source: optionalColumn(textColumn),
  plan: optionalColumn(textColumn),
  undo: optionalColumn(
    jsonColumn(z.object({ run: z.string(), conversations: z.boolean(), deleteTags: z.boolean() })),
  ),
  pruned: nullableColumn(
    jsonColumn(z.object({ at: z.number(), rows: z.partialRecord(z.enum(outcomes), z.number()) })),
  ),
  tables: nullableColumn(jsonColumn(tableUses)),
};

/** Stores a new run in state `running` and returns it; its id is the time (UTC) and the pipeline's name. */
export function beginRun(file: JournalDatabase, binding: RunBinding, clock: Clock): RunRecord {
  const startedAt = clock.now();
  const { kind, pipeline, workspace, target, mapping, input, items, selection, writing, columns, fields } =
    binding;
  const number = insertRow(file, 'run', {
    id: freeId(file, startedAt, binding.undo === undefined ? pipeline : `undo-${pipeline}`),
    ...{ kind, pipeline, file: binding.file, workspace, target, mapping, input, items },
    mapping_name: binding.memory,
    system: toJsonOrNull(binding.system),
    input_name: binding.inputName,
    selection: JSON.stringify(selection),
    full: binding.full ? 1 : 0,
    writing: toJsonOrNull(writing),
    sheets: toJsonOrNull(binding.sheets),
    columns: toJsonOrNull(columns),
    fields: toJsonOrNull(fields),
    source: binding.source ?? null,
    plan: binding.plan ?? null,
    undo: toJsonOrNull(binding.undo),
    state: 'running',
    started_at: startedAt,
  });
  const run = findRunByNumber(file, number);
  if (run === undefined) throw new Error(`run ${number} is not in the journal`);
  return run;
}

function freeId(file: JournalDatabase, at: number, pipeline: string): string {
  const stamp = new Date(at)
    .toISOString()
    .slice(0, 19)
    .replaceAll('-', '')
    .replaceAll(':', '')
    .replace('T', '-');
  const base = `${stamp}-${pipeline.replace(/[^A-Za-z0-9._-]+/g, '-')}`;
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (findRunById(file, id) === undefined) return id;
  }
}

export function findRunById(file: JournalDatabase, id: string): RunRecord | undefined {
  return runsWhere(file, 'id = ?', id)[0];
}

export function findRunByNumber(file: JournalDatabase, number: number): RunRecord | undefined {
  return runsWhere(file, 'number = ?', number)[0];
}

/** Returns the runs of the journal, newest first, at most `limit`. */
export function listRuns(file: JournalDatabase, limit: number): RunRecord[] {
  return runsWhere(file, '1 ORDER BY number DESC LIMIT ?', limit);
}

/** Returns the retries that began before run number `before`, in order. */
export function listRetriesBefore(file: JournalDatabase, before: number): RunRecord[] {
  return runsWhere(
    file,
    "number < ? AND json_extract(selection, '$.kind') = 'retry' ORDER BY number",
    before,
  );
}

/** Returns the name of the mapping that a run used. */
export function resolveRunMappingName({ memory, system }: Pick<RunRecord, 'memory' | 'system'>): string {
  return system?.mapping ?? memory;
}

/** Returns the newest run of a pipeline (by its name) on a workspace with that selection of rows, in any state. */
export function findLastRun(
  file: JournalDatabase,
  { pipeline, kind, workspace, selection }: Pick<RunBinding, 'pipeline' | 'kind' | 'workspace' | 'selection'>,
): RunRecord | undefined {
  const condition =
    'pipeline = ? AND kind = ? AND workspace = ? AND selection = ? ORDER BY number DESC LIMIT 1';
  return runsWhere(file, condition, pipeline, kind, workspace, JSON.stringify(selection))[0];
}

/** Returns the newest import into a workspace whose pipeline names this `source.system`. */
export function findLastRunOfSourceSystem(
  file: JournalDatabase,
  workspace: number,
  system: string,
): RunRecord | undefined {
  const condition =
    "kind = 'import' AND workspace = ? AND system ->> '$.name' = ? ORDER BY number DESC LIMIT 1";
  return runsWhere(file, condition, workspace, system)[0];
}

/**
 * Returns the newest import that stores its keys under this name of a mapping or system: an import into `target`, or,
 * if that is undefined, into any workspace but the local one.
 */
export function findLastRunByKeyNamespace(
  file: JournalDatabase,
  name: string,
  target: string | undefined,
): RunRecord | undefined {
  return runsWhere(
    file,
    `kind = 'import' AND (mapping_name = ? OR system ->> '$.name' = ?) AND iif(? IS NULL, target <> 'sandbox', target = ?)
      ORDER BY number DESC LIMIT 1`,
    ...[name, name],
    ...[target ?? null, target ?? null],
  )[0];
}

/** Deletes a run that was refused before any row had an outcome, so that the next run does not continue it. */
export function removeRefusedRun(file: JournalDatabase, { number }: Pick<RunRecord, 'number'>): void {
  runSql(
    file,
  )`DELETE FROM run WHERE number = ${number} AND NOT EXISTS (SELECT 1 FROM row WHERE run = ${number})`;
}

/**
 * Returns the time (ms since 1970) when a run of this pipeline and kind last ended with exit code 0 or 3; undefined if
 * none has. `rehearsal` selects the runs on the local workspace, or all others.
 */
export function readLastSuccessTime(
  file: JournalDatabase,
  { pipeline, kind, rehearsal }: Pick<RunBinding, 'pipeline' | 'kind'> & { readonly rehearsal: boolean },
): number | undefined {
  const found = selectOne(file, { at: nullableColumn(numberColumn) })`
    SELECT max(ended_at) AS at FROM run WHERE pipeline = ${pipeline} AND kind = ${kind}
    AND (target = 'sandbox') = ${rehearsal ? 1 : 0} AND exit_code IN (0, 3)`;
  return found?.at ?? undefined;
}

/** Returns the imports and undos on a workspace, oldest first. */
export function listImportsAndUndos(file: JournalDatabase, workspace: number): RunRecord[] {
  return runsWhere(file, "kind IN ('import', 'undo') AND workspace = ? ORDER BY number", workspace);
}

/** Returns true if an undo of the run has begun, after which the run must not be continued. */
export function hasUndo(file: JournalDatabase, run: Pick<RunRecord, 'id'>): boolean {
  return listUndos(file, run).length > 0;
}

/** Returns the undos of a run, newest first. */
export function listUndos(file: JournalDatabase, { id }: Pick<RunRecord, 'id'>): RunRecord[] {
  return runsWhere(file, "undo ->> '$.run' = ? AND undo IS NOT NULL ORDER BY number DESC", id);
}

/** Stores the number of items of a run, once its input was scanned; returns the changed run. */
export function setRunItemCount(file: JournalDatabase, run: RunRecord, items: number): RunRecord {
  runSql(file)`UPDATE run SET items = ${items} WHERE number = ${run.number}`;
  return { ...run, items };
}

/** Stores the counts of how a retry's input matches the rows of earlier runs; returns the changed run. */
export function setRetryMatchCounts(
  file: JournalDatabase,
  run: RunRecord,
  matched: RetryMatchCounts,
): RunRecord {
  runSql(file)`UPDATE run SET matched = ${JSON.stringify(matched)} WHERE number = ${run.number}`;
  return { ...run, matched };
}

/** Stores the row counts of each table of a run's input; returns the changed run. */
export function setRunTableUse(file: JournalDatabase, run: RunRecord, tables: TableUseSummary): RunRecord {
  runSql(file)`UPDATE run SET tables = ${JSON.stringify(tables)} WHERE number = ${run.number}`;
  return { ...run, tables };
}

/**
 * Stores the counts of data that the import leaves behind, as the scan of its input found them; returns the changed
 * run.
 */
export function setRunLeftBehindCounts(
  file: JournalDatabase,
  run: RunRecord,
  leftBehind: readonly ProblemCount[],
): RunRecord {
  runSql(file)`UPDATE run SET left_behind = ${JSON.stringify(leftBehind)} WHERE number = ${run.number}`;
  return { ...run, leftBehind };
}

/** Binds an unfinished run to a plan (absolute path) of its remaining work; null removes the binding. */
export function setRunPlan(file: JournalDatabase, run: RunRecord, plan: string | null): RunRecord {
  runSql(file)`UPDATE run SET plan = ${plan} WHERE number = ${run.number}`;
  return { ...run, plan: plan ?? undefined };
}

export function markRunRunning(file: JournalDatabase, run: RunRecord): RunRecord {
  const running = { state: 'running', exitCode: null, message: null, endedAt: null } as const;
  endRun(file, run.number, running);
  return { ...run, ...running };
}

/** Stores the state, exit code, message and end of a run. */
export function endRun(
  file: JournalDatabase,
  run: number,
  { state, exitCode, message, endedAt }: Pick<RunRecord, 'state' | 'exitCode' | 'message' | 'endedAt'>,
): void {
  runSql(file)`
    UPDATE run SET state = ${state}, exit_code = ${exitCode}, message = ${message}, ended_at = ${endedAt}
    WHERE number = ${run}`;
}

/** Stores the counts and the folder of a complete export. */
export function recordExportCompletion(
  file: JournalDatabase,
  run: number,
  { counts, folder }: { readonly counts: Readonly<Record<string, number>>; readonly folder: string },
): void {
  runSql(file)`UPDATE run SET counts = ${JSON.stringify(counts)}, folder = ${folder} WHERE number = ${run}`;
}

/** Returns the complete exports of a pipeline (by its name) on a workspace, newest first. */
export function listCompleteExports(
  file: JournalDatabase,
  { pipeline, workspace }: Pick<RunBinding, 'pipeline' | 'workspace'>,
): RunRecord[] {
  const condition =
    "kind = 'export' AND pipeline = ? AND workspace = ? AND state = 'finished' ORDER BY number DESC";
  return runsWhere(file, condition, pipeline, workspace);
}

/** Returns the number of rows of a run by outcome, from the journal, or from its stored counts if it was pruned. */
export function countRunRows(file: JournalDatabase, run: RunRecord): RowCounts {
  const found = run.pruned === null ? countInRows(file, run.number) : countedBefore(run.pruned.rows);
  const counts: Record<Outcome, number> = {
    created: 0,
    updated: 0,
    merged: 0,
    folded: 0,
    unchanged: 0,
    skipped: 0,
    filtered: 0,
    proposed: 0,
    stale: 0,
    rejected: 0,
    failed: 0,
    uncertain: 0,
  };
  // Rows with an outcome that this version does not know are left out here, and so count as not reached.
  for (const outcome of outcomes) counts[outcome] = found.find((row) => row.outcome === outcome)?.n ?? 0;
  const finished = Object.values(counts).reduce((sum, n) => sum + n, 0);
  return { read: run.items, ...counts, notReached: run.items - finished };
}

function countInRows(file: JournalDatabase, run: number): readonly { outcome: string; n: number }[] {
  return select(file, {
    outcome: textColumn,
    n: numberColumn,
  })`SELECT outcome, n FROM row_count WHERE run = ${run} AND code = ''`;
}

function countedBefore(
  rows: NonNullable<RunRecord['pruned']>['rows'],
): readonly { outcome: Outcome; n: number }[] {
  return outcomes.map((outcome) => ({ outcome, n: rows[outcome] ?? 0 }));
}

/** Returns the runs that meet a condition, which may be followed by ORDER BY and LIMIT. */
function runsWhere(file: JournalDatabase, condition: string, ...values: SqlValue[]): RunRecord[] {
  return prepareQuery(
    file,
    runColumns,
    `SELECT number, id, kind, pipeline, file, workspace, target, mapping, mapping_name AS memory, system,
      same_person AS samePerson, input,
      input_name AS inputName, items, selection, full, state, exit_code AS exitCode, message, started_at AS startedAt,
      ended_at AS endedAt, counts, folder, writing, sheets, columns, fields, matched, left_behind AS leftBehind, source, plan, undo,
      pruned, tables
    FROM run WHERE ${condition}`,
  ).all(...values);
}

/**
 * Returns the pipeline's `deferred` steps if they may still be due for rows of a finished run, else an empty
 * array.
 */
export function listPendingDeferredSteps(
  { file, run }: { readonly file: JournalDatabase; readonly run: RunRecord },
  deferred: readonly string[],
): readonly string[] {
  if (run.state !== 'finished' || run.selection.kind === 'deferred') return [];
  const { created, updated, merged, unchanged } = countRunRows(file, run);
  if (created + updated + merged > 0) return deferred;
  const caughtUp = findLastRun(file, { ...run, selection: { kind: 'deferred' } });
  return unchanged > 0 && caughtUp?.state !== 'finished' ? deferred : [];
}
