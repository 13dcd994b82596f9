import type { JobEnd } from '../queue/job.ts';

/**
 * The verdict on a job that has ended: it is done, continued later, given back because of this machine, lost with its
 * process or with the lease, tried again, or left to a person.
 */
export type Verdict = 'done' | 'continue' | 'back' | 'died' | 'wait' | 'decide' | 'again' | 'person';

/** Exit codes after which trying again is of no use: usage and input, a guard or limit, the token. */
const finalCodes: ReadonlySet<number> = new Set([2, 4, 5]);

/** Decides by how the run of a job ended. */
export function verdictOf({
  exitCode,
  fault,
  waitsFor,
}: Pick<JobEnd, 'exitCode' | 'fault' | 'waitsFor'>): Verdict {
  if (fault === 'machine') return 'back';
  if (fault === 'database') return 'died';
  if (waitsFor !== undefined) return waitsFor === 'input' ? 'wait' : 'decide';
  if (exitCode === null) return 'died';
  if (exitCode === 0 || exitCode === 3) return 'done';
  if (exitCode === 130 || exitCode === 143) return 'continue';
  return finalCodes.has(exitCode) ? 'person' : 'again';
}
