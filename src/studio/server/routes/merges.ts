import { duplicatesOf } from '../../../app/import/report/duplicates.ts';
import { withJournal } from '../../../app/run/find-run.ts';
import { journalExists, listRuns } from '../../../journal/index.ts';
import type { MergeProgress, MergeRun } from '../../wire/merges.ts';
import { routes } from '../../wire/routes.ts';
import { mergeDecision, mergePage } from '../../wire/schemas/merges.ts';
import { nothing } from '../../wire/schemas/project.ts';
import { runChoice } from '../../wire/schemas/runs.ts';
import { handle } from '../handler.ts';
import type { Studio } from '../studio.ts';
import { usualWorkspace } from '../target.ts';

export const mergeHandlers = [
  handle(routes.mergeRuns, nothing, (_, { files }) => ({ runs: runsWithProposals(files.workDir) })),
  handle(routes.mergeProgress, runChoice, ({ run }, studio) => progressOf(run, studio)),
  handle(routes.mergePairs, mergePage, async ({ run, after, count }, { approvals }) => ({
    pairs: await approvals.pairs(run, after, count),
  })),
  handle(routes.decidePair, mergeDecision, async ({ run, ...decision }, studio) => {
    await studio.approvals.decide(run, decision);
    return await progressOf(run, studio);
  }),
];

const mostRuns = 100;

function runsWithProposals(workDir: string): readonly MergeRun[] {
  if (!journalExists(workDir)) return [];
  return withJournal(workDir, (journal) =>
    listRuns(journal, mostRuns).flatMap(({ id, kind, number, pipeline, startedAt }) => {
      const proposals = kind === 'import' ? duplicatesOf(journal, number).proposals : 0;
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
