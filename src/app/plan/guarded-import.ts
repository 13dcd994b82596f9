import { join } from 'node:path';
import type { LoadedImportPipeline } from '../../pipeline/index.ts';
import { runImport } from '../import/import.ts';
import {
  buildImportRequest,
  createUnguardedImportRun,
  type ImportRunOptions,
  preloadingReportPage,
} from '../import/import-run.ts';
import type { RunEvent } from '../run/events.ts';
import { spoolPipedInput } from '../run/input.ts';
import type { RunEnvironment } from '../run/run-pipeline.ts';
import type { CommandContext } from '../run/target.ts';
import { assertWithinGuard, type PlanGuard } from './guard.ts';
import { planImport } from './plan.ts';
import { summarisePlan } from './summary.ts';

/**
 * Creates an import run; with a guard in the pipeline, and without --yes, the import is planned first and stops if it
 * exceeds the guard (see docs/plans.md).
 */
export function createGuardedImportRun(
  pipeline: LoadedImportPipeline,
  job: ImportRunOptions,
  site: CommandContext,
): ReturnType<typeof createUnguardedImportRun> {
  const run = createUnguardedImportRun(pipeline, job, site);
  const { guard } = pipeline.import;
  if (guard === undefined || job.yes) return run;
  const { asked } = buildImportRequest(pipeline, job, site);
  return {
    ...run,
    async start(outside) {
      const { listen, stop, workDir } = outside;
      const note = (text: string) => listen({ kind: 'note', text });
      const readable = await spoolPipedInput(pipeline, join(workDir, 'spool'), note, stop.signal);
      const guarded = { ...asked, pipeline: readable };
      await assertGuard(guard, outside, guarded);
      return await runImport({ ...outside, ...guarded, listen: preloadingReportPage(listen) });
    },
  };
}

/** Plans the import, and throws a FatalError('guard') if it would change more than the guard allows. */
async function assertGuard(
  guard: PlanGuard,
  outside: RunEnvironment<RunEvent>,
  asked: ReturnType<typeof buildImportRequest>['asked'],
): Promise<void> {
  outside.listen({ kind: 'note', text: 'Planning first: the pipeline has a guard.' });
  const plan = await planImport({ ...outside, ...asked, listen: () => undefined });
  try {
    const { file } = asked.pipeline;
    assertWithinGuard(guard, summarisePlan(plan, asked.pipeline.import.limits), file, {
      plan: asked.command('plan', file),
      anyway: asked.command('import', file, '--yes'),
    });
  } finally {
    await plan.remove();
  }
}
