import type { Caller } from './caller.ts';
import type { Target } from './target.ts';
import { prepareWorkDir } from './work-dir.ts';

/** Where a run works. */
export interface Site {
  readonly workDir: string;
  /** Finds the workspace, and starts it where it is the local one. */
  openTarget(): Promise<Target>;
}

/** Finds the workspace and works on it until the work ends; the caller may stop it meanwhile. */
export async function atTarget<T>(
  { workDir, openTarget }: Site,
  caller: Caller,
  work: (target: Target, stop: AbortController) => Promise<T>,
): Promise<T> {
  prepareWorkDir(workDir, (text) => caller.warn(text));
  return await caller.stoppable(async (stop) => {
    const target = await openTarget();
    try {
      return await work(target, stop);
    } finally {
      await target.close();
    }
  });
}
