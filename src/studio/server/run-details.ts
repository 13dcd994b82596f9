import { getProblemConsequence } from '../../app/import/report/problem-digest.ts';
import { getRunById, withJournal } from '../../app/run/find-run.ts';
import { createStatusContext, readPipelineNextSteps, readRunStatus } from '../../app/status/look-at-run.ts';
import {
  findInputLine,
  type JournalDatabase,
  listPendingDeferredSteps,
  listRowsWithProblemCode,
  listRunRows,
  type RunRecord,
  readStoredCells,
} from '../../journal/index.ts';
import { listLaterRuns } from '../wire/later-runs.ts';
import type { RouteRequest } from '../wire/routes.ts';
import type { RowProblemEntry, RowProblemsPage, RunNextStep, RunRowsPage } from '../wire/run-details.ts';
import type { RunListEntry } from '../wire/runs.ts';
import type { StudioContext } from './studio.ts';
import { parseStudioCommandLine } from './typed-command.ts';

/**
 * Returns the next steps after a run and its later runs, as `status` lists them; the rows that a retry has left open are
 * retried with those of the run before it.
 */
export async function readNextSteps(
  id: string,
  runs: readonly RunListEntry[],
  studio: StudioContext,
): Promise<readonly RunNextStep[]> {
  const later = listLaterRuns(runs, id).map(async ({ run, selection }) => {
    const steps = await readNextStepsOfRun(run, studio);
    return selection.kind === 'retry' ? steps.filter(({ command }) => !retriesRejects(command)) : steps;
  });
  return (await Promise.all([readNextStepsOfRun(id, studio), ...later])).flat();
}

function retriesRejects(command: RunNextStep['command']): boolean {
  if (command?.command !== 'retry') return false;
  return command.decided === undefined && command.resend !== true && command.removed !== true;
}

async function readNextStepsOfRun(
  id: string,
  { files, invocation }: StudioContext,
): Promise<readonly RunNextStep[]> {
  const { workDir } = files;
  const { deferred, canCorrectRejects } = await readPipelineNextSteps(
    withJournal(workDir, (file) => getRunById(file, workDir, id)),
  );
  return withJournal(workDir, (file) => {
    const run = getRunById(file, workDir, id);
    const { next } = readRunStatus(file, run, {
      ...createStatusContext(file, workDir, run, invocation),
      ...{ deferred: listPendingDeferredSteps({ file, run }, deferred), canCorrectRejects },
    });
    return next.map(({ why, command }) => ({
      ...{ run: run.id, why, line: command },
      command: command === null ? null : (parseStudioCommandLine(command, invocation.program, files) ?? null),
    }));
  });
}

/** The number of rows in a page. */
const pageSize = 100;

/** Returns a page of the rows with a problem of this code and consequence. */
export function readProblemRows(
  workDir: string,
  { run: id, consequence, code, after = '-1' }: RouteRequest<'problemRows'>,
): RowProblemsPage {
  return withJournal(workDir, (file) => {
    const run = getRunById(file, workDir, id);
    const found = listRowsWithProblemCode(file, run.number, code, Number(after), pageSize);
    const last = found.at(-1);
    return {
      rows: found
        .filter(({ outcome }) => getProblemConsequence(outcome, code) === consequence)
        .flatMap((row) =>
          row.problems
            .filter((problem) => problem.code === code)
            .map(({ column, reason }): RowProblemEntry => {
              const { seq, key } = row;
              const line = findInputLine(file, run, row);
              return { seq, line, key, column, cell: cellOf(file, run, seq, column), reason };
            }),
        ),
      next: last === undefined || found.length < pageSize ? null : String(last.seq),
    };
  });
}

/** Returns a page of the rows that have an outcome, or only of those with the requested outcome. */
export function readRunRows(
  workDir: string,
  { run: id, outcome, after = '-1' }: RouteRequest<'runRows'>,
): RunRowsPage {
  return withJournal(workDir, (file) => {
    const run = getRunById(file, workDir, id);
    const found = listRunRows(file, run, { outcome: outcome ?? null, after: Number(after), limit: pageSize });
    return {
      rows: found.map(({ seq, line, key, contact, identifier, outcome, problems }) => ({
        ...{ seq, line: findInputLine(file, run, { seq, line }), key, contact, outcome },
        identifier: identifier?.replace(/^(?:email|phone):/, '') ?? null,
        reasons: problems.map(({ reason }) => reason),
      })),
      next: found.length < pageSize ? null : String(found.at(-1)?.seq),
    };
  });
}

function cellOf(file: JournalDatabase, run: RunRecord, seq: number, column: string | null): string | null {
  if (column === null) return null;
  return readStoredCells(file, run.number, seq)?.find(([name]) => name === column)?.[1] ?? null;
}
