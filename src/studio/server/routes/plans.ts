import { compareWithGuard } from '../../../app/plan/guard.ts';
import { readPlannedRow } from '../../../app/plan/samples.ts';
import { rehearsalSummarySchema } from '../../../app/rehearse/rehearsal-schema.ts';
import { loadPlanFacts, type PlanFacts } from '../../../app/run/plan-file.ts';
import { listLabelledSteps } from '../../../report/words.ts';
import type { ImportCommand } from '../../wire/command.ts';
import { routes } from '../../wire/routes.ts';
import {
  pipelinePlansRequestSchema,
  planLinesRequestSchema,
  planRequestSchema,
  planRowRequestSchema,
} from '../../wire/schemas/plans.ts';
import { processRequestSchema } from '../../wire/schemas/processes.ts';
import { createRouteHandler, createStreamHandler, watchChanges } from '../handler.ts';
import { HttpError } from '../http-error.ts';
import {
  getPlanPath,
  listStoredPlans,
  requireStoredPlanSummary,
  withStoredPlan,
} from '../plans/plan-files.ts';
import { readPrintedJson } from '../processes/output.ts';
import { findDefaultWorkspace } from '../target.ts';

export const planHandlers = [
  createStreamHandler(
    routes.watchPlans,
    pipelinePlansRequestSchema,
    async function* ({ pipeline }, { files, yaml }, gone) {
      const about = await yaml.run('import', { file: files.existing(pipeline) });
      const out = files.named(getPlanPath(files, pipeline));
      yield* watchChanges(() => ({ out, plans: listStoredPlans(files, about.pipeline) }), gone);
    },
  ),
  createRouteHandler(routes.plan, planRequestSchema, async ({ pipeline, path }, studio) => {
    const { files, yaml } = studio;
    const { guard } = await yaml.run('import', { file: files.existing(pipeline) });
    const { kept, facts } = withStoredPlan(files, path, (file) => ({
      kept: requireStoredPlanSummary(file),
      facts: loadPlanFacts(file),
    }));
    const steps = Object.fromEntries(kept.summary.steps.map((each) => [each.step, each]));
    return {
      ...kept,
      guard: guard === undefined ? [] : compareWithGuard(guard, kept.summary),
      command: importOf(facts, { pipeline, path, usual: await findDefaultWorkspace(pipeline, studio) }),
      steps: listLabelledSteps(steps).map(({ label, step }) => ({ label, step })),
    };
  }),
  createRouteHandler(routes.planState, planRequestSchema, async ({ pipeline, path }, { files, yaml }) => {
    const file = files.existing(pipeline);
    const facts = withStoredPlan(files, path, loadPlanFacts);
    return { outOfDate: await yaml.run('outOfDate', { file, facts, workDir: files.workDir }) };
  }),
  createRouteHandler(routes.planLines, planLinesRequestSchema, (page, { files, filtered }) =>
    filtered.page(files, page),
  ),
  createRouteHandler(routes.planRow, planRowRequestSchema, ({ path, seq }, { files }) => {
    const row = withStoredPlan(files, path, (file) => readPlannedRow(file, seq));
    if (row !== undefined) return row;
    throw new HttpError(404, 'This row is not in the plan.', { next: 'Reload the page.' });
  }),
  createRouteHandler(routes.rehearsal, processRequestSchema, ({ id }, { processes }) => ({
    found: readPrintedJson(processes, id, rehearsalSummarySchema),
  })),
];

interface Place {
  readonly pipeline: string;
  readonly path: string;
  /** The default workspace of the pipeline's import; null for none. */
  readonly usual: string | null;
}

/**
 * Returns the command that imports a plan into its workspace; it selects no rows, because the plan has the selection.
 */
function importOf({ target }: PlanFacts, { pipeline, path, usual }: Place): ImportCommand {
  return { command: 'import', pipeline, ...(target !== usual && { workspace: target }), plan: path };
}
