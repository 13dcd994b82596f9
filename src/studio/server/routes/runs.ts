import { countDuplicates } from '../../../app/import/report/duplicates.ts';
import { getFatalReasonExitCode } from '../../../app/run/exit-code.ts';
import { getRunById, withJournal } from '../../../app/run/find-run.ts';
import {
  createLocalProcessProbe,
  createStatusContext,
  readPipelineNextSteps,
  readRunStatus,
} from '../../../app/status/look-at-run.ts';
import { toRunListEntries } from '../../../app/status/report/run-list.ts';
import { folderVerificationSchema } from '../../../app/verify/report/folder-verification.ts';
import { hasJournal, listRuns, type RunRecord } from '../../../journal/index.ts';
import type { StudioCommand } from '../../wire/command.ts';
import type { MergeReviewProgress, RunWithMergeProposals } from '../../wire/merges.ts';
import type { StudioProcess } from '../../wire/processes.ts';
import { type RouteRequest, routes } from '../../wire/routes.ts';
import type { ExportStatus, RunListEntry, RunStatus, WorkDirActivity } from '../../wire/runs.ts';
import { checkResultSchema } from '../../wire/schemas/check-result.ts';
import {
  cellCorrectionsRequestSchema,
  rejectsRequestSchema,
  saveResendAnswersRequestSchema,
  saveSamePersonAnswersRequestSchema,
} from '../../wire/schemas/decisions.ts';
import { exportRunsRequestSchema, undoPreviewResultSchema } from '../../wire/schemas/history.ts';
import { mergeDecisionRequestSchema, mergePairPageRequestSchema } from '../../wire/schemas/merges.ts';
import {
  commandTargetRequestSchema,
  processRequestSchema,
  startProcessRequestSchema,
} from '../../wire/schemas/processes.ts';
import { emptyRequestSchema } from '../../wire/schemas/project.ts';
import {
  problemRowsRequestSchema,
  runFileRequestSchema,
  runRowsRequestSchema,
} from '../../wire/schemas/run-details.ts';
import { activityRequestSchema, runRequestSchema } from '../../wire/schemas/runs.ts';
import {
  checkCellCorrections,
  readRejectedRows,
  readSamePersonQuestions,
  readUncertainComments,
  saveCellCorrections,
  saveResendAnswers,
  saveSamePersonAnswers,
} from '../decisions.ts';
import {
  createFileHandler,
  createRouteHandler,
  createStreamHandler,
  type RouteHandler,
  watchChanges,
} from '../handler.ts';
import { listExportPipelines, listExportRuns, readRunHistory } from '../history.ts';
import { HttpError } from '../http-error.ts';
import { findMappingFit } from '../mapping-input.ts';
import { followProcessOutput, readPrintedJson, readProcessOutput } from '../processes/output.ts';
import { readNextSteps, readProblemRows, readRunRows } from '../run-details.ts';
import { findRunFile, listRunFolder, readVerification } from '../run-folder.ts';
import type { StudioContext } from '../studio.ts';
import { findConnectedWorkspace, findDefaultWorkspace, resolveCommandTarget } from '../target.ts';

/** The handlers of the routes of runs and of the commands that work on them. */
export const runHandlers: readonly RouteHandler[] = [
  // The runs of the work dir.
  createRouteHandler(routes.runs, emptyRequestSchema, (_, { files }) => ({ runs: runLines(files.workDir) })),
  createRouteHandler(routes.status, runRequestSchema, ({ run }, studio) => statusOfRun(studio, run)),
  createStreamHandler(routes.watchRun, runRequestSchema, ({ run }, studio, gone) =>
    watchChanges(() => statusOfRun(studio, run), gone),
  ),
  createStreamHandler(routes.watchActivity, activityRequestSchema, ({ pipeline }, studio, gone) =>
    watchActivity(pipeline, studio, gone),
  ),
  createRouteHandler(routes.stopRun, runRequestSchema, async ({ run }, studio) => {
    if (await stopRun(studio, run)) return { asked: true };
    throw new HttpError(409, 'This run is not worked on by a process of this machine.', {
      next: 'It may have ended just now: look at its state.',
    });
  }),
  // A run.
  createStreamHandler(routes.nextSteps, runRequestSchema, ({ run }, studio, gone) =>
    watchChanges(
      async () => ({ steps: await readNextSteps(run, runLines(studio.files.workDir), studio) }),
      gone,
    ),
  ),
  createRouteHandler(routes.runRows, runRowsRequestSchema, (choice, { files }) =>
    readRunRows(files.workDir, choice),
  ),
  createRouteHandler(routes.problemRows, problemRowsRequestSchema, (choice, { files }) =>
    readProblemRows(files.workDir, choice),
  ),
  createRouteHandler(routes.runFiles, runRequestSchema, ({ run }, { files }) => ({
    files: listRunFolder(run, files),
  })),
  createFileHandler(routes.runFile, runFileRequestSchema, ({ run, name }, { files }) =>
    findRunFile(run, name, files),
  ),
  createRouteHandler(routes.runVerification, runRequestSchema, async ({ run }, { files }) => ({
    found: await readVerification(run, files),
  })),
  createRouteHandler(routes.rejects, rejectsRequestSchema, ({ run, after }, { files }) =>
    readRejectedRows(files, run, after),
  ),
  createRouteHandler(routes.correct, cellCorrectionsRequestSchema, ({ run, corrections }, { files }) =>
    saveCellCorrections(files, run, corrections),
  ),
  createRouteHandler(
    routes.checkCorrections,
    cellCorrectionsRequestSchema,
    async ({ run, corrections }, { files, yaml }) => ({
      rows: await checkCellCorrections(files, yaml, run, corrections),
    }),
  ),
  createRouteHandler(routes.uncertain, runRequestSchema, ({ run }, { files }) =>
    readUncertainComments(files, run),
  ),
  createRouteHandler(routes.answer, saveResendAnswersRequestSchema, ({ run, answers }, { files }) =>
    saveResendAnswers(files, run, answers),
  ),
  createRouteHandler(routes.samePerson, runRequestSchema, async ({ run: id }, studio) => {
    const { run, file, ...found } = await readSamePersonQuestions(studio.files, id);
    return { ...found, command: await toApproveCommand(run, file, studio) };
  }),
  createRouteHandler(
    routes.answerSamePerson,
    saveSamePersonAnswersRequestSchema,
    ({ run, answers }, { files }) => saveSamePersonAnswers(files, run, answers),
  ),
  // The history of runs, and the results of undo previews and of verified folders.
  createRouteHandler(routes.history, emptyRequestSchema, (_, { files }) => readRunHistory(files.workDir)),
  createRouteHandler(routes.exportPipelines, emptyRequestSchema, async (_, studio) => ({
    pipelines: await listExportPipelines(studio),
  })),
  createRouteHandler(routes.nights, exportRunsRequestSchema, ({ pipeline }, { files }) => ({
    nights: listExportRuns(files, pipeline),
  })),
  createRouteHandler(routes.folderVerification, processRequestSchema, ({ id }, { processes }) => ({
    found: readPrintedJson(processes, id, folderVerificationSchema),
  })),
  createRouteHandler(routes.undoPreview, processRequestSchema, ({ id }, { processes }) => ({
    found: readPrintedJson(processes, id, undoPreviewResultSchema),
  })),
  // Proposed merges.
  createRouteHandler(routes.mergeRuns, emptyRequestSchema, (_, { files }) => ({
    runs: runsWithProposals(files.workDir),
  })),
  createRouteHandler(routes.mergeProgress, runRequestSchema, ({ run }, studio) => progressOf(run, studio)),
  createRouteHandler(
    routes.mergePairs,
    mergePairPageRequestSchema,
    async ({ run, after, count }, { approvals }) => ({
      pairs: await approvals.pairs(run, after, count),
    }),
  ),
  createRouteHandler(routes.decidePair, mergeDecisionRequestSchema, async ({ run, ...decision }, studio) => {
    await studio.approvals.decide(run, decision);
    return await progressOf(run, studio);
  }),
  // Commands that the studio has started.
  createRouteHandler(routes.commandTarget, commandTargetRequestSchema, async ({ command }, studio) => {
    const { workspace, token, isUnset } = await resolveCommandTarget(command, studio);
    const isKnown = token === null || studio.tokens.environment(token) !== undefined;
    return { workspace, needsToken: isKnown ? null : token, needsWorkspace: isUnset };
  }),
  createRouteHandler(routes.startProcess, startProcessRequestSchema, (request, studio) =>
    studio.processes.noteStart(startProcess(request, studio)),
  ),
  createRouteHandler(routes.processes, emptyRequestSchema, async (_, { processes }) => {
    // A page that got no answer to its request to start a process finds out here whether it was started.
    await processes.untilStarted();
    return { processes: processes.list() };
  }),
  createRouteHandler(routes.process, processRequestSchema, ({ id }, { processes }) =>
    readProcessOutput(processes, id),
  ),
  createRouteHandler(routes.checkResult, processRequestSchema, ({ id }, { processes }) => ({
    found: readPrintedJson(processes, id, checkResultSchema),
  })),
  createRouteHandler(routes.stopProcess, processRequestSchema, ({ id }, { processes }) => processes.stop(id)),
  createStreamHandler(routes.processOutput, processRequestSchema, ({ id }, { processes }, gone) =>
    followProcessOutput(processes, id, gone),
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

/** Yields the activity of the project, with the progress of the import of a pipeline, after each change. */
async function* watchActivity(
  pipeline: string | undefined,
  studio: StudioContext,
  gone: AbortSignal,
): AsyncGenerator<WorkDirActivity> {
  const { files, processes, tokens, progress } = studio;
  const look = () => {
    const runs = runLines(files.workDir);
    return {
      ...{ runs, processes: processes.list(), workspace: findConnectedWorkspace(tokens) },
      version: pipeline === undefined ? '' : progress.version(pipeline, { runs }, files),
    };
  };
  // Files are parsed only after a change and not in `look`, because a slow `look` is called less often.
  for await (const { version: _, ...found } of watchChanges(look, gone))
    yield {
      ...found,
      progress:
        pipeline === undefined
          ? null
          : await progress.read(pipeline, found, {
              ...studio,
              findFit: (mapping) => findMappingFit(pipeline, mapping, studio),
            }),
    };
}

/**
 * Starts a command with the token of its workspace; throws an HttpError (409) if the workspace or its token is not
 * known.
 */
async function startProcess(
  { command, token: typed }: RouteRequest<'startProcess'>,
  studio: StudioContext,
): Promise<StudioProcess> {
  const { token, isUnset, environment } = await resolveCommandTarget(command, studio);
  const { tokens, processes } = studio;
  if (isUnset)
    throw new HttpError(409, 'No workspace is connected.', {
      next: 'Connect one, or use the local sandbox.',
    });
  if (token === null) return await processes.start(command, {});
  if (typed !== undefined) tokens.remember(token, typed.trim());
  const env = tokens.environment(token);
  if (env === undefined)
    throw new HttpError(409, `The token of ${token.workspace} is not known.`, {
      next: 'Type it; it is kept until the studio ends, and in no file.',
      needsToken: token,
    });
  return await processes.start(command, { ...environment, ...env }, (exitCode) => {
    if (exitCode === getFatalReasonExitCode('unauthorized')) tokens.forget(token);
  });
}

/** Returns the status of a run; throws a FatalError (usage) for an unknown id. */
async function statusOfRun(
  { files: { workDir }, invocation }: StudioContext,
  id: string,
): Promise<RunStatus | ExportStatus> {
  const { filters } = await readPipelineNextSteps(
    withJournal(workDir, (file) => getRunById(file, workDir, id)),
  );
  return withJournal(workDir, (file) => {
    const run = getRunById(file, workDir, id);
    const context = createStatusContext(file, workDir, run, invocation);
    return readRunStatus(file, run, { ...context, ...(filters && { filters }) });
  });
}

/** Asks the process of a run to end; returns false if none runs on this machine. */
async function stopRun(studio: StudioContext, id: string): Promise<boolean> {
  const { state, process: worker } = await statusOfRun(studio, id);
  if (state !== 'running' || worker === null) return false;
  process.kill(worker.pid, 'SIGTERM');
  return true;
}

const mostRuns = 100;

function runsWithProposals(workDir: string): readonly RunWithMergeProposals[] {
  if (!hasJournal(workDir)) return [];
  return withJournal(workDir, (journal) => {
    const machine = createLocalProcessProbe(journal, workDir);
    return listRuns(journal, mostRuns).flatMap((run) => {
      const proposals = run.kind === 'import' ? countDuplicates(journal, run.number).proposals : 0;
      if (proposals === 0) return [];
      return toRunListEntries(journal, [run], machine).map((entry) => ({ ...entry, proposals }));
    });
  });
}

async function progressOf(id: string, studio: StudioContext): Promise<MergeReviewProgress> {
  const { run, ...counts } = await studio.approvals.progress(id);
  const file = studio.files.named(studio.approvals.path(run));
  return { ...counts, file, command: await toApproveCommand(run, file, studio) };
}

/** Returns the command that applies a filled-in list to the workspace of a run. */
async function toApproveCommand(run: RunRecord, file: string, studio: StudioContext): Promise<StudioCommand> {
  const pipeline = studio.files.named(run.file);
  const usual = await findDefaultWorkspace(pipeline, studio);
  return {
    command: 'import',
    pipeline,
    ...(run.target !== usual && { workspace: run.target }),
    approve: file,
  };
}
