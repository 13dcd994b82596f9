import { isAbsolute, join, relative } from 'node:path';
import { countRows, lastRunOf } from '../journal/index.ts';
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
  readonly source?: string | undefined;
  readonly workDir: string;
  /** Steps that the pipeline holds back. */
  readonly hold: readonly string[];
  readonly scrub: (text: string) => string;
}

/** Writes the files of a run that has ended and shows what it came to, which it returns. */
export async function showEnd(end: ImportEnd, view: EndView, screen: Screen): Promise<Summary> {
  const { file, run, error } = end;
  const { workspace, source, scrub } = view;
  const typed = { workspace, source, workDir: shownWorkDir(view.workDir) };
  try {
    if (error !== undefined)
      printError(screen.json || screen.quiet ? continued(error, run.id, typed) : error);
    const runDir = join(view.workDir, 'runs', run.id);
    const held = stepsHeld(end, view.hold);
    const { summary, problems } = await writeRunFiles({
      file,
      run,
      runDir,
      scrub,
      held,
      workDir: typed.workDir,
    });
    const text = () =>
      renderSummary(summary, problems, {
        colour: screen.colour,
        pipelineFile: fromHere(view.pipelineFile),
        held,
        // What stopped it was said as an error.
        message: error === undefined ? run.message : undefined,
        ...typed,
      });
    screen.result(text, summary);
    return summary;
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

/** The steps that are still held back from the rows of a run, as far as the journal can tell. */
function stepsHeld({ file, run }: ImportEnd, hold: readonly string[]): readonly string[] {
  if (run.state !== 'finished' || run.selection.kind === 'held') return [];
  const { created, updated, merged, unchanged } = countRows(file, run);
  if (created + updated + merged > 0) return hold;
  const carriedOut = lastRunOf(file, { ...run, selection: { kind: 'held' } });
  return unchanged > 0 && carriedOut?.state !== 'finished' ? hold : [];
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
