import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import {
  countRunRows,
  countTaggedContacts,
  createUnpackedViews,
  findLastConcurrencyLimit,
  findWorkspaceNumber,
  openJournalDatabase,
  readLastSessionNumber,
  readLatencies,
  toJournalPath,
} from '../../journal/index.ts';
import type { FatalError, FatalReason } from '../../model/fatal-error.ts';
import type { RowCounts } from '../../model/outcome.ts';
import type { Clock } from '../../model/ports.ts';
import { makeTemporarySpoolFolder } from '../../storage/spool.ts';
import type { SqliteConnection } from '../../storage/sqlite.ts';
import type { Workspace } from '../../workspace/index.ts';
import { OverBudgetError } from '../import/budget.ts';
import { copyWorkDir } from '../import/copy-work-dir.ts';
import { runImport } from '../import/import.ts';
import type { ImportRequest } from '../import/request.ts';
import type { RunListener } from '../run/events.ts';
import { addUnreachedRowLosses } from '../run/left-behind/left-behind.ts';
import { createPlanFile, type PlanFacts, writePlanFacts } from '../run/plan-file.ts';
import type { RunEnd } from '../run/run-pipeline.ts';
import { DryRunClient } from './planned-calls.ts';
import { type LatencyByRequest, predictLatencies } from './time.ts';

/** The import to plan, and its workspace, which is only read. */
export type PlanRequest = Omit<ImportRequest, 'workspace' | 'waits'> & { readonly workspace: Workspace };

/** A plan of an import, with its files, which `remove` deletes. */
export interface Plan {
  readonly file: SqliteConnection;
  readonly path: string;
  readonly facts: PlanFacts;
  /** The numbers of rows; if the plan continues an unfinished run, of that whole run. */
  readonly rows: RowCounts;
  /** The latencies of requests; empty if no import into the workspace was timed yet. */
  readonly latencies: LatencyByRequest;
  /** The number of concurrent requests that earlier runs found best; undefined if no run has measured it. */
  readonly found: number | undefined;
  readonly exitCode: number;
  /** The error that would stop the import. */
  readonly error: FatalError | undefined;
  remove(): Promise<void>;
}

/**
 * Plans an import by running it on a copy of the journal. Reads go to the live workspace; writes are not sent, but
 * applied to what is read later. Changes nothing in the work dir but its spool folder. Throws a FatalError if the
 * import could not start, or the planning was stopped.
 */
export async function planImport(request: PlanRequest): Promise<Plan> {
  const { workDir, clock, workspace } = request;
  const folder = await makeTemporarySpoolFolder(join(workDir, 'spool'));
  const path = join(folder, 'plan.db');
  const startedAt = clock.now();
  const before = performance.eventLoopUtilization();
  const remove = () => rm(folder, { recursive: true, force: true });
  let file: SqliteConnection | undefined;
  try {
    await copyWorkDir(workDir, folder);
    const { session, latencies: earlier, found } = lookBack(folder, request.place);
    const sentBefore = answersOf(getMeasuredLatencies(workspace));
    file = createPlanFile(path);
    // One transaction for all writes, because one for each would be slow.
    file.exec('BEGIN');
    const planned = new DryRunClient({ workspace, file, clock });
    let rowsAt = startedAt;
    const listen: RunListener = (event) => {
      if (event.kind === 'started') rowsAt = clock.now();
      request.listen(event);
    };
    const end = await runImport({
      ...request,
      listen,
      workDir: folder,
      // Only the journal of the work dir is shipped, not this copy.
      shipping: undefined,
      listUnjoined: undefined,
      workspace: {
        ...workspace.through(
          (live) => (endpoint, asked, options) => planned.call(live, endpoint, asked, options),
        ),
        // The caller closes the workspace, because an import may follow.
        close: () => Promise.resolve(),
      },
      waits: impatient(clock),
    });
    if (end.error !== undefined && !ofTheImport.includes(end.error.reason)) {
      end.file.close();
      throw end.error;
    }
    const { rows, tagged } = takeOver(file, end, folder, startedAt);
    const { run, error, exitCode } = end;
    const losses = run.leftBehind ?? [];
    const facts: PlanFacts = {
      pipeline: run.pipeline,
      target: request.target,
      place: request.place,
      input: run.input,
      mapping: run.mapping,
      selection: run.selection,
      full: run.full,
      fresh: request.fresh === true,
      limit: Number.isFinite(request.limit) ? request.limit : null,
      continues: run.startedAt < startedAt ? run.id : null,
      session,
      madeAt: startedAt,
      beginMs: rowsAt - startedAt,
      tookMs: clock.now() - startedAt,
      busyMs: Math.round(performance.eventLoopUtilization(before).active),
      sentReads: answersOf(getMeasuredLatencies(workspace)) - sentBefore,
      // Rows in progress when the budget stops an import are still completed, so only the rows after the last started
      // one are not reached.
      leftBehind:
        error instanceof OverBudgetError ? addUnreachedRowLosses(losses, error.stop, run.items) : losses,
      tagged,
    };
    writePlanFacts(file, facts);
    const made = file;
    const latencies = predictLatencies(earlier, getMeasuredLatencies(workspace));
    return {
      ...{ file: made, path, facts, rows, latencies, found, exitCode, error },
      async remove() {
        made.close();
        await remove();
      },
    };
  } catch (thrown) {
    file?.close();
    await remove();
    throw thrown;
  }
}

/**
 * The reasons that would also stop the import, at the same row; an error with any other reason concerns only the
 * planning, and is thrown.
 */
const ofTheImport: readonly FatalReason[] = ['budget', 'input', 'usage'];

/** Returns the latencies measured so far for the requests to a workspace. */
export function getMeasuredLatencies(workspace: Pick<Workspace, 'requests'>): LatencyByRequest {
  return new Map(
    Object.entries(workspace.requests()).flatMap(([request, { timing }]) => {
      const { answered, answeredMs, leastMs } = timing;
      return answered === 0
        ? []
        : [[request, { mean: answeredMs / answered, least: leastMs, answers: answered }] as const];
    }),
  );
}

function answersOf(latencies: LatencyByRequest): number {
  return [...latencies.values()].reduce((sum, { answers }) => sum + answers, 0);
}

/**
 * Stores in the plan's copy of the journal which rows are already done. Returns the number of the last session, and the
 * latencies and the concurrency limit that earlier sessions measured in the workspace.
 */
function lookBack(folder: string, place: string) {
  const journal = openJournalDatabase(folder);
  try {
    journal.exec(doneBefore);
    const workspace = findWorkspaceNumber(journal, place);
    return {
      session: readLastSessionNumber(journal, place),
      latencies: workspace === undefined ? new Map() : readLatencies(journal, workspace),
      found: workspace === undefined ? undefined : findLastConcurrencyLimit(journal, workspace),
    };
  } finally {
    journal.close();
  }
}

/** Stores which rows earlier sessions of unfinished runs have done, so that the plan leaves these rows out. */
const doneBefore = `
CREATE TABLE done_before AS SELECT row.run, row.seq FROM row JOIN run ON run.number = row.run WHERE run.state <> 'finished';
CREATE UNIQUE INDEX done_before_row ON done_before (run, seq);
`;

/**
 * Copies rows and steps from the copy of the journal into the plan's file, and returns the numbers of the run's rows and
 * of its contacts with tags.
 */
function takeOver(file: SqliteConnection, end: RunEnd, folder: string, since: number) {
  const { number } = end.run;
  const rows = countRunRows(end.file, end.run);
  const tagged = countTaggedContacts(end.file, number);
  end.file.close();
  file.exec('COMMIT');
  file.prepare('ATTACH ? AS journal').run(toJournalPath(folder));
  createUnpackedViews(file, 'journal');
  file
    .prepare(
      `INSERT INTO row SELECT seq, line, sheet, outcome, key, iif(contact >= 9e15, NULL, contact), problems FROM journal.row
       WHERE run = ? AND NOT EXISTS (SELECT 1 FROM journal.done_before d WHERE d.run = row.run AND d.seq = row.seq)`,
    )
    .run(number);
  file
    .prepare(
      `INSERT INTO step (seq, name, item, contact, intent, before)
       SELECT seq, name, item, iif(contact >= 9e15, NULL, contact), intent, before FROM
         (SELECT *, coalesce(intent ->> '$.contactId', intent ->> '$.contactIds[0]') AS contact FROM step_json)
       WHERE run = ? AND state = 'acked' AND sent_at >= ? ORDER BY sent_at, seq`,
    )
    .run(number, since);
  file.exec('DROP VIEW temp.step_json; DROP VIEW temp.known_json; DETACH journal');
  return { rows, tagged };
}

/** Returns a clock whose waits end at once, because nothing was sent that a plan would have to wait for. */
function impatient(clock: Clock): Clock {
  let skipped = 0;
  return {
    now: () => clock.now() + skipped,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      skipped += ms;
      await Promise.resolve();
    },
  };
}
