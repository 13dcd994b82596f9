import type { LoadedPipeline } from '../../pipeline/index.ts';
import { askedOf, type ImportJob, sourceOf } from '../import/import-run.ts';
import type { Caller, ClientEvent } from '../run/caller.ts';
import type { RunEvent } from '../run/events.ts';
import { atWorkspaces, type Outside } from '../run/run-pipeline.ts';
import type { Site } from '../run/target.ts';
import { type Plan, planImport } from './plan.ts';
import type { PlanSummary } from './plan-schema.ts';
import { summaryOf } from './summary.ts';

/** A plan that was made, and what it says. */
export interface MadePlan {
  readonly plan: Plan;
  readonly summary: PlanSummary;
}

/** Plans an import into the workspace of a site, which is only read; `use` has the plan's files until it ends. */
export async function withPlan<T>(
  pipeline: LoadedPipeline,
  job: ImportJob,
  site: Site,
  caller: Caller & { listen(event: RunEvent | ClientEvent): void },
  use: (made: MadePlan) => Promise<T>,
): Promise<T> {
  const { asked } = askedOf(pipeline, job, site);
  const run = { settings: pipeline.import, source: () => sourceOf(pipeline, job, site) };
  const plan = await atWorkspaces<RunEvent, Plan>(run, site, caller, async ({ open }) => {
    const outside: Outside<RunEvent> = open((event) =>
      caller.listen(event.kind === 'started' ? { ...event, only: 'planned' } : event),
    );
    return await planImport({ ...outside, ...asked }).finally(() => outside.workspace.close(0));
  });
  try {
    return await use({ plan, summary: summaryOf(plan, pipeline.import.limits) });
  } finally {
    await plan.remove();
  }
}
