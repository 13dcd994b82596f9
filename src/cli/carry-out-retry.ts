import { carryOutImport } from './carry-out-import.ts';
import { findRetried } from './find-retried.ts';
import { onlyOfRun } from './only-of-run.ts';
import type { Screen } from './screen.ts';

/** What retry asks for. */
interface RetryFlags {
  readonly run: string | undefined;
  readonly resend: boolean;
  readonly fresh: boolean;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

/** Takes up the rows of a finished run that were rejected, failed or are uncertain; returns the exit code. */
export async function carryOutRetry(flags: RetryFlags, screen: Screen): Promise<number> {
  const { workDir, fresh, resend } = flags;
  const retried = findRetried(workDir, flags.run);
  if (retried.kind === 'nothing') {
    const { run } = retried;
    const whose = run === undefined ? 'no finished run here has a row' : `run ${run} has no row`;
    const text = `Nothing to retry: ${whose} that was rejected, failed or is uncertain.`;
    screen.result(() => text, { run: run ?? null, toRetry: 0 });
    return 0;
  }
  const { found } = retried;
  const { run } = found;
  const choice = { selection: { kind: 'retry', run: run.id, resend }, full: false } as const;
  const workspace = flags.workspace ?? run.target;
  return await carryOutImport(
    { pipelineFile: run.file, fresh, limit: undefined, choice, source: run.source, workspace, workDir },
    screen,
    onlyOfRun(found, workDir, ['retry', run.id, ...(resend ? ['--resend'] : [])]),
  );
}
