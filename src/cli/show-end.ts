import { isAbsolute, join, relative } from 'node:path';
import { FatalError } from '../model/fatal-error.ts';
import { renderSummary, writeRunFiles } from '../report/index.ts';
import { commandLine } from '../report/next-steps.ts';
import type { Summary } from '../report/summary.ts';
import type { ImportEnd } from '../runs/import/import.ts';
import { withNext } from './next-hint.ts';
import { printError, type Screen } from './screen.ts';
import { shownWorkDir } from './work-dir.ts';

interface EndView {
  readonly pipelineFile: string;
  readonly workspace: string | undefined;
  readonly workDir: string;
  readonly scrub: (text: string) => string;
  /** Told what the run came to. */
  readonly ended: (summary: Summary) => void;
}

/** Writes the files of a run that has ended and shows what it came to; returns its exit code. */
export async function showEnd(end: ImportEnd, view: EndView, screen: Screen): Promise<number> {
  const { file, run, error, exitCode } = end;
  const { workspace, scrub } = view;
  const typed = { workspace, workDir: shownWorkDir(view.workDir) };
  try {
    if (error !== undefined)
      printError(screen.json || screen.quiet ? continued(error, run.id, typed) : error);
    const runDir = join(view.workDir, 'runs', run.id);
    const { summary, problems } = await writeRunFiles({ file, run, runDir, scrub, workDir: typed.workDir });
    view.ended(summary);
    const text = () =>
      renderSummary(summary, problems, {
        colour: screen.colour,
        pipelineFile: fromHere(view.pipelineFile),
        ...typed,
      });
    screen.result(text, summary);
    return exitCode;
  } catch (trouble) {
    if (trouble instanceof FatalError) throw trouble;
    const detail = trouble instanceof Error ? trouble.message : String(trouble);
    throw new FatalError(
      'unexpected',
      `the files of run ${run.id} could not be written (${detail}); what was done stands in the journal.`,
      { next: commandLine(['status', run.id], { workDir: typed.workDir }), cause: trouble },
    );
  } finally {
    file.close();
  }
}

/** Where no summary is shown, the error itself says how to go on. */
function continued(error: FatalError, run: string, { workDir }: { workDir: string | undefined }): FatalError {
  const resume = `Continue with: ${commandLine(['resume', run], { workDir })}`;
  return withNext(error, error.next === undefined ? resume : `${error.next}\n${resume}`);
}

/** A path as a person in this folder would type it. */
function fromHere(path: string): string {
  if (!isAbsolute(path)) return path;
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}
