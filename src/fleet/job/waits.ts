import type { Workspace } from '../../workspace/index.ts';
import type { JobWait } from './messages.ts';

/** Returns a function that reports a job's wait for its workspace where it is another one than at the last call. */
export function createWaitReporter(
  { waitsFor }: Pick<Workspace, 'waitsFor'>,
  now: () => number,
  report: (wait: JobWait | null) => void,
): () => void {
  let reported: JobWait | null = null;
  return () => {
    const reason = waitsFor()?.reason;
    if (reason === reported?.reason) return;
    reported = reason === undefined ? null : { since: reported?.since ?? now(), reason };
    report(reported);
  };
}
