import { countDuplicates } from '../../../app/import/report/duplicates.ts';
import { exitCodeOfReason } from '../../../app/run/exit-code.ts';
import { findNamedRun, withJournal } from '../../../app/run/find-run.ts';
import { localMachine, readRunStatus, statusView } from '../../../app/status/look-at-run.ts';
import { runsJson } from '../../../app/status/report/run-list.ts';
import { folderVerificationSchema } from '../../../app/verify/report/folder-verification.ts';
import { type Verification, verificationSchema } from '../../../app/verify/report/verification.ts';
import { causeText, verificationHeadline } from '../../../app/verify/report/verification-text.ts';
import { journalExists, listRuns } from '../../../journal/index.ts';
import type { ShownVerification } from '../../wire/history.ts';
import type { MergeProgress, MergeRun } from '../../wire/merges.ts';
import { routes } from '../../wire/routes.ts';
import type { ExportStatus, RunLine, RunStatus } from '../../wire/runs.ts';
import { checkResult } from '../../wire/schemas/check-result.ts';
import { answersSent, correctionsSent, rejectsChoice } from '../../wire/schemas/decisions.ts';
import { pipelineChoice, undoPreview } from '../../wire/schemas/history.ts';
import { mergeDecision, mergePage } from '../../wire/schemas/merges.ts';
import { processChoice, processStart, targetQuestion } from '../../wire/schemas/processes.ts';
import { nothing } from '../../wire/schemas/project.ts';
import { problemChoice } from '../../wire/schemas/run-details.ts';
import { runChoice } from '../../wire/schemas/runs.ts';
import { answer, correct, rejectsOf, uncertainOf } from '../decisions.ts';
import { changesOf, type Handler, handle, handleStream } from '../handler.ts';
import { exportPipelines, historyOf, nightsOf } from '../history.ts';
import { followOutput, printed, resultOf } from '../processes/output.ts';
import { RequestRefusal } from '../refusal.ts';
import { nextStepsOfRun, problemRows, reportPageOf } from '../run-details.ts';
import type { Studio } from '../studio.ts';
import { targetOf, usualWorkspace } from '../target.ts';

/** The routes of runs and of the commands that work on them. */
export const runHandlers: readonly Handler[] = [
  // The runs of the work dir.
  handle(routes.runs, nothing, (_, { files }) => ({ runs: runLines(files.workDir) })),
  handle(routes.status, runChoice, ({ run }, { files }) => statusOfRun(files.workDir, run)),
  handleStream(routes.watchRun, runChoice, ({ run }, { files }, gone) =>
    changesOf(
      () => statusOfRun(files.workDir, run),
      gone,
      ({ state }) => state !== 'running' && state !== 'elsewhere',
    ),
  ),
  handleStream(routes.watchActivity, nothing, (_, { files, processes }, gone) =>
    changesOf(() => ({ runs: runLines(files.workDir), processes: processes.list() }), gone),
  ),
  handle(routes.stopRun, runChoice, ({ run }, { files }) => {
    if (stopRun(files.workDir, run)) return { asked: true };
    throw new RequestRefusal(409, 'This run is not worked on by a process of this machine.', {
      next: 'It may have ended just now: look at its state.',
    });
  }),
  // A run.
  handleStream(routes.nextSteps, runChoice, ({ run }, studio, gone) =>
    changesOf(async () => ({ steps: await nextStepsOfRun(run, studio) }), gone),
  ),
  handle(routes.problemRows, problemChoice, (choice, { files }) => problemRows(files.workDir, choice)),
  handle(routes.report, runChoice, ({ run }, { files }) => reportPageOf(run, files)),
  handle(routes.rejects, rejectsChoice, ({ run, after }, { files }) => rejectsOf(files, run, after)),
  handle(routes.correct, correctionsSent, ({ run, corrections }, { files }) =>
    correct(files, run, corrections),
  ),
  handle(routes.uncertain, runChoice, ({ run }, { files }) => uncertainOf(files, run)),
  handle(routes.answer, answersSent, ({ run, answers }, { files }) => answer(files, run, answers)),
  // Many runs of a pipeline, and what was found out about one.
  handle(routes.history, nothing, (_, { files }) => historyOf(files.workDir)),
  handle(routes.exportPipelines, nothing, async (_, studio) => ({
    pipelines: await exportPipelines(studio),
  })),
  handle(routes.nights, pipelineChoice, ({ pipeline }, { files }) => ({ nights: nightsOf(files, pipeline) })),
  handle(routes.runVerification, processChoice, ({ id }, { processes }) => {
    const found = printed(processes, id, verificationSchema);
    return { found: found && inWords(found) };
  }),
  handle(routes.folderVerification, processChoice, ({ id }, { processes }) => ({
    found: printed(processes, id, folderVerificationSchema),
  })),
  handle(routes.undoPreview, processChoice, ({ id }, { processes }) => ({
    found: printed(processes, id, undoPreview),
  })),
  // Proposed merges.
  handle(routes.mergeRuns, nothing, (_, { files }) => ({ runs: runsWithProposals(files.workDir) })),
  handle(routes.mergeProgress, runChoice, ({ run }, studio) => progressOf(run, studio)),
  handle(routes.mergePairs, mergePage, async ({ run, after, count }, { approvals }) => ({
    pairs: await approvals.pairs(run, after, count),
  })),
  handle(routes.decidePair, mergeDecision, async ({ run, ...decision }, studio) => {
    await studio.approvals.decide(run, decision);
    return await progressOf(run, studio);
  }),
  // Commands that the studio has started.
  handle(routes.commandTarget, targetQuestion, async ({ command }, studio) => {
    const { workspace, token } = await targetOf(command, studio);
    const isKnown = token === null || studio.tokens.environment(token) !== undefined;
    return { workspace, needsToken: isKnown ? null : token };
  }),
  handle(routes.startProcess, processStart, async ({ command, token: typed }, studio) => {
    const { token } = await targetOf(command, studio);
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
      if (exitCode === exitCodeOfReason('unauthorized')) tokens.forget(token);
    });
  }),
  handle(routes.processes, nothing, (_, { processes }) => ({ processes: processes.list() })),
  handle(routes.process, processChoice, ({ id }, { processes }) => resultOf(processes, id)),
  handle(routes.checkResult, processChoice, ({ id }, { processes }) => ({
    found: printed(processes, id, checkResult),
  })),
  handle(routes.stopProcess, processChoice, ({ id }, { processes }) => processes.stop(id)),
  handleStream(routes.processOutput, processChoice, ({ id }, { processes }, gone) =>
    followOutput(processes, id, gone),
  ),
];

const mostListed = 100;

/** Returns the runs of the work dir, newest first. */
function runLines(workDir: string): readonly RunLine[] {
  if (!journalExists(workDir)) return [];
  return withJournal(workDir, (file) =>
    runsJson(file, listRuns(file, mostListed), localMachine(file, workDir)),
  );
}

/** Returns the status of a run; throws a FatalError (usage) for an unknown id. */
function statusOfRun(workDir: string, id: string): RunStatus | ExportStatus {
  return withJournal(workDir, (file) => {
    const run = findNamedRun(file, workDir, id);
    return readRunStatus(file, run, statusView(file, workDir, run));
  });
}

/** Asks the process of a run to end; false where this machine has none. */
function stopRun(workDir: string, id: string): boolean {
  const { state, process: worker } = statusOfRun(workDir, id);
  if (state !== 'running' || worker === null) return false;
  process.kill(worker.pid, 'SIGTERM');
  return true;
}

function inWords(found: Verification): ShownVerification {
  return {
    ...found,
    headline: verificationHeadline(found),
    fields: found.fields.map(({ field, verdict, cause, n }) => ({
      ...{ field, n },
      words: causeText(verdict, cause),
    })),
  };
}

const mostRuns = 100;

function runsWithProposals(workDir: string): readonly MergeRun[] {
  if (!journalExists(workDir)) return [];
  return withJournal(workDir, (journal) =>
    listRuns(journal, mostRuns).flatMap(({ id, kind, number, pipeline, startedAt }) => {
      const proposals = kind === 'import' ? countDuplicates(journal, number).proposals : 0;
      return proposals === 0
        ? []
        : [{ run: id, pipeline, startedAt: new Date(startedAt).toISOString(), proposals }];
    }),
  );
}

async function progressOf(id: string, studio: Studio): Promise<MergeProgress> {
  const { run, ...counts } = await studio.approvals.progress(id);
  const pipeline = studio.files.named(run.file);
  const file = studio.files.named(studio.approvals.path(run));
  const usual = await usualWorkspace(pipeline, studio);
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
