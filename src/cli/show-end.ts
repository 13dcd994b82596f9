import { isAbsolute, relative } from 'node:path';
import type { RunRecord } from '../journal/index.ts';
import type { FatalError } from '../model/fatal-error.ts';
import { renderSummary } from '../report/index.ts';
import { commandLine } from '../report/next-steps.ts';
import type { ImportResult } from '../wiring/import-once.ts';
import { shownWorkDir } from '../wiring/work-dir.ts';
import { withNext } from './next-hint.ts';
import { printError, type Screen } from './screen.ts';

interface EndView {
  readonly pipelineFile: string;
  readonly workspace: string | undefined;
  readonly source?: string | undefined;
  readonly workDir: string;
}

/** Shows what an import came to. */
export function showEnd(
  { run, problems, deferred, readsLists, error }: ImportResult,
  view: EndView,
  screen: Screen,
): void {
  const { workspace, source } = view;
  const text = () =>
    renderSummary(run, problems, {
      colour: screen.colour,
      columns: screen.columns,
      pipelineFile: fromHere(view.pipelineFile),
      deferred,
      readsLists,
      // What stopped it was said as an error.
      message: error === undefined ? run.message : undefined,
      workspace,
      source,
      workDir: shownWorkDir(view.workDir),
    });
  screen.result(text, run);
}

/** Shows what stopped a run; where no summary follows, the error itself says how to go on. */
export function showError(
  error: FatalError,
  run: Pick<RunRecord, 'id' | 'state'>,
  { workDir }: EndView,
  screen: Screen,
): void {
  const alone = run.state !== 'finished' && (screen.json || screen.quiet);
  printError(alone ? continued(error, run.id, shownWorkDir(workDir)) : error);
}

function continued(error: FatalError, run: string, workDir: string | undefined): FatalError {
  const resume = `Continue with: ${commandLine(['resume', run], { workDir })}`;
  return withNext(error, error.next === undefined ? resume : `${error.next}\n${resume}`);
}

/** A path as a person in this folder would type it. */
function fromHere(path: string): string {
  if (!isAbsolute(path)) return path;
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}
