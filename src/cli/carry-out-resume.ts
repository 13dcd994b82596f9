import type { RunRecord } from '../journal/index.ts';
import { FatalError } from '../model/fatal-error.ts';
import { commandLine } from '../report/next-steps.ts';
import { carryOutImport, type Demand } from './carry-out-import.ts';
import { findUnfinished } from './find-run.ts';
import type { Screen } from './screen.ts';
import { shownWorkDir } from './work-dir.ts';

/** What resume asks for. */
export interface ResumeFlags {
  readonly run: string | undefined;
  readonly workspace: string | undefined;
  readonly workDir: string;
}

/** Continues the named run or the latest unfinished one, and nothing else; returns the exit code. */
export async function carryOutResume(flags: ResumeFlags, screen: Screen): Promise<number> {
  const { workDir } = flags;
  const { run, place } = findUnfinished(workDir, flags.run);
  const workspace = flags.workspace ?? run.target;
  return await carryOutImport(
    { pipelineFile: run.file, fresh: false, limit: undefined, workspace, workDir },
    screen,
    only(run, place, workDir),
  );
}

function only(run: RunRecord, place: string | undefined, workDir: string): Demand {
  return (pipeline, target) => {
    if (pipeline.pipeline !== run.pipeline) {
      throw new FatalError(
        'usage',
        `this pipeline is now called "${pipeline.pipeline}", and run ${run.id} is one of "${run.pipeline}".`,
        {
          place: { file: pipeline.file },
          next: `Give it its name back to continue, or begin a run of the new name: ${commandLine(['import', pipeline.file], { workspace: run.target, workDir: shownWorkDir(workDir) })}`,
        },
      );
    }
    if (place !== undefined && target.place !== place) {
      throw new FatalError('usage', `run ${run.id} writes into ${place}, not into ${target.place}.`, {
        next: `Continue it there: ${commandLine(['resume', run.id], { workDir: shownWorkDir(workDir) })}`,
      });
    }
  };
}
