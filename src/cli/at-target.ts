import { onStopSignals } from './stop-signals.ts';
import { openTarget, type Target, type WorkspaceSettings } from './target.ts';
import { prepareWorkDir } from './work-dir.ts';

/** Finds the workspace and works on it until the work ends; SIGINT and SIGTERM abort `stop` meanwhile. */
export async function atTarget<T>(
  flags: { readonly workspace: string | undefined; readonly workDir: string },
  settings: WorkspaceSettings,
  work: (target: Target, stop: AbortController) => Promise<T>,
): Promise<T> {
  prepareWorkDir(flags.workDir);
  const stop = new AbortController();
  const release = onStopSignals(stop);
  try {
    const target = await openTarget(flags, settings);
    try {
      return await work(target, stop);
    } finally {
      await target.close();
    }
  } finally {
    release();
  }
}
