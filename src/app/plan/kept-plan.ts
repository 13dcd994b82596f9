import { hasJournal, readLastSessionNumber } from '../../journal/index.ts';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { findPlanMismatch } from '../import/agreed-plan.ts';
import { readAnswerListDecisions } from '../import/approvals.ts';
import { withJournal } from '../run/find-run.ts';
import { isLiveWorkspaceInput, openInput } from '../run/input.ts';
import type { PlanFacts } from '../run/plan-file.ts';

/**
 * Returns the reason why an import would refuse this plan now; undefined if it would not. Reads the input and
 * the journal, and sends no request.
 */
export async function findPlanOutdatedReason(
  pipeline: LoadedImportPipeline,
  facts: PlanFacts,
  workDir: string,
): Promise<string | undefined> {
  const { place, full, selection } = facts;
  const input = isLiveWorkspaceInput(pipeline)
    ? facts.input
    : (await openInput(pipeline, workDir, undefined).inspect(new AbortController().signal)).fingerprint;
  return findPlanMismatch(facts, {
    ...{ pipeline: pipeline.pipeline, place, full, input },
    mapping: pipeline.import.mapping.fingerprint,
    selection:
      selection.kind === 'approve'
        ? { ...selection, fingerprint: (await readAnswerListDecisions(selection.file)).fingerprint }
        : selection,
    session: hasJournal(workDir) ? withJournal(workDir, (file) => readLastSessionNumber(file, place)) : 0,
  });
}
