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
  const choice = await choiceOf(run);
  const workspace = flags.workspace ?? run.target;
  return await carryOutImport(
    { pipelineFile: run.file, fresh: false, limit: undefined, choice, workspace, workDir },
    screen,
    onlyOfRun(found, workDir, ['resume', run.id]),
  );
}
