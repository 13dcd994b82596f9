import type { ImportReport } from '../app/import/import-run.ts';
import { renderSummary } from '../app/import/report/terminal.ts';
import { nearPath } from '../app/run/near-path.ts';
import { shownWorkDir } from '../app/run/work-dir.ts';
import type { RunRecord } from '../journal/index.ts';
import { commandLine } from '../model/command-line.ts';
import type { FatalError } from '../model/fatal-error.ts';
import type { Typed } from './next-hint.ts';
import { printError, type Screen } from './screen.ts';

/** Shows what an import came to, and what stopped it where that was not said as an error. */
export function showEnd(
  { run, problems, deferred, readsLists }: ImportReport,
  error: FatalError | undefined,
  { pipelineFile, workspace, source, workDir }: Typed,
  screen: Screen,
): void {
  const { colour, columns } = screen;
  const text = () =>
    renderSummary(run, problems, {
      ...{ colour, columns, deferred, readsLists, workspace, source },
      pipelineFile: nearPath(pipelineFile),
      message: error === undefined ? run.message : undefined,
      workDir: shownWorkDir(workDir),
    });
  screen.result(text, run);
}

/** Prints what stopped an import; where no summary follows, the error itself says how to continue. */
export function showStop(
  error: FatalError,
  { id, state }: Pick<RunRecord, 'id' | 'state'>,
  workDir: string,
  { json, quiet }: Screen,
): void {
  const isLast = state !== 'finished' && (json || quiet);
  const resume = `Continue with: ${commandLine(['resume', id], { workDir: shownWorkDir(workDir) })}`;
  const next = error.next === undefined ? resume : `${error.next}\n${resume}`;
  printError(isLast ? error.with({ next }) : error);
}
