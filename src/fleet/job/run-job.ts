import type { ImportEnd } from '../../runs/import/import.ts';
import type { RunCaller } from '../../wiring/caller.ts';
import { type AnyEvent, type PipelineRun, type Report, runPipeline } from '../../wiring/run-pipeline.ts';
import { isMachineFault } from '../machine-fault.ts';
import type { JobEnd } from '../queue/job.ts';
import { endedBy } from './ended-by.ts';
import type { JobSurroundings } from './surroundings.ts';
import { targetOf } from './token.ts';

/** Runs a pipeline as a command would, with the leave and the journal of the fleet; says what it came to. */
export async function runJob<Event extends AnyEvent, End extends ImportEnd, R extends Report>(
  run: PipelineRun<Event, End, R>,
  { order, orders, shipping, say }: JobSurroundings,
): Promise<JobEnd> {
  const { alerts, workDir, workspace } = order;
  const notify = run.settings.notify ?? alerts;
  const told = { ...run, settings: { ...run.settings, notify } };
  const site = { workDir, target: targetOf(workspace), fleet: { shipping, leave: orders.lease } };
  const note = (text: string) => say({ kind: 'note', text });
  const caller: RunCaller<Event, R> = {
    note,
    warn: note,
    stoppable: () => ({ stop: orders.stop, release: () => undefined }),
    listen(event) {
      if (event.kind === 'started' || event.kind === 'begun') say({ kind: 'began', run: event.run });
    },
    rethrow(error) {
      throw error;
    },
  };
  const ending = await runPipeline(told, site, caller);
  if (ending.report === undefined) return endedBy(ending.error);
  const { run: ended, next = null } = ending.report;
  const message = ending.error instanceof Error ? ending.error.message : null;
  const fault = isMachineFault(ending.error) && ({ fault: 'machine' } as const);
  return { run: ended.run, exitCode: ending.exitCode, message, next, ...fault };
}
