import { basename, extname, join, resolve } from 'node:path';
import { guardLimits } from '../../../app/plan/guard.ts';
import { readPlannedRow } from '../../../app/plan/samples.ts';
import { rehearsalSchema } from '../../../app/rehearse/rehearsal-schema.ts';
import { loadPlanFacts, type PlanFacts } from '../../../app/run/plan-file.ts';
import { listLabelledSteps } from '../../../report/words.ts';
import type { StudioCommand } from '../../wire/command.ts';
import { routes } from '../../wire/routes.ts';
import {
  pipelinePlansRequest,
  planLinesRequest,
  planRequest,
  planRowRequest,
} from '../../wire/schemas/plans.ts';
import { processRequest } from '../../wire/schemas/processes.ts';
import { handle, handleStream, watchChanges } from '../handler.ts';
import { listPlans, readKeptPlan, withKeptPlan } from '../plans/plan-files.ts';
import { readPrintedJson } from '../processes/output.ts';
import type { ProjectFiles } from '../project.ts';
import { RequestRefusal } from '../refusal.ts';
import { findDefaultWorkspace } from '../target.ts';

export const planHandlers = [
  handleStream(
    routes.watchPlans,
    pipelinePlansRequest,
    async function* ({ pipeline }, { files, yaml }, gone) {
      const about = await yaml.run('import', { file: files.existing(pipeline) });
      const out = files.named(join(files.workDir, 'plans', `${basename(pipeline, extname(pipeline))}.db`));
      yield* watchChanges(() => ({ out, plans: listPlans(files, about.pipeline) }), gone);
    },
  ),
  handle(routes.plan, planRequest, async ({ pipeline, path }, studio) => {
    const { files, yaml } = studio;
    const { guard } = await yaml.run('import', { file: files.existing(pipeline) });
    const { kept, facts } = withKeptPlan(files, path, (file) => ({
      kept: readKeptPlan(file),
      facts: loadPlanFacts(file),
    }));
    const steps = Object.fromEntries(kept.summary.steps.map((each) => [each.step, each]));
    return {
      ...kept,
      guard: guard === undefined ? [] : guardLimits(guard, kept.summary),
      command: importOf(facts, {
        pipeline,
        path,
        files,
        usual: await findDefaultWorkspace(pipeline, studio),
      }),
      steps: listLabelledSteps(steps).map(({ label, step }) => ({ label, step })),
    };
  }),
  handle(routes.planState, planRequest, async ({ pipeline, path }, { files, yaml }) => {
    const file = files.existing(pipeline);
    const facts = withKeptPlan(files, path, loadPlanFacts);
    return { outOfDate: await yaml.run('outOfDate', { file, facts, workDir: files.workDir }) };
  }),
  handle(routes.planLines, planLinesRequest, (page, { files, filtered }) => filtered.page(files, page)),
  handle(routes.planRow, planRowRequest, ({ path, seq }, { files }) => {
    const row = withKeptPlan(files, path, (file) => readPlannedRow(file, seq));
    if (row !== undefined) return row;
    throw new RequestRefusal(404, 'This row is not in the plan.', { next: 'Reload the page.' });
  }),
  handle(routes.rehearsal, processRequest, ({ id }, { processes }) => ({
    found: readPrintedJson(processes, id, rehearsalSchema),
  })),
];

interface Place {
  readonly pipeline: string;
  readonly path: string;
  readonly files: ProjectFiles;
  /** The default workspace of the pipeline's import; null for none. */
  readonly usual: string | null;
}

/** Returns the command that imports a plan, with the plan's rows and workspace. */
function importOf(
  { selection, full, target }: PlanFacts,
  { pipeline, path, files, usual }: Place,
): StudioCommand {
  return {
    command: 'import',
    pipeline,
    ...(target !== usual && { workspace: target }),
    ...(full && { full }),
    ...(selection.kind === 'deferred' && { deferred: true }),
    ...(selection.kind === 'approve' && { approve: files.named(resolve(selection.file)) }),
    plan: path,
  };
}
