import { carryOutExport } from './carry-out-export.ts';
import { carryOutImport } from './carry-out-import.ts';
import { findUnfinished } from './find-unfinished.ts';
import { onlyOfRun } from './only-of-run.ts';
import { choiceOf } from './row-choice.ts';
import type { Screen } from './screen.ts';

/** What resume asks for. */
interface ResumeFlags {
  readonly run: string | undefined;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

/** Continues the named run or the latest unfinished one, and nothing else; returns the exit code. */
export async function carryOutResume(flags: ResumeFlags, screen: Screen): Promise<number> {
  const { workDir } = flags;
  const found = findUnfinished(workDir, flags.run);
  const { run } = found;
  const workspace = flags.workspace ?? run.target;
  const demand = onlyOfRun(found, workDir, ['resume', run.id]);
  if (run.kind === 'export') {
    const compact = run.selection.kind === 'compact';
    const again = { fresh: false, full: false, accept: false, resumed: true, compact };
    return await carryOutExport({ pipelineFile: run.file, ...again, workspace, workDir }, screen, demand);
  }
  const choice = await choiceOf(run);
  return await carryOutImport(
    {
      pipelineFile: run.file,
      fresh: false,
      limit: undefined,
      choice,
      source: run.source,
      workspace,
      workDir,
    },
    screen,
    demand,
  );
}
