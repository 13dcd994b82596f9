import { basename, extname, join, resolve } from 'node:path';
import { guardLimits } from '../../../app/plan/guard.ts';
import { plannedRow } from '../../../app/plan/samples.ts';
import { rehearsalSchema } from '../../../app/rehearse/rehearsal-schema.ts';
import { loadPlanFacts, type PlanFacts } from '../../../app/run/plan-file.ts';
import { labelledSteps } from '../../../report/words.ts';
import type { Command } from '../../wire/command.ts';
import { routes } from '../../wire/routes.ts';
import { planChoice, planPage, planPipeline, planRow } from '../../wire/schemas/plans.ts';
import { processChoice } from '../../wire/schemas/processes.ts';
import { changesOf, handle, handleStream } from '../handler.ts';
import { keptOf, plansOf, withKeptPlan } from '../plans/plan-files.ts';
import { printed } from '../processes/output.ts';
import type { ProjectFiles } from '../project.ts';
import { RequestRefusal } from '../refusal.ts';
import { usualWorkspace } from '../target.ts';

export const planHandlers = [
  handleStream(routes.watchPlans, planPipeline, async function* ({ pipeline }, { files, yaml }, gone) {
    const about = await yaml.run('import', { file: files.existing(pipeline) });
    const out = files.named(join(files.workDir, 'plans', `${basename(pipeline, extname(pipeline))}.db`));
    yield* changesOf(() => ({ out, plans: plansOf(files, about.pipeline) }), gone);
  }),
  handle(routes.plan, planChoice, async ({ pipeline, path }, studio) => {
    const { files, yaml } = studio;
    const { guard } = await yaml.run('import', { file: files.existing(pipeline) });
    const { kept, facts } = withKeptPlan(files, path, (file) => ({
      kept: keptOf(file),
      facts: loadPlanFacts(file),
    }));
    const steps = Object.fromEntries(kept.summary.steps.map((each) => [each.step, each]));
    return {
      ...kept,
      guard: guard === undefined ? [] : guardLimits(guard, kept.summary),
      command: importOf(facts, { pipeline, path, files, usual: await usualWorkspace(pipeline, studio) }),
      steps: labelledSteps(steps).map(({ label, step }) => ({ label, step })),
    };
  }),
  handle(routes.planState, planChoice, async ({ pipeline, path }, { files, yaml }) => {
    const file = files.existing(pipeline);
    const facts = withKeptPlan(files, path, loadPlanFacts);
    return { outOfDate: await yaml.run('outOfDate', { file, facts, workDir: files.workDir }) };
  }),
  handle(routes.planLines, planPage, (page, { files, filtered }) => filtered.page(files, page)),
  handle(routes.planRow, planRow, ({ path, seq }, { files }) => {
    const row = withKeptPlan(files, path, (file) => plannedRow(file, seq));
    if (row !== undefined) return row;
    throw new RequestRefusal(404, 'This row is not in the plan.', { next: 'Reload the page.' });
  }),
  handle(routes.rehearsal, processChoice, ({ id }, { processes }) => ({
    found: printed(processes, id, rehearsalSchema),
  })),
];

interface Place {
  readonly pipeline: string;
  readonly path: string;
  readonly files: ProjectFiles;
  /** The default workspace of the pipeline; null for none. */
  readonly usual: string | null;
}

/** Returns the command that imports a plan, with the plan's rows and workspace. */
function importOf({ selection, full, target }: PlanFacts, { pipeline, path, files, usual }: Place): Command {
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
