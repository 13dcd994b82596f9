import { countDuplicates } from '../../../app/import/report/duplicates.ts';
import { getReasonExitCode } from '../../../app/run/exit-code.ts';
import { findNamedRun, withJournal } from '../../../app/run/find-run.ts';
import {
  createLocalProcessProbe,
  createStatusContext,
  readRunStatus,
} from '../../../app/status/look-at-run.ts';
import { toRunListEntries } from '../../../app/status/report/run-list.ts';
import { folderVerificationSchema } from '../../../app/verify/report/folder-verification.ts';
import { type Verification, verificationSchema } from '../../../app/verify/report/verification.ts';
import {
  formatVerdictCause,
  formatVerificationHeadline,
} from '../../../app/verify/report/verification-text.ts';
import { hasJournal, listRuns } from '../../../journal/index.ts';
import type { VerificationView } from '../../wire/history.ts';
import type { MergeProgress, MergeRun } from '../../wire/merges.ts';
import { routes } from '../../wire/routes.ts';
import type { ExportStatus, RunListEntry, RunStatus } from '../../wire/runs.ts';
import { checkResultSchema } from '../../wire/schemas/check-result.ts';
import { rejectsRequest, saveAnswersRequest, saveCorrectionsRequest } from '../../wire/schemas/decisions.ts';
import { exportRunsRequest, undoPreviewSchema } from '../../wire/schemas/history.ts';
import { mergeDecisionRequest, mergePairsRequest } from '../../wire/schemas/merges.ts';
import { commandTargetRequest, processRequest, startProcessRequest } from '../../wire/schemas/processes.ts';
import { emptyRequest } from '../../wire/schemas/project.ts';
import { problemRowsRequest } from '../../wire/schemas/run-details.ts';
import { runRequest } from '../../wire/schemas/runs.ts';
import { readRejects, readUncertainComments, saveAnswers, saveCorrections } from '../decisions.ts';
import { handle, handleStream, type RouteHandler, watchChanges } from '../handler.ts';
import { listExportPipelines, listExportRuns, readHistory } from '../history.ts';
import { followOutput, readPrintedJson, readProcessResult } from '../processes/output.ts';
import { RequestRefusal } from '../refusal.ts';
import { nextStepsOfRun, readProblemRows, reportPageOf } from '../run-details.ts';
import type { StudioContext } from '../studio.ts';
import { findDefaultWorkspace, resolveTarget } from '../target.ts';

/** The routes of runs and of the commands that work on them. */
export const runHandlers: readonly RouteHandler[] = [
  // The runs of the work dir.
  handle(routes.runs, emptyRequest, (_, { files }) => ({ runs: runLines(files.workDir) })),
  handle(routes.status, runRequest, ({ run }, studio) => statusOfRun(studio, run)),
  handleStream(routes.watchRun, runRequest, ({ run }, studio, gone) =>
    watchChanges(
      () => statusOfRun(studio, run),
      gone,
      ({ state }) => state !== 'running' && state !== 'elsewhere',
    ),
  ),
  handleStream(routes.watchActivity, emptyRequest, (_, { files, processes }, gone) =>
    watchChanges(() => ({ runs: runLines(files.workDir), processes: processes.list() }), gone),
  ),
  handle(routes.stopRun, runRequest, ({ run }, studio) => {
    if (stopRun(studio, run)) return { asked: true };
    throw new RequestRefusal(409, 'This run is not worked on by a process of this machine.', {
      next: 'It may have ended just now: look at its state.',
    });
  }),
  // A run.
  handleStream(routes.nextSteps, runRequest, ({ run }, studio, gone) =>
    watchChanges(async () => ({ steps: await nextStepsOfRun(run, studio) }), gone),
  ),
  handle(routes.problemRows, problemRowsRequest, (choice, { files }) =>
    readProblemRows(files.workDir, choice),
  ),
  handle(routes.report, runRequest, ({ run }, { files }) => reportPageOf(run, files)),
  handle(routes.rejects, rejectsRequest, ({ run, after }, { files }) => readRejects(files, run, after)),
  handle(routes.correct, saveCorrectionsRequest, ({ run, corrections }, { files }) =>
    saveCorrections(files, run, corrections),
  ),
  handle(routes.uncertain, runRequest, ({ run }, { files }) => readUncertainComments(files, run)),
  handle(routes.answer, saveAnswersRequest, ({ run, answers }, { files }) =>
    saveAnswers(files, run, answers),
  ),
  // The history of runs, and the results of verifications and undo previews.
  handle(routes.history, emptyRequest, (_, { files }) => readHistory(files.workDir)),
  handle(routes.exportPipelines, emptyRequest, async (_, studio) => ({
    pipelines: await listExportPipelines(studio),
  })),
  handle(routes.nights, exportRunsRequest, ({ pipeline }, { files }) => ({
    nights: listExportRuns(files, pipeline),
  })),
  handle(routes.runVerification, processRequest, ({ id }, { processes }) => {
    const found = readPrintedJson(processes, id, verificationSchema);
    return { found: found && inWords(found) };
  }),
  handle(routes.folderVerification, processRequest, ({ id }, { processes }) => ({
    found: readPrintedJson(processes, id, folderVerificationSchema),
  })),
  handle(routes.undoPreview, processRequest, ({ id }, { processes }) => ({
    found: readPrintedJson(processes, id, undoPreviewSchema),
  })),
  // Proposed merges.
  handle(routes.mergeRuns, emptyRequest, (_, { files }) => ({ runs: runsWithProposals(files.workDir) })),
  handle(routes.mergeProgress, runRequest, ({ run }, studio) => progressOf(run, studio)),
  handle(routes.mergePairs, mergePairsRequest, async ({ run, after, count }, { approvals }) => ({
    pairs: await approvals.pairs(run, after, count),
  })),
  handle(routes.decidePair, mergeDecisionRequest, async ({ run, ...decision }, studio) => {
    await studio.approvals.decide(run, decision);
    return await progressOf(run, studio);
  }),
  // Commands that the studio has started.
  handle(routes.commandTarget, commandTargetRequest, async ({ command }, studio) => {
    const { workspace, token } = await resolveTarget(command, studio);
    const isKnown = token === null || studio.tokens.environment(token) !== undefined;
    return { workspace, needsToken: isKnown ? null : token };
  }),
  handle(routes.startProcess, startProcessRequest, async ({ command, token: typed }, studio) => {
    const { token } = await resolveTarget(command, studio);
    const { tokens, processes } = studio;
    if (token === null) return await processes.start(command, {});
    if (typed !== undefined) tokens.remember(token, typed.trim());
    const env = tokens.environment(token);
    if (env === undefined)
      throw new RequestRefusal(409, `The token of ${token.workspace} is not known.`, {
        next: 'Type it; it is kept until the studio ends, and in no file.',
        needsToken: token,
      });
    return await processes.start(command, env, (exitCode) => {
      if (exitCode === getReasonExitCode('unauthorized')) tokens.forget(token);
    });
  }),
  handle(routes.processes, emptyRequest, (_, { processes }) => ({ processes: processes.list() })),
  handle(routes.process, processRequest, ({ id }, { processes }) => readProcessResult(processes, id)),
  handle(routes.checkResult, processRequest, ({ id }, { processes }) => ({
    found: readPrintedJson(processes, id, checkResultSchema),
  })),
  handle(routes.stopProcess, processRequest, ({ id }, { processes }) => processes.stop(id)),
  handleStream(routes.processOutput, processRequest, ({ id }, { processes }, gone) =>
    followOutput(processes, id, gone),
  ),
];

const mostListed = 100;

/** Returns the runs of the work dir, newest first. */
function runLines(workDir: string): readonly RunListEntry[] {
  if (!hasJournal(workDir)) return [];
  return withJournal(workDir, (file) =>
    toRunListEntries(file, listRuns(file, mostListed), createLocalProcessProbe(file, workDir)),
  );
}

/** Returns the status of a run; throws a FatalError (usage) for an unknown id. */
function statusOfRun(
  { files: { workDir }, invocation }: StudioContext,
  id: string,
): RunStatus | ExportStatus {
  return withJournal(workDir, (file) => {
    const run = findNamedRun(file, workDir, id);
    return readRunStatus(file, run, createStatusContext(file, workDir, run, invocation));
  });
}

/** Asks the process of a run to end; returns false if none runs on this machine. */
function stopRun(studio: StudioContext, id: string): boolean {
  const { state, process: worker } = statusOfRun(studio, id);
  if (state !== 'running' || worker === null) return false;
  process.kill(worker.pid, 'SIGTERM');
  return true;
}

function inWords(found: Verification): VerificationView {
  return {
    ...found,
    headline: formatVerificationHeadline(found),
    fields: found.fields.map(({ field, verdict, cause, n }) => ({
      ...{ field, n },
      words: formatVerdictCause(verdict, cause),
    })),
  };
}

const mostRuns = 100;

function runsWithProposals(workDir: string): readonly MergeRun[] {
  if (!hasJournal(workDir)) return [];
  return withJournal(workDir, (journal) =>
    listRuns(journal, mostRuns).flatMap(({ id, kind, number, pipeline, startedAt }) => {
      const proposals = kind === 'import' ? countDuplicates(journal, number).proposals : 0;
      return proposals === 0
        ? []
        : [{ run: id, pipeline, startedAt: new Date(startedAt).toISOString(), proposals }];
    }),
  );
}

async function progressOf(id: string, studio: StudioContext): Promise<MergeProgress> {
  const { run, ...counts } = await studio.approvals.progress(id);
  const pipeline = studio.files.named(run.file);
  const file = studio.files.named(studio.approvals.path(run));
  const usual = await findDefaultWorkspace(pipeline, studio);
  return {
    ...counts,
    file,
    command: {
      command: 'import',
      pipeline,
      ...(run.target !== usual && { workspace: run.target }),
      approve: file,
    },
  };
}
