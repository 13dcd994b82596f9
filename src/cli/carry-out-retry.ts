import { resolve } from 'node:path';
import type { RetrySelection } from '../journal/index.ts';
import { selectionCommand } from '../report/words.ts';
import { carryOutImport } from './carry-out-import.ts';
import { findRetried } from './find-retried.ts';
import { onlyOfRun } from './only-of-run.ts';
import type { Screen } from './screen.ts';

/** What retry asks for. */
interface RetryFlags {
  readonly run: string | undefined;
  readonly from: string | undefined;
  readonly resend: boolean;
  readonly removed: boolean;
  readonly fresh: boolean;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

/** Takes up the rows of a finished run that were rejected, failed or are uncertain; returns the exit code. */
export async function carryOutRetry(flags: RetryFlags, screen: Screen): Promise<number> {
  const { workDir, fresh } = flags;
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
  const selection: RetrySelection = {
    kind: 'retry',
    run: run.id,
    resend: flags.resend,
    ...(flags.from !== undefined && { from: resolve(flags.from) }),
    ...(flags.removed && { removed: true as const }),
  };
  const workspace = flags.workspace ?? run.target;
  return await carryOutImport(
    {
      pipelineFile: run.file,
      fresh,
      limit: undefined,
      choice: { selection, full: false },
      source: run.source,
      workspace,
      workDir,
    },
    screen,
    onlyOfRun(found, workDir, selectionCommand(selection, run.file)),
  );
}
