import { exitCodeOfError } from '../../app/run/exit-code.ts';
import { FatalError } from '../../model/fatal-error.ts';
import { isMachineFault } from '../machine-fault.ts';
import type { JobEnd } from '../queue/job.ts';

/** How a job ended that was stopped by an error before its run began. */
export function endedBy(error: unknown): JobEnd {
  const message = error instanceof Error ? error.message : String(error);
  const next = error instanceof FatalError ? (error.next ?? null) : null;
  const fault = isMachineFault(error) && ({ fault: 'machine' } as const);
  return { run: null, exitCode: exitCodeOfError(error), message, next, ...fault };
}
