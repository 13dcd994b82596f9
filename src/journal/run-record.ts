import { type Outcome, outcomes, type RowCounts } from '../model/outcome.ts';
import type { Clock } from '../model/ports.ts';
import type { JournalFile } from './open.ts';
import type { Binding, MatchCounts, RunRecord, RunState } from './run.ts';

interface RunRow {
  number: number;
  id: string;
  kind: 'import' | 'export';
  pipeline: string;
  file: string;
  workspace: number;
  target: string;
  mapping: string;
  mapping_name: string;
  input: string;
  input_name: string;
  items: number;
  selection: string;
  full: number;
  state: RunState;
  exit_code: number | null;
  message: string | null;
  started_at: number;
  ended_at: number | null;
  counts: string | null;
  folder: string | null;
  writing: string | null;
  columns: string | null;
  matched: string | null;
  source: string | null;
}

/** Begins a new run; its id is the moment (UTC) and the pipeline's name. */
export function beginRun(file: JournalFile, binding: Binding, clock: Clock): RunRecord {
  const startedAt = clock.now();
  const id = freeId(file, startedAt, binding.pipeline);
  const { lastInsertRowid } = file
    .prepare(
      `INSERT INTO run (id, kind, pipeline, file, workspace, target, mapping, mapping_name, input, input_name, items, selection, full, writing, columns, source, state, started_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?)`,
    )
    .run(
      id,
      binding.kind,
      binding.pipeline,
      binding.file,
      binding.workspace,
      binding.target,
      binding.mapping,
      binding.mappingName,
      binding.input,
      binding.inputName,
      binding.items,
      JSON.stringify(binding.selection),
      binding.full ? 1 : 0,
      binding.writing ? JSON.stringify(binding.writing) : null,
      binding.columns ? JSON.stringify(binding.columns) : null,
      binding.source ?? null,
      startedAt,
    );
  const number = Number(lastInsertRowid);
  return {
    ...binding,
    writing: binding.writing ?? null,
    columns: binding.columns ?? null,
    number,
    id,
    state: 'running',
    exitCode: null,
    message: null,
    startedAt,
    endedAt: null,
    counts: null,
    folder: null,
    matched: null,
  };
}

function freeId(file: JournalFile, at: number, pipeline: string): string {
  const stamp = new Date(at)
    .toISOString()
    .slice(0, 19)
    .replaceAll('-', '')
    .replaceAll(':', '')
    .replace('T', '-');
  const base = `${stamp}-${pipeline.replace(/[^A-Za-z0-9._-]+/g, '-')}`;
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (findRun(file, id) === undefined) return id;
  }
}

export function findRun(file: JournalFile, id: string): RunRecord | undefined {
  const row = file.prepare<[string], RunRow>('SELECT * FROM run WHERE id = ?').get(id);
  return row === undefined ? undefined : record(row);
}

/** Runs, newest first. */
export function listRuns(file: JournalFile, limit: number): RunRecord[] {
  return file
    .prepare<[number], RunRow>('SELECT * FROM run ORDER BY number DESC LIMIT ?')
    .all(limit)
    .map(record);
}

/** Retries that began before run number `before`, in their order. */
export function retriesBefore(file: JournalFile, before: number): RunRecord[] {
  return file
    .prepare<[number], RunRow>(
      "SELECT * FROM run WHERE number < ? AND json_extract(selection, '$.kind') = 'retry' ORDER BY number",
    )
    .all(before)
    .map(record);
}

/** The newest run of a pipeline (by its name) on a workspace with that selection of rows, whatever its state. */
export function lastRunOf(
  file: JournalFile,
  { pipeline, kind, workspace, selection }: Pick<Binding, 'pipeline' | 'kind' | 'workspace' | 'selection'>,
): RunRecord | undefined {
  const row = file
    .prepare<[string, string, number, string], RunRow>(
      'SELECT * FROM run WHERE pipeline = ? AND kind = ? AND workspace = ? AND selection = ? ORDER BY number DESC LIMIT 1',
    )
    .get(pipeline, kind, workspace, JSON.stringify(selection));
  return row === undefined ? undefined : record(row);
}

/** Says how many rows a run takes up, where that is known only after its input was looked through. */
export function setItems(file: JournalFile, run: RunRecord, items: number): RunRecord {
  file.prepare('UPDATE run SET items = ? WHERE number = ?').run(items, run.number);
  return { ...run, items };
}

/** Says how the rows of a retry's input match those of the runs before it. */
export function setMatched(file: JournalFile, run: RunRecord, matched: MatchCounts): RunRecord {
  file.prepare('UPDATE run SET matched = ? WHERE number = ?').run(JSON.stringify(matched), run.number);
  return { ...run, matched };
}

export function continueRun(file: JournalFile, run: RunRecord): RunRecord {
  file
    .prepare(
      "UPDATE run SET state = 'running', exit_code = NULL, message = NULL, ended_at = NULL WHERE number = ?",
    )
    .run(run.number);
  return { ...run, state: 'running', exitCode: null, message: null, endedAt: null };
}

export function endRun(
  file: JournalFile,
  run: number,
  end: { state: RunState; exitCode: number; message: string | null; endedAt: number },
): void {
  file
    .prepare('UPDATE run SET state = ?, exit_code = ?, message = ?, ended_at = ? WHERE number = ?')
    .run(end.state, end.exitCode, end.message, end.endedAt, run);
}

/** Says what a complete export holds and where it was put. */
export function noteExported(
  file: JournalFile,
  run: number,
  { counts, folder }: { readonly counts: Readonly<Record<string, number>>; readonly folder: string },
): void {
  file
    .prepare('UPDATE run SET counts = ?, folder = ? WHERE number = ?')
    .run(JSON.stringify(counts), folder, run);
}

/** The complete exports of a pipeline (by its name) on a workspace, newest first. */
export function completeExports(
  file: JournalFile,
  { pipeline, workspace }: Pick<Binding, 'pipeline' | 'workspace'>,
): RunRecord[] {
  return file
    .prepare<[string, number], RunRow>(
      `SELECT * FROM run WHERE kind = 'export' AND pipeline = ? AND workspace = ? AND state = 'finished' ORDER BY number DESC`,
    )
    .all(pipeline, workspace)
    .map(record);
}

/** Rows of a run by outcome, as the journal has them: they add up also after a crash (promise 1). */
export function countRows(file: JournalFile, run: RunRecord): RowCounts {
  const byOutcome = new Map(
    file
      .prepare<[number], { outcome: string; n: number }>(
        'SELECT outcome, count(*) AS n FROM row WHERE run = ? GROUP BY outcome',
      )
      .all(run.number)
      .map((row) => [row.outcome, row.n]),
  );
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
  let finished = 0;
  for (const outcome of outcomes) {
    counts[outcome] = byOutcome.get(outcome) ?? 0;
    finished += counts[outcome];
  }
  return { read: run.items, ...counts, notReached: run.items - finished };
}

function record(row: RunRow): RunRecord {
  const { mapping_name, input_name, exit_code, started_at, ended_at, ...rest } = row;
  return {
    ...rest,
    selection: JSON.parse(row.selection),
    full: row.full === 1,
    source: row.source ?? undefined,
    counts: row.counts === null ? null : JSON.parse(row.counts),
    writing: row.writing === null ? null : JSON.parse(row.writing),
    columns: row.columns === null ? null : JSON.parse(row.columns),
    matched: row.matched === null ? null : JSON.parse(row.matched),
    mappingName: mapping_name,
    inputName: input_name,
    exitCode: exit_code,
    startedAt: started_at,
    endedAt: ended_at,
  };
}
