import type { JobEnd } from '../queue/job.ts';

/** What becomes of a job that has ended: it is done, continued later, tried again, or left to a person. */
export type Verdict = 'done' | 'continue' | 'again' | 'person';

/** Exit codes after which trying again is of no use: usage and input, a guard or limit, the token. */
const finalCodes: ReadonlySet<number> = new Set([2, 4, 5]);

/** What becomes of a job, by how its run ended. */
export function verdictOf({ exitCode }: Pick<JobEnd, 'exitCode'>): Verdict {
  if (exitCode === 0 || exitCode === 3) return 'done';
  if (exitCode === 130 || exitCode === 143) return 'continue';
  return exitCode !== null && finalCodes.has(exitCode) ? 'person' : 'again';
}
